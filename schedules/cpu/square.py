"""A square of vectors transposed: shuffles of two vectors each, nothing gathered.

::

    a0 a1 a2 a3        singles      a0 b0 a1 b1      pairs         a0 b0 c0 d0
    b0 b1 b2 b3      ========>      a2 b2 a3 b3      ========>     a1 b1 c1 d1
    c0 c1 c2 c3                     c0 d0 c1 d1                    a2 b2 c2 d2
    d0 d1 d2 d3                     c2 d2 c3 d3                    a3 b3 c3 d3

A longer vector does so in each of its blocks of four; then the blocks change places in pairs, those
of distance 1, 2 and so on (Eklundh, "A Fast Computer Method for Matrix Transposing", 1972).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Stmt, Var

BLOCK: Final = 4

#: Lanes of vectors that a square may have.
SIDES: Final = (4, 8, 16)

Pick = Callable[[int, int], tuple[int, int]]
"""Block and lane of a result -> which vector, and which of its lanes."""


class Square:
    """As many vectors as each has lanes, one of `SIDES`.

    Attributes:
        columns: The vectors transposed, by name.
        binds: What gives them their values.
    """

    def __init__(self, rows: Sequence[Expr], dtype: str) -> None:
        self.binds: list[Stmt] = []
        self._lanes, self._dtype = len(rows), dtype
        named = [self._bound(row) for row in rows]
        fours = [self._four(named[first:][:BLOCK]) for first in range(0, len(rows), BLOCK)]
        distance = 1
        while distance < len(fours):
            fours = self._exchanged(fours, distance)
            distance *= 2
        self.columns = [column for four in fours for column in four]

    def _four(self, rows: Sequence[Expr]) -> list[Expr]:
        """Transpose each block of four rows."""
        a, b, c, d = rows
        first, second = self._joined(a, b, 1), self._joined(c, d, 1)
        pairs = zip(first, second, strict=True)
        return [column for left, right in pairs for column in self._joined(left, right, 2)]

    def _joined(self, a: Expr, b: Expr, run: int) -> list[Expr]:
        """Alternate runs of the first, and of the second half of each block of two vectors."""

        def picks(half: int) -> Pick:
            def pick(block: int, lane: int) -> tuple[int, int]:
                nth, rest = divmod(lane, run)
                return nth % 2, block * BLOCK + half * 2 + nth // 2 * run + rest

            return pick

        return [self._shuffled(a, b, picks(half)) for half in (0, 1)]

    def _exchanged(self, fours: Sequence[Sequence[Expr]], distance: int) -> list[list[Expr]]:
        """Exchange blocks of rows that are so many blocks apart."""

        def pick(upper: int) -> Pick:
            def of(block: int, lane: int) -> tuple[int, int]:
                own = bool(block & distance) == bool(upper)
                place = block if own else block ^ distance
                return upper if own else 1 - upper, place * BLOCK + lane

            return of

        return [
            [
                self._shuffled(a, b, pick(int(bool(n & distance))))
                for a, b in zip(fours[n & ~distance], fours[n | distance], strict=True)
            ]
            for n in range(len(fours))
        ]

    def _shuffled(self, a: Expr, b: Expr, pick: Pick) -> Expr:
        found = [pick(*divmod(lane, BLOCK)) for lane in range(self._lanes)]
        indices = [tirx.const(vector * self._lanes + lane, "int32") for vector, lane in found]
        return self._bound(tirx.Shuffle([a, b], indices))

    def _bound(self, value: Expr) -> Expr:
        name = Var("vector", f"{self._dtype}x{self._lanes}")
        self.binds.append(Bind(name, value))
        return name
