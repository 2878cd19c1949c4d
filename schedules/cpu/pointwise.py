"""Nests of stages that compute each element on its own.

The axes that walk through memory together become one; the innermost is cut into whole vectors and
a rest; the outermost run in threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tvm.tirx import ForKind, Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.conditions import partition_axis, partition_sources
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names, in_order_of, order_misfit
from tvmfuse.schedules.cpu.padded_copy import PaddedCopyNest, padded_copy
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.transposition import Transposition
from tvmfuse.schedules.cpu.vectors import (
    Segment,
    lanes,
    may_overlap,
    narrower,
    overlapping,
    segments,
    steps,
)
from tvmfuse.schedules.cpu.words import WordsNest, words
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import PointwisePlan
from tvmfuse.schedules.split_axis import split_axis


def pointwise_nests(
    stage: Stage, scope: Scope
) -> tuple[PointwiseNest | PaddedCopyNest | WordsNest, ...]:
    """Return the nests of one stage without reduction: for each tensor, and piece of an axis.

    Args:
        stage: With the axes to loop over; other variables in it belong to loops around it.
        scope: The machine and the steps.
    """
    return tuple(nest for part in partition_sources(stage) for nest in _nests(part, scope))


def _nests(
    stage: Stage, scope: Scope
) -> tuple[PointwiseNest, ...] | tuple[PaddedCopyNest] | tuple[WordsNest]:
    (stage,) = collapse([stage])
    if not stage.axes:
        return (PointwiseNest(stage, scope),)
    if nest := words(stage, scope):
        return (nest,)
    stage = _in_lines(stage, scope)
    pieces = partition_axis(stage, stage.axes[-1])
    if copy := padded_copy(stage, pieces, scope):
        return (copy,)
    return tuple(PointwiseNest(collapse([piece])[0], scope) for piece in pieces)


def _in_lines(stage: Stage, scope: Scope) -> Stage:
    """Return a stage whose vectors lie along what is read in one piece, where its last axis is not.

    Of heads in a row, which a reshape makes of heads apart, each has its own address; and of halves
    that change places in each head, each of them has.
    """
    (divided,) = split_axis([stage])
    if divided is stage or _vectors(stage, scope) > 1:
        return stage
    return divided if _vectors(divided, scope) > 1 else stage


def _vectors(stage: Stage, scope: Scope) -> int:
    """Return how many elements the shortest vectors have along the last axis."""
    pieces = partition_axis(stage, stage.axes[-1])
    return min(lanes([piece], piece.axes[-1], scope.machine) for piece in pieces)


def inner_pointwise(builder: LoopNestBuilder, stage: Stage, scope: Scope) -> Stmt | None:
    """Return the loops of a stage inside another loop, with their own best plans."""
    nests = pointwise_nests(stage, scope)
    return sequence([nest.emit(builder, nest.plan(parallel=False)) for nest in nests])


@dataclass(frozen=True, eq=False)
class PointwiseNest(Nest[PointwisePlan]):
    """One stage, whose last axis vectors lie along.

    Attributes:
        stage: Without reduction.
        scope: The machine and the steps.
    """

    plan_type = PointwisePlan

    stage: Stage
    scope: Scope

    def plan(self, *, parallel: bool = True) -> PointwisePlan:
        names = axis_names(self.stage.axes)
        if not self.stage.axes:
            return PointwisePlan()
        pays = should_parallelize([self.stage], self.scope.machine, vectorized=self._width > 1)
        return PointwisePlan(
            lanes=self._width,
            order=tuple(names[axis] for axis in _order(self.stage)),
            parallel=parallel and pays,
        )

    def misfits(self, plan: PointwisePlan) -> Iterator[Misfit]:
        yield from order_misfit(plan.order, self.stage.axes)
        if not 1 <= plan.lanes <= self._width:
            yield Misfit("lanes", f"1 to {self._width}", plan.lanes)

    def emit(self, builder: LoopNestBuilder, plan: PointwisePlan) -> Stmt | None:
        stage = self.stage
        if not stage.axes:
            return _element(builder, stage, {})
        inner = stage.axes[-1]
        order = in_order_of(plan.order, stage.axes)
        transposed = Transposition.of(stage, order[-1], plan.lanes)

        def vectors(part: Segment, along: Segment | None) -> Stmt | None:
            """Return the loops over a part of the last axis, and maybe one of that read along."""
            counts = {inner: part.count} | ({order[-1]: along.count} if along else {})

            def vector(at: Values) -> Stmt | None:
                if along:
                    at = {**at, order[-1].var: along.start(at[order[-1].var])}
                start, found = part.start(at[inner.var]), list[Stmt]()
                if part.last is not None:
                    start, found = builder.sealed("start", start)
                elements = builder.inner(
                    inner.var,
                    part.width,
                    ForKind.VECTORIZED,
                    lambda lane: _element(builder, stage, {**at, inner.var: start + lane}),
                )
                return sequence([*found, elements])

            axes = [Axis(axis.var, counts.get(axis, axis.extent)) for axis in order]
            return builder.nest(axes, vector, parallel=plan.parallel)

        def segment(part: Segment) -> Stmt | None:
            if transposed is None or part.width != plan.lanes:
                return vectors(part, None)
            squares = transposed.squares(builder, order, part, parallel=plan.parallel)
            return sequence([squares, vectors(part, transposed.left(plan.lanes))])

        rest = () if static(inner.extent) is not None else narrower(plan.lanes)
        if plan.lanes > 1 and may_overlap([stage], inner):
            parts = overlapping(inner.extent, plan.lanes, plan.lanes, *rest)
        else:
            parts = segments(inner.extent, plan.lanes, *rest)
        return sequence([segment(part) for part in parts])

    @cached_property
    def _width(self) -> int:
        """Elements of the longest vector."""
        return (
            lanes([self.stage], self.stage.axes[-1], self.scope.machine) if self.stage.axes else 1
        )


def _element(builder: LoopNestBuilder, stage: Stage, at: Values) -> Stmt:
    store = stage.store
    return builder.store(store.buffer, store.indices, builder.value(store.value, at), at)


def _order(stage: Stage) -> Sequence[Axis]:
    """Return the loops, outermost first; the last axis is that of vectors.

    A transposition reads along another axis than it writes. That axis goes inside the loop over
    vectors: the cache lines that one vector is gathered from then serve the next vectors, too.
    """
    *outer, inner = stage.axes
    if any(step not in (0, 1) for step in steps(stage, inner)):
        for axis in outer:
            if 1 in steps(stage, axis):
                return [*(a for a in outer if a is not axis), inner, axis]
    return [*outer, inner]
