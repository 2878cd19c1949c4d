"""The loops of one tile's sum: how many steps each turn of the innermost loop takes.

A tile of 4 x 24 takes 19 instructions for 12 multiply-adds, and one step for each turn 3 more:
where another thread shares the core, more than it decodes in the time of the multiply-adds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import ForKind, Stmt

from tvmfuse.schedules.cpu.gemm.k_blocking import Part
from tvmfuse.schedules.cpu.gemm.prefetch import Ahead
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import Values, Writer, sequence
from tvmfuse.target.core import Tuning

_ZERO: Final = number(0)


def turns(
    writer: Writer,
    reduction: Sequence[Axis],
    part: Part,
    ahead: Ahead | None,
    products: int,
    tuning: Tuning,
    step: Callable[[Values], Stmt | None],
) -> Stmt | None:
    """Return the loops of a reduction, which ask for what the next tiles need on the way.

    Args:
        writer: Of the function.
        reduction: The axes.
        part: Which part of the reduction.
        ahead: What to ask for.
        products: Vectors of multiply-adds of each step.
        tuning: How many steps one turn takes.
        step: Called for the values of the axes at one step.
    """
    if not reduction:
        return step({})
    *outer, last = part.axes(reduction)
    begin = part.begin(reduction)
    several = tuning.k_unroll
    while several > 1 and several * products > tuning.max_fmas_per_body:
        several //= 2
    whole = static(product([axis.extent for axis in reduction]))
    block = tuning.long_sum_block
    if outer and static(last.extent) == block and (whole or 0) >= tuning.long_sum:
        several = block

    def turn(at: Values, first: Expr, width: int) -> Stmt | None:
        def one(k: Expr) -> Stmt | None:
            values = {**at, last.var: first + k}
            return step({var: begin[var] + value for var, value in values.items()})

        return writer.inner(last.var, width, ForKind.UNROLLED, one)

    def steps(at: Values, first: Expr, extent: Expr) -> Stmt | None:
        def segment(s: Segment) -> Stmt | None:
            return writer.nest(
                [Axis(last.var, s.count)],
                lambda k: turn(at, first + s.begin + k[last.var] * s.width, s.width),
            )

        return sequence([segment(s) for s in segments(extent, several)])

    if ahead is None:
        return writer.nest(outer, lambda at: steps(at, _ZERO, last.extent))
    every = number(ahead.every)

    def asking(at: Values) -> Stmt | None:
        return sequence([*ahead.requests(at), steps(at, at[last.var] * every, every)])

    return writer.nest([*outer, Axis(last.var, tirx.floordiv(last.extent, every))], asking)
