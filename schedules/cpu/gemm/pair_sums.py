"""The sums of a tile, two rows at a time: one instruction multiplies both (`row_pairs.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.gemm.dot_product import Dot
from tvmfuse.schedules.cpu.gemm.row_pairs import LANES, SIDE, exchanged, two_rows
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

Row = Callable[[Expr], tuple[Values, Mapping[Buffer, LocalElement]]]
"""Returns an element of a row by its column, and where it is kept."""

Ends = Sequence[tuple[Values, LocalElement]]
"""The first elements of two rows' vectors, and where their sums are kept."""


@dataclass(frozen=True, eq=False)
class PairSums:
    """The sums of some rows, whose last one is beside a copy of itself where their number is odd.

    Attributes:
        builder: Of the function.
        dot: How they are computed.
        sums: What is summed up.
        column: The variable of columns.
        columns: How many there are.
        widths: How many are computed at once, the most first; of one there are no pairs.
        rows: Where they are.
    """

    builder: LoopNestBuilder
    dot: Dot
    sums: Buffer
    column: Var
    columns: int
    widths: Sequence[int]
    rows: Sequence[Row]

    def around(self, loops: Stmt | None) -> Stmt | None:
        """Return the loops of the sums, before and after which they lie row by row."""
        turned = [self._each(self._exchanged) for _ in range(2)]
        if not len(self.rows) % SIDE:
            return sequence([turned[0], loops, turned[1]])
        copy, zeros = self._copy, tirx.Broadcast(tirx.const(0, str(self.sums.dtype)), LANES)
        cleared = [
            self.builder.store_vector(copy, [number(first)], zeros, LANES)
            for first in range(0, self.columns // LANES * LANES, LANES)
        ]
        return self.builder.allocate([copy], [*cleared, turned[0], loops, turned[1]])

    def step(self, k: Values) -> Stmt | None:
        """Return what adds the products of one word of the sum."""

        def both(ends: Ends) -> list[Stmt]:
            rows = [self.dot.in_words(self.dot.number, builder, 1, {**at, **k}) for at, _ in ends]
            (at, _), places = ends[0], [place for _, place in ends]
            there = [{**at, **k, column: at[column] + nth} for nth in range(0, LANES, SIDE)]
            columns = [self.dot.in_words(self.dot.vector, builder, SIDE, here) for here in there]
            return two_rows(builder, self.dot.instruction, rows, columns, places)

        def one(at: Values, place: LocalElement) -> Stmt:
            return self.dot.update(builder, [{**at, **k}], place, 1)

        builder, column = self.builder, self.column
        return self._each(both, one)

    def _exchanged(self, ends: Ends) -> list[Stmt]:
        return exchanged(self.builder, [place for _, place in ends])

    def _each(
        self,
        both: Callable[[Ends], list[Stmt]],
        one: Callable[[Values, LocalElement], Stmt] | None = None,
    ) -> Stmt | None:
        """Run a body for each vector of two rows, and another for each column that is left."""

        def some(upper: int, part: Segment) -> Stmt | None:
            def nth(n: Expr) -> Stmt | None:
                column = part.begin + n * part.width
                if part.width > 1:
                    return sequence(both([self._end(upper + r, column) for r in range(SIDE)]))
                last = min(upper + SIDE, len(self.rows))
                rows = [self._end(row, column) for row in range(upper, last)]
                return sequence([one(*row) for row in rows]) if one else None

            return self.builder.inner(self.column, static(part.count) or 0, ForKind.UNROLLED, nth)

        uppers, parts = range(0, len(self.rows), SIDE), segments(number(self.columns), *self.widths)
        return sequence([some(upper, part) for upper in uppers for part in parts])

    def _end(self, row: int, column: Expr) -> tuple[Values, LocalElement]:
        """Return an element of a row, or of the last one's copy, and where its sum is kept."""
        at, kept = self.rows[min(row, len(self.rows) - 1)](column)
        return at, kept[self.sums] if row < len(self.rows) else LocalElement(self._copy, column)

    @cached_property
    def _copy(self) -> Buffer:
        size = [number(self.columns)]
        return self.builder.local_buffer("copy", str(self.sums.dtype), size)
