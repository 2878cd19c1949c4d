"""Rows whose number is known only later, in steps of register tiles none of which is much too low.

A tile of one row takes as long as one of four, which is what a sum waits for its last addition; and
each tile reads all of a panel. So rows that whole tiles leave are shared evenly::

    most = 4:   5 = 3 + 2
    most = 9:   13 = 7 + 6
    most = 14:  15 = 5 + 5 + 5, 21 = 14 + 7, 22 = 14 + 4 + 4
"""

from __future__ import annotations

from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import number
from tvmfuse.schedules.loop_nests import LoopNestBuilder

#: Tiles no higher than this have a loop for each number of rows; code grows with each.
ALL_HEIGHTS: Final = 9


def row_steps(
    builder: LoopNestBuilder, rows: Expr, most: int
) -> tuple[tuple[Segment, ...], list[Stmt]]:
    """Cut rows into steps of at most `most`.

    Returns:
        The steps by their height, and the statements that set the variables they are made of.
    """
    if most <= ALL_HEIGHTS:
        return _even(builder, number(0), rows, most)
    half = (most + 1) // 2
    rest = tirx.floormod(rows, most)
    few = tirx.all(rest > 0, rest < half, rows >= most)
    whole = tirx.floordiv(rows, most) - tirx.Cast("int64", few)
    count, found = builder.sealed("whole", whole)
    steps, others = _even(builder, count * most, rows - count * most, half)
    return (Segment(number(0), count, most), *steps), [*found, *others]


def _even(
    builder: LoopNestBuilder, begin: Expr, rows: Expr, most: int
) -> tuple[tuple[Segment, ...], list[Stmt]]:
    """Cut rows into as few steps of at most `most` as can be, of two heights, the higher first.

    Of `t` steps there are ``max(0, t - abs(rows - height * t))`` of a height.
    """
    steps, found = builder.sealed("steps", tirx.floordiv(rows + (most - 1), most))
    cut = list[Segment]()
    for height in range(most, 0, -1):
        more = rows - steps * height
        higher = tirx.max(more, 0)
        count, counted = builder.sealed("count", tirx.max(steps - tirx.max(more, -more), 0))
        first, placed = builder.sealed("first", begin + higher * (height + 1))
        found += [*counted, *placed]
        cut.append(Segment(first, count, height))
    return tuple(cut), found
