"""The few largest or smallest elements of lines, 16 lines at once in the lanes of vectors.

The best of each line so far are held in order, and each element is inserted behind those that it
is not before, so that of equal ones the first come first. Source: insertion sort (Knuth, "The Art
of Computer Programming", volume 3, 5.2.1), whose lanes all take the same steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tvm import tirx
from tvm.ir import Expr
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.lowering.lines import Lines
from tvmfuse.ops.lowering.sorted_keys import LAST, order
from tvmfuse.ops.lowering.written import INT64, int32, int64, local, variable

LINES: Final = 16
"""How many are read at once."""

MOST: Final = 8
"""Elements of each line that registers hold."""

MOST_APART: Final = 128
"""Elements of a line up to which it is worth while to put vectors together of several rows."""


@dataclass(frozen=True, eq=False)
class FewBest(Lines):
    """How lines are taken.

    Attributes:
        k: How many elements are wanted of each.
    """

    k: int

    @classmethod
    def of(cls, lines: Lines, k: Expr) -> FewBest | None:
        """Return how lines are taken, None where it is no use."""
        before, size, after = lines.before, lines.size, lines.after
        if not isinstance(k, tirx.IntImm) or not isinstance(after, tirx.IntImm) or k.value > MOST:
            return None
        apart = isinstance(before, tirx.IntImm) and before.value >= LINES and after.value == 1
        short = isinstance(size, tirx.IntImm) and size.value <= MOST_APART
        side_by_side = after.value >= LINES
        return cls(before, size, after, k.value) if side_by_side or (apart and short) else None

    def kernel(self, x: Buffer, values: Buffer, places: Buffer, *, largest: bool) -> Stmt:
        """Return what writes the best elements and their places."""
        rows = self.after.value == 1
        many = self.before if rows else self.after
        strips = tirx.floordiv(many + (LINES - 1), int64(LINES))
        with IRBuilder() as builder:
            tensors = _Tensors(*(write.buffer_proxy(b) for b in (x, values, places)))
            with write.parallel(0, strips if rows else self.before * strips) as group:
                first = tirx.min(tirx.floormod(group, strips) * LINES, many - LINES)
                if rows:
                    given = _Lines(first * self.size, self.size, int64(1))
                    made = _Lines(first * self.k, int64(self.k), int64(1))
                else:
                    matrix = tirx.floordiv(group, strips)
                    given = _Lines(matrix * self.size * self.after + first, int64(1), self.after)
                    made = _Lines(matrix * self.k * self.after + first, int64(1), self.after)
                self._write(tensors, given, made, largest=largest)
            return builder.get()

    def _write(self, tensors: _Tensors, given: _Lines, made: _Lines, *, largest: bool) -> None:
        x, values, places = tensors
        best = [local(LINES, "int32") for _ in range(self.k)]
        where = [local(LINES, "int32") for _ in range(self.k)]
        for nth in range(self.k):
            with write.vectorized(0, LINES) as lane:
                best[nth][lane] = int32(LAST)
            with write.vectorized(0, LINES) as lane:
                where[nth][lane] = int32(0)
        with write.serial(0, self.size) as place:
            own = local(LINES, "int32")
            with write.vectorized(0, LINES) as lane:
                own[lane] = order(x[given.at(lane, place)], largest=largest)
            _insert(own, variable(tirx.Cast("int32", place))[0], best, where)
        # Where lanes are numbers that are not known, an array is not in registers.
        found = local(self.k * LINES, "int32")
        for nth in range(self.k):
            with write.vectorized(0, LINES) as lane:
                found[nth * LINES + lane] = where[nth][lane]
        with write.serial(0, LINES) as lane, write.serial(0, self.k) as nth:
            place = tirx.Cast(INT64, found[nth * LINES + lane])
            values[made.at(lane, nth)] = x[given.at(lane, place)]
            places[made.at(lane, nth)] = place


class _Tensors(NamedTuple):
    x: Any
    values: Any
    places: Any


@dataclass(frozen=True, eq=False)
class _Lines:
    """Where elements of lines are: from a corner on, so far from line to line and along them."""

    corner: Expr
    across: Expr
    along: Expr

    def at(self, line: Expr, place: Expr) -> Expr:
        return self.corner + line * self.across + place * self.along


def _insert(own: Any, place: Expr, best: list[Any], where: list[Any]) -> None:
    """Insert orders, and their place, from the last one of the best on."""
    for nth in reversed(range(len(best))):
        with write.vectorized(0, LINES) as lane:
            before = own[lane] < best[nth][lane]
            new = place
            if nth:
                shifted = own[lane] < best[nth - 1][lane]
                new = tirx.Select(shifted, where[nth - 1][lane], place)
            where[nth][lane] = tirx.Select(before, new, where[nth][lane])
        with write.vectorized(0, LINES) as lane:
            least = tirx.min(own[lane], best[nth][lane])
            best[nth][lane] = tirx.max(least, best[nth - 1][lane]) if nth else least
