"""Words whose pairs a dot product could clip, in two: the even bytes, and the odd ones in a list.

`vpmaddubsw` adds up two products of an unsigned and a signed byte in 16 bits, and clips the sum. It
clips none, whatever the other bytes are, where two neighbours add up to at most 255, or signed ones
to something between -128 and 127; nor where one of the two is zero. So each row of a matrix is
copied, and words that are beyond that lose their odd bytes, which are multiplied on their own::

    for each row:
        for each word k of it:
            main[row, k] = word, or its even bytes
            rest[row, n], place[row, n] = its odd bytes, k        where it lost them
    for each tile:
        tile[r, c] += main[row, k] * b[k, c]                      for each k
        tile[r, c] += rest[row, n] * b[place[row, n], c]          for each n of the row's list

Of what transformers multiply, centred around zero, 0 to 10 % of the words are in the list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

from tvmfuse.schedules.cpu.gemm.dot_product import WORD, Dot, Words
from tvmfuse.schedules.cpu.gemm.pair_check import EVEN, NO_BIT, VECTOR
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.expressions import coefficient, flat, number, static, variables
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

#: The odd bytes of a word; and the high bytes of both sums, which a sum in bounds leaves alone.
ODD: Final = 0xFF00FF00

#: What makes unsigned bytes of signed ones; what moves the sums of two such so that those in bounds
#: have a high byte of one; and that byte.
FLIP: Final = 0x80808080
MOVE: Final = 0x00800080
MOVED: Final = 0x01000100


@dataclass(frozen=True, eq=False)
class SplitWords:
    """The words of a matrix of bytes, each of which a dot product can take.

    Attributes:
        builder: Of the function.
        dot: What multiplies them; it clips.
        row: The axis of the matrix's rows.
        step: That of its words, along which they are summed up.
        parallel: Whether rows are split in threads.
    """

    builder: LoopNestBuilder
    dot: Dot
    row: Axis
    step: Axis
    parallel: bool

    @classmethod
    def of(cls, builder: LoopNestBuilder, loops: TileLoops) -> SplitWords | None:
        """Read a sum; None where nothing is clipped, or where its words are no known matrix."""
        dot, row, reduction = loops.dot, loops.tile.row_axis, loops.group.head.reduction
        if dot is None or not dot.clips or row is None or len(reduction) != 1:
            return None
        (step,), word = reduction, dot.number
        offset = builder.simplify(flat(word.buffer.shape, word.load.indices))
        found = [coefficient(offset, axis.var) for axis in (row, step)]
        down, along = (None if each is None else static(each) for each in found)
        sizes = static(row.extent), static(step.extent)
        whole = None not in sizes and (down, along) == (sizes[1], 1)
        if not whole or variables(offset) != {row.var, step.var} or loops.k_blocks > 1:
            return None
        return cls(builder, dot, row, step, loops.parallel)

    def around(self, tiles: Stmt | None) -> Stmt | None:
        """Return the loops over tiles, and before them what splits the words."""
        buffers = [self._main, self._rest, self._places, self._counts]
        split = self.builder.nest([self.row], self._split, parallel=self.parallel)
        return self.builder.allocate(buffers, [split, tiles])

    @property
    def main(self) -> Dot:
        """The products of what is left of all words, none of which is clipped."""
        return self._on(self._main, self.step.var)

    def listed(self, row: Expr, body: Callable[[Dot, Values], Stmt | None]) -> Stmt | None:
        """Return the loop over a row's list.

        Args:
            row: Which row.
            body: Returns what adds the products of one word; called with them, and with the values
                of the axes.
        """
        nth = Var("nth", "int64")
        count = BufferLoad(self._counts, [row])
        axis = Axis(nth, self.builder.value(count, {}).astype("int64"))

        def one(at: Values) -> Stmt | None:
            place = self.builder.value(BufferLoad(self._places, [row, at[nth]]), {})
            step, bound = self.builder.named("step", place.astype("int64"))
            here = {nth: at[nth], self.step.var: step}
            return sequence([bound, body(self._on(self._rest, nth), here)])

        return self.builder.nest([axis], one)

    def _on(self, stored: Buffer, nth: Var) -> Dot:
        group = self.dot.number.group
        words = tirx.decl_buffer([self._rows, self._steps], WORD, f"{stored.name}_words")
        first = BufferLoad(stored, [self.row.var, nth * group])
        number = Words(BufferLoad(words, [self.row.var, nth]), first, group)
        return replace(self.dot, number=number, clips=False, together=1)

    @property
    def _rows(self) -> int:
        return static(self.row.extent) or 0

    @property
    def _steps(self) -> int:
        return static(self.step.extent) or 0

    @cached_property
    def _main(self) -> Buffer:
        return self._bytes("main")

    @cached_property
    def _rest(self) -> Buffer:
        return self._bytes("rest")

    @cached_property
    def _places(self) -> Buffer:
        shape = [number(self._rows), number(self._steps)]
        return self.builder.local_buffer("places", "int32", shape)

    @cached_property
    def _counts(self) -> Buffer:
        return self.builder.local_buffer("counts", "int32", [number(self._rows)])

    def _bytes(self, name: str) -> Buffer:
        words, dtype = self.dot.number, str(self.dot.number.first.ty.dtype)
        shape = [number(self._rows), number(self._steps * words.group)]
        return self.builder.local_buffer(name, dtype, shape)

    def _split(self, at: Values) -> Stmt | None:
        """Return what splits the words of one row, as many as a vector has at a time."""
        row, group = at[self.row.var], self.dot.number.group
        together = VECTOR // group
        none = self._stored(self._counts, [row], tirx.const(0, "int32"))
        whole, words = self._steps // together, Axis(self.step.var, number(together))

        def vector(nth: Values) -> Stmt | None:
            first = nth[self.step.var] * together
            bits = tirx.reinterpret("int64x4", self._beyond(self._read(row, first, together)))
            clear = tirx.call_llvm_pure_intrin("int32", NO_BIT, bits, bits)
            copied = self._keep(self._main, row, first, self._read(row, first, together))
            each = self.builder.nest([words], lambda n: self._word(row, first + n[words.var]))
            return tirx.IfThenElse(tirx.NE(clear, tirx.const(0, "int32")), copied, each)

        def word(nth: Values) -> Stmt | None:
            return self._word(row, nth[self.step.var] + whole * together)

        vectors = self.builder.nest([Axis(self.step.var, number(whole))], vector)
        left = Axis(self.step.var, number(self._steps % together))
        return sequence([none, vectors, self.builder.nest([left], word)])

    def _word(self, row: Expr, place: Expr) -> Stmt | None:
        """Return what keeps one word, or its even bytes, and its odd ones in the row's list."""
        word = self._read(row, place, 1)
        count = self.builder.value(BufferLoad(self._counts, [row]), {})
        nth, bound = self.builder.named("nth", count.astype("int64"))
        listed = [
            bound,
            self._keep(self._rest, row, nth, tirx.bitwise_and(word, _words(ODD, 1))),
            self._stored(self._places, [row, nth], place.astype("int32")),
            self._stored(self._counts, [row], (nth + 1).astype("int32")),
            self._keep(self._main, row, place, tirx.bitwise_and(word, _words(EVEN, 1))),
        ]
        fits = tirx.EQ(self._beyond(word), _words(0, 1))
        return tirx.IfThenElse(fits, self._keep(self._main, row, place, word), sequence(listed))

    def _beyond(self, words: Expr) -> Expr:
        """Return words that are zero where both pairs of a word are within the bounds."""
        lanes, signed = words.ty.dtype.lanes, self.dot.signed
        if signed:
            words = tirx.bitwise_xor(words, _words(FLIP, lanes))
        odd = tirx.shift_right(words, _words(8, lanes))
        even, odd = (tirx.bitwise_and(part, _words(EVEN, lanes)) for part in (words, odd))
        if not signed:
            return tirx.bitwise_and(even + odd, _words(ODD, lanes))
        high = tirx.bitwise_and(even + odd + _words(MOVE, lanes), _words(ODD, lanes))
        return tirx.bitwise_xor(high, _words(MOVED, lanes))

    def _read(self, row: Expr, place: Expr, count: int) -> Expr:
        words, at = self.dot.number, {self.row.var: row, self.step.var: place}
        some = self.builder.vector(words.first, count * words.group, at)
        return tirx.reinterpret("uint32" if count == 1 else f"uint32x{count}", some)

    def _keep(self, stored: Buffer, row: Expr, place: Expr, words: Expr) -> Stmt:
        size = words.ty.dtype.lanes * self.dot.number.group
        some = tirx.reinterpret(f"{stored.dtype}x{size}", words)
        place = place * self.dot.number.group
        return self.builder.store_vector(stored, [row, place], some, size)

    def _stored(self, buffer: Buffer, indices: list[Expr], value: Expr) -> Stmt:
        return self.builder.store(buffer, indices, value, {})


def _words(value: int, lanes: int) -> Expr:
    word = tirx.const(value, "uint32")
    return word if lanes == 1 else tirx.Broadcast(word, lanes)
