"""The steps along a line of results of a depthwise convolution, where each is a vector.

Where masks are quick, a line is cut into vectors, and the last one has a mask::

    |--------|--------|----    |

With AVX2 a store under a mask takes as long as ten others, and a vector that is loaded under one is
no operand of a multiplication. There the last step begins where all of its results are there, and
between the first and the last no mask is asked for::

    |--------|--------|        |        inner steps, of which the last begins early, too
                   |--------|
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.schedules.cpu.conv.depthwise import Depthwise
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import number, static, variables
from tvmfuse.schedules.kernels import analyzer


@dataclass(frozen=True, eq=False)
class Steps:
    """Some steps of the same code.

    Attributes:
        lanes: Results of each.
        count: How many steps.
        start: Returns the first result of a step.
        whole: Whether all of their results are there.
        inner: Whether all columns that they read are the image's.
        once: Whether there is one at most.
    """

    lanes: int
    count: Expr
    start: Callable[[Expr], Expr]
    whole: bool
    inner: bool = False
    once: bool = False


def masked_steps(what: Depthwise, lanes: int) -> list[Steps]:
    """Cut a line into vectors, or half a one for the last where that is enough."""
    extent, half, zero = what.column.extent, lanes // 2, number(0)
    known, size = analyzer(sizes=[extent]), static(extent)
    left = tirx.floormod(extent, lanes)
    short = known.simplify(tirx.Select(tirx.all(left > 0, left <= half), zero + 1, zero))
    count = known.simplify(tirx.floordiv(extent + (lanes - 1), lanes) - short)
    few = known.simplify(extent - left)
    parts = [(lanes, Segment(zero, count, lanes)), (half, Segment(few, short, half))]

    def reaches(part: Segment) -> bool:
        end = static(known.simplify(part.start(part.count)))
        return size is not None and end is not None and end <= size

    return [
        Steps(n, part.count, part.start, whole=reaches(part), once=part.count is short)
        for n, part in parts
    ]


def overlapping_steps(what: Depthwise, lanes: int) -> list[Steps]:
    """Cut a line of unknown length into steps that may overlap.

    Lines shorter than a vector are of half vectors, or of a part of one.
    """
    extent, half, zero = what.column.extent, lanes // 2, number(0)
    last, stride = extent - lanes, what.stride
    # From the first result of an inner step on, all columns of its vectors have to be there.
    room = tirx.floordiv(what.padded.end - what.farthest - stride * lanes, stride)
    between = extent - 2 * lanes
    has_inner = tirx.all(between > 0, room >= between, what.padded.first <= stride * lanes)
    if {a.var for a in what.group.head.axes} & set(variables(what.padded.first, what.padded.end)):
        has_inner = tirx.const(0, "bool")

    def ends(nth: Expr) -> Expr:
        return tirx.Select(has_inner, nth * last, tirx.min(nth * lanes, last))

    def inside(nth: Expr) -> Expr:
        return tirx.min((nth + 1) * lanes, room)

    def halves(nth: Expr) -> Expr:
        return tirx.min(nth * half, extent - half)

    def so_many(where: Expr, count: Expr) -> Expr:
        return tirx.Select(where, count, zero)

    each = tirx.floordiv(extent + (lanes - 1), lanes)
    inner = tirx.floordiv(between + (lanes - 1), lanes)
    two, some = number(2), tirx.all(extent >= half, extent < lanes)
    outer = so_many(extent >= lanes, tirx.Select(has_inner, two, each))
    return [
        Steps(lanes, outer, ends, whole=True),
        Steps(lanes, so_many(has_inner, inner), inside, whole=True, inner=True),
        Steps(half, so_many(some, tirx.Select(extent > half, two, number(1))), halves, whole=True),
        Steps(half, so_many(extent < half, number(1)), lambda _: zero, whole=False, once=True),
    ]
