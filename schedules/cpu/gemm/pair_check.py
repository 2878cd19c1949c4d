"""Whether a dot product that clips sums of two products clips none of those that a tile adds up.

``a * v + b * w`` of unsigned bytes `a` and `b` and signed bytes `v` and `w` is within 128 (a + b)
of zero. Where a + b is at most 255, that is 32,640, which an int16 holds, whatever the weights are;
so it holds the sum of two such sums where the four bytes add up to at most 255. Most images are
such after a ReLU, whose zero point is 0. A tile's bytes are looked at before they are multiplied, a
vector of them at once: the sums are joined by an or, which has bit 8 or 9 where one is beyond 255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

from tvmfuse.schedules.cpu.gemm.dot_product import Words
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import coefficient, flat, number, static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

#: Bytes of a vector, which any machine has that clips.
VECTOR: Final = 32

#: Vectors that are looked at in one turn of the loop.
TOGETHER: Final = 4

#: What adds up pairs of bytes, if the other operand is ones, and what tells whether no bit is set.
PAIRS: Final = "llvm.x86.avx2.pmadd.ub.sw"
NO_BIT: Final = "llvm.x86.avx.ptestz.256"

#: The even bytes of a word, and bits 8 and 9 of both of its halves.
EVEN: Final = 0x00FF00FF
BEYOND: Final = 0x03000300


@dataclass(frozen=True, eq=False)
class PairCheck:
    """A look at the words that a tile reads.

    Attributes:
        builder: Of the function.
        words: What the tile reads of the operand of unsigned bytes.
        axes: Along which it reads them: of the tile's rows, and of the sum, whose last one is last.
    """

    builder: LoopNestBuilder
    words: Words
    axes: Sequence[Axis]

    @cached_property
    def buffers(self) -> list[Buffer]:
        """What has to be allocated around all of it: the sums of pairs, and of two words' pairs."""
        if self._length < VECTOR:
            return [self.builder.local_buffer("pairs", "uint32", [number(1)])]
        names = ["pairs", "fours"][: 1 + self.by_twos]
        return [self.builder.local_buffer(n, "int16", [number(VECTOR // 2)]) for n in names]

    @property
    def by_twos(self) -> bool:
        """Whether all words lie in memory two by two, as the steps of the sum are."""
        near, apart = self.axes[-1], self._apart
        steps = {axis: step for step, axis in self._steps if axis not in apart and step}
        whole = steps.pop(near, 0) == 1 and (static(near.extent) or 1) % 2 == 0
        even = all(step % 2 == 0 for step in steps.values())
        return whole and even and self._length >= VECTOR

    def statement(self, start: Values) -> Stmt | None:
        """Return what looks at all words from the axes' values at the tile's first element on."""

        def look(at: Values) -> Stmt | None:
            at = {**start, **{var: start[var] + value for var, value in at.items()}}
            return self._by_words(at) if self._length < VECTOR else self._by_vectors(at)

        return sequence([*map(self._clear, self.buffers), self.builder.nest(self._apart, look)])

    @property
    def words_together(self) -> Expr:
        """How many words' products an int16 holds the sums of: none, those of one or of two."""
        if self._length < VECTOR:
            kept = self._kept(self.buffers[0])
            beyond = tirx.bitwise_and(kept, _word(BEYOND))
            return tirx.EQ(beyond, _word(0)).astype("int32")
        bits = tirx.Broadcast(tirx.const(BEYOND << 32 | BEYOND, "int64"), VECTOR // 8)
        found: Expr = tirx.const(0, "int32")
        for buffer in self.buffers:
            sums = tirx.reinterpret(str(bits.ty.dtype), self._kept(buffer))
            found = found + tirx.call_llvm_pure_intrin("int32", NO_BIT, sums, bits)
        return found

    @cached_property
    def _steps(self) -> list[tuple[int | None, Axis]]:
        """How many words each axis moves by; None where that is known only later."""
        words = self.words
        offset = self.builder.simplify(flat(words.buffer.shape, words.load.indices))
        found = [coefficient(offset, axis.var) for axis in self.axes]
        steps = [None if step is None else static(step) for step in found]
        return [(s, axis) for s, axis in zip(steps, self.axes, strict=True) if s != 0]

    @cached_property
    def _side_by_side(self) -> tuple[int, list[Axis]]:
        """The words that lie in one piece, and the axes along which such pieces lie."""
        words, inside = 1, list[Axis]()
        known = [(step, axis) for step, axis in self._steps if step and static(axis.extent)]
        for step, axis in sorted(known, key=lambda pair: pair[0]):
            if 0 < step <= words:
                words += ((static(axis.extent) or 1) - 1) * step
                inside.append(axis)
        return words, [axis for _, axis in self._steps if axis not in inside]

    @property
    def _length(self) -> int:
        """Bytes that lie in one piece."""
        return self._side_by_side[0] * self.words.group

    @property
    def _apart(self) -> list[Axis]:
        return self._side_by_side[1]

    def _by_vectors(self, at: Values) -> Stmt | None:
        ones = tirx.Broadcast(tirx.const(1, "int8"), VECTOR)
        first, lanes = self.words.first, VECTOR // 2
        *outer, last = first.indices

        def look(begin: Expr) -> Stmt | None:
            element = BufferLoad(first.source, [*outer, last + begin])
            some = self.builder.vector(element, VECTOR, at)
            pairs = tirx.call_llvm_pure_intrin(f"int16x{lanes}", PAIRS, some, ones)
            found = [pairs]
            if self.by_twos:
                word = tirx.Broadcast(tirx.const(32, "uint64"), VECTOR // 8)
                next_one = tirx.shift_right(tirx.reinterpret(str(word.ty.dtype), pairs), word)
                found.append(pairs + tirx.reinterpret(f"int16x{lanes}", next_one))
            return sequence([self._join(*both) for both in zip(self.buffers, found, strict=True)])

        def some(part: Segment) -> Stmt | None:
            turns = Axis(Var("turn", "int64"), part.count)

            def turn(nth: Values) -> Stmt | None:
                begin = part.start(nth[turns.var]) * VECTOR
                return sequence([look(begin + n * VECTOR) for n in range(part.width)])

            return self.builder.nest([turns], turn)

        whole, rest = divmod(self._length, VECTOR)
        found = [some(part) for part in segments(number(whole), TOGETHER)]
        # The last vector overlaps the one before.
        return sequence([*found, look(number(self._length - VECTOR)) if rest else None])

    def _by_words(self, at: Values) -> Stmt | None:
        first, group = self.words.first, self.words.group
        *outer, last = first.indices
        found: Expr = _word(0)
        for begin in range(0, self._length, group):
            element = BufferLoad(first.source, [*outer, last + begin])
            word = tirx.reinterpret("uint32", self.builder.vector(element, group, at))
            odd = tirx.shift_right(word, _word(8))
            halves = [tirx.bitwise_and(part, _word(EVEN)) for part in (word, odd)]
            found = tirx.bitwise_or(found, halves[0] + halves[1])
        return self._join(self.buffers[0], found)

    def _join(self, buffer: Buffer, sums: Expr) -> Stmt:
        return self._keep(buffer, tirx.bitwise_or(self._kept(buffer), sums))

    def _kept(self, buffer: Buffer) -> Expr:
        if self._length < VECTOR:
            return self.builder.load_local(LocalElement(buffer, number(0)))
        return self.builder.vector(BufferLoad(buffer, [number(0)]), VECTOR // 2)

    def _keep(self, buffer: Buffer, value: Expr) -> Stmt:
        if self._length < VECTOR:
            return self.builder.store_local(LocalElement(buffer, number(0)), value)
        return self.builder.store_vector(buffer, [number(0)], value, VECTOR // 2)

    def _clear(self, buffer: Buffer) -> Stmt:
        if self._length < VECTOR:
            return self._keep(buffer, _word(0))
        return self._keep(buffer, tirx.Broadcast(tirx.const(0, "int16"), VECTOR // 2))


def _word(value: int) -> Expr:
    return tirx.const(value, "uint32")
