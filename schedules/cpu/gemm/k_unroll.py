"""K unrolling: the loops of one tile's sum, and how many steps one body of the innermost takes.

A tile of 4 x 24 takes 19 instructions for 12 multiply-adds, and one step for each turn of the loop
3 more: where another thread shares the core, more than it decodes in the time of the multiply-adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import ForKind, Stmt

from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock
from tvmfuse.schedules.cpu.gemm.panel_prefetch import PanelRequests
from tvmfuse.schedules.cpu.nest import Misfit
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.target.core import Tuning

_ZERO: Final = number(0)


#: Steps of a sum that are one body where they share what they compute of: the numbers of a word.
MOST_TOGETHER: Final = 16

#: What a plan may ask for: more only makes the code long.
MAX_K_UNROLL: Final = 64
MAX_BODY_FMAS: Final = 1024


def together(reduction: Sequence[Axis]) -> int | None:
    """Return the steps of the last of several axes; None where they are no short body."""
    steps = static(reduction[-1].extent) if len(reduction) > 1 else None
    return steps if steps and steps <= MOST_TOGETHER else None


def unrolling(reduction: Sequence[Axis], fmas: int, tuning: Tuning) -> tuple[int, int]:
    """Return how many steps one body takes at most, and how many multiply-adds it has at most.

    Args:
        reduction: The axes of the sum.
        fmas: Vector multiply-adds of one step of a whole tile.
        tuning: The machine's parameters.
    """
    steps, block = static(product([axis.extent for axis in reduction])), tuning.long_sum_block
    in_blocks = len(reduction) > 1 and static(reduction[-1].extent) == block
    if in_blocks and (steps or 0) >= tuning.long_sum:
        return block, block * fmas
    last = static(reduction[-1].extent) if len(reduction) > 1 else None
    if last and steps and last < tuning.k_unroll and steps <= tuning.short_sum:
        return 1, tuning.max_fmas_per_body
    return tuning.k_unroll, tuning.max_fmas_per_body


def unroll_misfits(k_unroll: int, max_fmas: int) -> Iterator[Misfit]:
    """Yield what is wrong with the unrolling of a sum."""
    if not 1 <= k_unroll <= MAX_K_UNROLL:
        yield Misfit("k_unroll", f"1 to {MAX_K_UNROLL}", k_unroll)
    if not 1 <= max_fmas <= MAX_BODY_FMAS:
        yield Misfit("max_fmas", f"1 to {MAX_BODY_FMAS}", max_fmas)


def sum_loops(
    builder: LoopNestBuilder,
    reduction: Sequence[Axis],
    k_block: KBlock,
    requests: PanelRequests | None,
    unroll: int,
    step: Callable[[Values], Stmt | None],
    at_once: int = 1,
) -> Stmt | None:
    """Return the loops of a reduction, which ask for what the next tiles need on the way.

    Args:
        builder: Of the function.
        reduction: The axes.
        k_block: Which block of the reduction.
        requests: What to ask for.
        unroll: How many steps one body of the innermost loop takes.
        step: Called for the values of the axes at one step.
        at_once: How many steps it takes from there on; they divide those of the last axis.
    """
    if not reduction:
        return step({})
    *outer, last = k_block.axes(reduction)
    begin, unroll = k_block.begin(reduction), -(-unroll // at_once) * at_once

    def body(at: Values, first: Expr, width: int) -> Stmt | None:
        assert width % at_once == 0, "steps that come together are no whole number of bodies"

        def one(k: Expr) -> Stmt | None:
            values = {**at, last.var: first + k * at_once}
            return step({var: begin[var] + value for var, value in values.items()})

        return builder.inner(last.var, width // at_once, ForKind.UNROLLED, one)

    def steps(at: Values, first: Expr, extent: Expr) -> Stmt | None:
        def segment(s: Segment) -> Stmt | None:
            return builder.nest(
                [Axis(last.var, s.count)],
                lambda k: body(at, first + s.begin + k[last.var] * s.width, s.width),
            )

        return sequence([segment(s) for s in segments(extent, unroll)])

    if requests is None:
        return builder.nest(outer, lambda at: steps(at, _ZERO, last.extent))
    every = number(requests.every)

    def asking(at: Values) -> Stmt | None:
        return sequence([*requests.before(at), steps(at, at[last.var] * every, every)])

    return builder.nest([*outer, Axis(last.var, tirx.floordiv(last.extent, every))], asking)
