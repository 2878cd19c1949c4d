"""A tile of sums over blocks of integers: the dot products of each block, and what is made of them.

A vector of words is loaded once, and each of its fields masked once, for all rows of the tile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.ops.integer_matmul_nbits import BYTE, BYTES
from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.gemm.dot_sums import DotSums
from tvmfuse.schedules.cpu.nest import axis_names
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.target.isa import DotProduct
from tvmfuse.target.machine import Machine

#: Dot products of one body of the loop over a block's words, about.
MOST_DOTS: Final = 128

#: A byte times this is a word of four of it.
REPEATED: Final = 0x01010101

Local = Sequence[Mapping[Buffer, Buffer]]
Body = Callable[[Values, Mapping[Buffer, LocalElement]], Stmt | None]


@dataclass(frozen=True, eq=False)
class Dots:
    """What a block's sum adds up: bytes by fields of a word's bytes.

    Attributes:
        buffer: Of the sums, as the stages have it.
        a: The load of a signed byte.
        b: The load of a word.
        axes: Those of the sum by their names: word, field, byte; none of one element.
        lanes: Words of a vector.
        instruction: What multiplies and adds up.
    """

    buffer: Buffer
    a: TensorLoad
    b: TensorLoad
    axes: Mapping[str, Axis]
    lanes: int
    instruction: DotProduct

    @classmethod
    def of(cls, stage: Stage, reader: Stage, machine: Machine) -> Dots | str:
        """Read a stage at the places where another reads it; the reason where that cannot be."""
        place, lanes = stage.store, machine.isa.float_lanes
        axes = {name: axis for axis, name in axis_names(stage.reduction).items()}
        most = (1 << BYTE // _extent(axes, "field")) - 1
        instruction = machine.dot_of_bytes(most)
        if instruction is None:
            return "the machine has no dot product of bytes that is exact for it"
        (read,) = (load for load in reader.loads if load.source.same_as(place.buffer))
        pairs = zip(place.indices, read.indices, strict=True)
        at = {own: value for own, value in pairs if isinstance(own, Var)}
        a, b = (
            BufferLoad(load.source, [substitute(index, at) for index in load.indices])
            for load in sorted(stage.loads, key=lambda load: int(load.ty.dtype.bits))
        )
        found = cls(place.buffer, a, b, axes, lanes, instruction)
        whole = found.width % lanes == 0
        return found if whole else "its panels are no whole vectors"

    @property
    def width(self) -> int:
        """Columns of a panel."""
        return static(self.b.source.shape[-1]) or 0

    @property
    def vectors(self) -> int:
        """Vectors of a panel's row."""
        return self.width // self.lanes

    @property
    def fields(self) -> int:
        """Numbers of a byte."""
        return _extent(self.axes, "field")

    @property
    def words(self) -> int:
        """Words of a column of a block."""
        return _extent(self.axes, "word")

    @property
    def most(self) -> int:
        """The greatest of the unsigned numbers."""
        return (1 << BYTE // self.fields) - 1

    def field(self, words: Expr, nth: int) -> Expr:
        """Return the n-th field of each byte of a vector of words."""

        def in_all(value: int) -> Expr:
            return tirx.Broadcast(tirx.const(value, "uint32"), self.lanes)

        if self.fields == 1:
            return words
        shifted = tirx.shift_right(words, in_all(nth * (BYTE // self.fields))) if nth else words
        return tirx.bitwise_and(shifted, in_all(self.most * REPEATED))

    def at(self, word: Expr, field: int) -> Values:
        """Return the values of the sum's axes at the first byte of a field of a word."""
        given = {"word": word, "field": number(field), "byte": number(0)}
        return {axis.var: given[name] for name, axis in self.axes.items()}


@dataclass(frozen=True, eq=False)
class DotTile:
    """Tiles of a group, each as wide as a panel.

    Attributes:
        builder: Of the function.
        group: The sums over blocks, and their epilogue.
        dots: What is summed up in each block.
        column: The axis of columns.
        row: The axis of rows; None for tiles of one.
    """

    builder: LoopNestBuilder
    group: Group
    dots: Dots
    column: Axis
    row: Axis | None

    def statement(self, rows: int, columns: int, start: Values) -> Stmt | None:
        """Return the tile of some rows and columns from an element on.

        All columns of the panel are computed, and those stored that there are.
        """
        builder, dots, head = self.builder, self.dots, self.group.head.store
        parts = dots.instruction, dots.lanes, dots.vectors, dots.most
        sums = [DotSums(builder, *parts) for _ in range(rows)]
        kept = [{b: self._sums(b) for b in local_buffers(self.group)} for _ in range(rows)]
        with_dots = [{**k, dots.buffer: s.sums} for k, s in zip(kept, sums, strict=True)]

        def set_to(value: Expr) -> Body:
            return lambda at, local: builder.store_local(
                local[head.buffer], builder.value(value, at, local)
            )

        def each(local: Local, body: Body, at: Values, columns: int = dots.width) -> Stmt | None:
            return sequence([self._row(r, b, body, at, columns) for r, b in enumerate(local)])

        def block(place: Values) -> Stmt | None:
            at = {**start, **place}
            cleared = [one.clear() for one in sums]
            added = each(with_dots, set_to(head.value), at)
            return sequence([*cleared, self._dots(sums, at), added])

        assert head.initial is not None
        initial = each(kept, set_to(head.initial), start)
        blocks = builder.nest(self.group.head.reduction, block)
        end = each(kept, lambda at, local: finish(builder, self.group, at, local), start, columns)
        buffers = [b for one in kept for b in one.values()] + [b for s in sums for b in s.buffers]
        return builder.allocate(buffers, [initial, blocks, end])

    def _sums(self, buffer: Buffer) -> Buffer:
        width = number(self.dots.width)
        return self.builder.local_buffer(buffer.name, buffer.dtype, [width])

    def _dots(self, sums: Sequence[DotSums], at: Values) -> Stmt | None:
        """Return the dot products of a block, a few words in each turn of the loop."""
        dots, words = self.dots, Axis(Var("word", "int64"), number(self.dots.words))
        steps = MOST_DOTS // (len(sums) * dots.vectors)
        if sums[0].steps is not None:
            steps = min(steps, sums[0].steps)

        def segment(s: Segment) -> Stmt | None:
            def some(nth: Values) -> Stmt | None:
                first = s.start(nth[words.var])
                added = [self._word(sums, at, first + n, first=n == 0) for n in range(s.width)]
                return sequence([*added, *(one.widen() for one in sums)])

            return self.builder.nest([Axis(words.var, s.count)], some)

        together = max(1, steps // dots.fields)
        return sequence([segment(s) for s in segments(words.extent, together)])

    def _word(self, sums: Sequence[DotSums], at: Values, word: Expr, *, first: bool) -> Stmt | None:
        """Return what one word of each column adds to the dot products of all rows."""
        builder, dots, found = self.builder, self.dots, list[Stmt]()
        for nth, field in product(range(dots.vectors), range(dots.fields)):
            column = {self.column.var: at[self.column.var] + nth * dots.lanes}
            here = {**at, **column, **dots.at(word, field)}
            unsigned = dots.field(builder.vector(dots.b, dots.lanes, here), field)
            for row, one in enumerate(sums):
                four = builder.vector(dots.a, BYTES, self._down(here, row))
                signed = tirx.reinterpret("int32", four)
                found.append(one.step(nth, unsigned, signed, first=first and field == 0))
        return sequence(found)

    def _row(
        self, row: int, kept: Mapping[Buffer, Buffer], body: Body, at: Values, columns: int
    ) -> Stmt | None:
        """Run a body for each vector of a row."""
        column, at = self.column.var, self._down(at, row)

        def element(c: Expr) -> Stmt | None:
            local = {buffer: LocalElement(own, c) for buffer, own in kept.items()}
            return body({**at, column: at[column] + c}, local)

        return self.builder.vectors(column, columns, self.dots.lanes, element)

    def _down(self, at: Values, rows: int) -> Values:
        return {**at, self.row.var: at[self.row.var] + rows} if self.row else at


def _extent(axes: Mapping[str, Axis], name: str) -> int:
    return static(axes[name].extent) or 1 if name in axes else 1
