"""Padded copies whose length is known only later: each vector is read and filled up in one step.

::

    for each line, for each vector:
        inside = begin <= element < end, and the line is none of the padding
        copy[element] = inside ? line[element] : fill       under a mask, as the load is

So a line takes one loop, however long it is, where cut into its pieces it would take five.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Call, Expr, TensorLoad, Var
from tvm.tirx import Bind, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names, in_order_of, order_misfit
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    coefficient,
    flat,
    loads,
    number,
    static,
    substitute,
    variables,
)
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import PointwisePlan
from tvmfuse.schedules.vector_accesses import MASKED_BITS, below


def padded_copy(stage: Stage, pieces: tuple[Stage, ...], scope: Scope) -> PaddedCopyNest | None:
    """Return the nest of a stage that copies or fills each element; None of any other.

    Args:
        stage: Without reduction.
        pieces: Of its last axis, in each of which branches on it are decided.
        scope: The machine and the steps.
    """
    if not scope.machine.isa.masks or static(stage.axes[-1].extent) is not None:
        return None
    copies = [piece for piece in pieces if loads(piece.store.value)]
    fills = [piece.store.value for piece in pieces if not loads(piece.store.value)]
    if len(copies) != 1:
        return None
    (piece,) = copies
    value, inside = piece.store.value, tirx.const(1, "bool")
    if isinstance(value, Call) and callee(value) == IF_THEN_ELSE:
        inside, value, fill = value.args
        fills.append(fill)
    part = piece.axes[-1]
    if not fills or not isinstance(value, TensorLoad) or part.var in variables(inside):
        return None
    if not isinstance(fills[0], tirx.FloatImm | tirx.IntImm):
        return None
    if not all(structural_equal(fill, fills[0]) for fill in fills):
        return None
    known = analyzer(stage.axes)
    begin = _first(piece, part.var) - _first(stage, stage.axes[-1].var)
    steps = [
        coefficient(known.simplify(flat(buffer.shape, indices)), part.var)
        for buffer, indices in (
            (value.source, value.indices),
            (piece.store.buffer, piece.store.indices),
        )
    ]
    bits = int(value.ty.dtype.bits)
    if any(step is None or static(step) != 1 for step in steps) or bits not in MASKED_BITS:
        return None
    return PaddedCopyNest(stage, piece, value, inside, known.simplify(begin), fills[0], scope)


def _first(stage: Stage, var: Var) -> Expr:
    """Return the place in memory at which the first element of each line is stored.

    The line need not run along the buffer's last dimension, of which there may be one element.
    """
    store = stage.store
    return substitute(flat(store.buffer.shape, store.indices), {var: number(0)})


@dataclass(frozen=True, eq=False)
class PaddedCopyNest(Nest[PointwisePlan]):
    """One copy with padding.

    Attributes:
        stage: The copy.
        piece: The part of its last axis that is copied.
        load: What each element of the piece is, where `inside` holds.
        inside: Does not depend on the last axis.
        begin: Where the piece begins.
        fill: What all other elements are.
        scope: The machine and the steps.
    """

    plan_type = PointwisePlan

    stage: Stage
    piece: Stage
    load: TensorLoad
    inside: Expr
    begin: Expr
    fill: Expr
    scope: Scope

    def plan(self, *, parallel: bool = True) -> PointwisePlan:
        pays = should_parallelize([self.stage], self.scope.machine)
        order = tuple(axis_names(self.stage.axes).values())
        return PointwisePlan(lanes=self._width, order=order, parallel=parallel and pays)

    def misfits(self, plan: PointwisePlan) -> Iterator[Misfit]:
        yield from order_misfit(plan.order, self.stage.axes)
        if not 2 <= plan.lanes <= self._width:
            yield Misfit("lanes", f"2 to {self._width}", plan.lanes)

    def emit(self, builder: LoopNestBuilder, plan: PointwisePlan) -> Stmt | None:
        inner, lanes = self.stage.axes[-1], plan.lanes
        part = self.piece.axes[-1]
        steps = Axis(inner.var, tirx.floordiv(inner.extent + (lanes - 1), lanes))
        order = in_order_of(plan.order, self.stage.axes)
        # What is stored behind the end of a line is stored again with the next line.
        in_order = not plan.parallel and order == self.stage.axes and self._is_row_major

        def vector(at: Values) -> Stmt | None:
            start = at[inner.var] * lanes
            own = {**at, part.var: start - self.begin}
            end = tirx.Select(self.inside, self.begin + part.extent - start, number(0))
            bounds = {"begin": self.begin - start, "end": end, "elements": inner.extent - start}
            names = {name: Var(name, "int32") for name in bounds}
            set_ = [Bind(names[n], builder.at(_lane(e, lanes), at)) for n, e in bounds.items()]
            before, copied, there = (below(names[name], lanes) for name in bounds)
            inside = tirx.And(tirx.Not(before), copied)
            filled = builder.vector(self.load, lanes, own, (inside, self.fill))
            store = self.piece.store
            whole = in_order and builder.has_room(store.buffer)
            mask = None if whole else there
            stored = builder.store_vector(store.buffer, store.indices, filled, lanes, own, mask)
            return sequence([*set_, stored])

        return builder.nest(
            [steps if axis is inner else axis for axis in order], vector, parallel=plan.parallel
        )

    @property
    def _is_row_major(self) -> bool:
        """Whether elements are stored in the order in which they lie in memory."""
        indices, axes = self.stage.store.indices, self.stage.axes
        return len(indices) == len(axes) and all(
            isinstance(index, Var) and index.same_as(axis.var)
            for index, axis in zip(indices, axes, strict=True)
        )

    @property
    def _width(self) -> int:
        return self.scope.machine.isa.lanes(int(self.load.ty.dtype.bits))


def _lane(place: Expr, lanes: int) -> Expr:
    """Return a place, counted from the vector's first element, as a lane or the end of all."""
    return tirx.Cast("int32", tirx.max(tirx.min(place, number(lanes)), number(0)))
