"""Collapsing: neighbouring axes that walk through memory as one become one axis.

The rows of an elementwise kernel, the height and width of a 1x1 convolution: if each access moves
by ``extent(b) * stride`` with `a` and by ``stride`` with `b`, then one axis of ``extent(a) *
extent(b)`` elements has the same accesses, more whole vectors and fewer tails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tvm import sym, tirx
from tvm.ir import Expr, Var

from tvmfuse.schedules.expressions import (
    coefficient,
    flat,
    loads,
    static,
    substitute,
    variables_outside_loads,
)
from tvmfuse.schedules.kernels import Axis, Stage, analyzer


def collapse(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Collapse axes of stages that share their spatial axes; the first stage may have others."""
    stages = tuple(stages)
    # From the innermost on, so that an axis collapses with all that follow it.
    for position in range(len(stages[0].axes) - 2, -1, -1):
        outer, inner = stages[0].axes[position : position + 2]
        if outer.reduces == inner.reduces and _walk_as_one(stages, outer, inner):
            stages = _merged(stages, outer, inner)
    return stages


def _walk_as_one(stages: Sequence[Stage], outer: Axis, inner: Axis) -> bool:
    known = analyzer(stages[0].axes)
    for stage in stages:
        # Outside addresses, as in a mean's count of elements, the axes are two numbers.
        values = (value for store in stage.stores for value in store.values)
        if {outer.var, inner.var} & variables_outside_loads(*values):
            return False
        for offset in _offsets(stage, known):
            far, near = coefficient(offset, outer.var), coefficient(offset, inner.var)
            if far is None or near is None:
                return False
            if not known.can_prove_equal(far, near * inner.extent):
                return False
    return True


def _offsets(stage: Stage, known: sym.Analyzer) -> list[Expr]:
    accesses = [(load.source, load.indices) for load in loads(*stage.parts)]
    accesses += [(store.buffer, store.indices) for store in stage.stores]
    return [known.simplify(flat(buffer.shape, indices)) for buffer, indices in accesses]


def _merged(stages: Sequence[Stage], outer: Axis, inner: Axis) -> tuple[Stage, ...]:
    var = Var(f"{outer.var.name}_{inner.var.name}", inner.var.ty.dtype)
    merged = Axis(var, outer.extent * inner.extent, inner.reduces)
    values = {
        outer.var: tirx.floordiv(var, inner.extent),
        inner.var: tirx.floormod(var, inner.extent),
    }
    if static(inner.extent) is None:
        # No simplifier joins quotient and rest again, and addresses are the same without them: the
        # last lines of an image are then behind the end of its first one.
        values = {outer.var: tirx.const(0, var.ty.dtype), inner.var: var}

    def change(stage: Stage) -> Stage:
        axes = [merged if a is outer else a for a in stage.axes if a is not inner]
        return replace(stage.map(lambda e: substitute(e, values)), axes=tuple(axes))

    return tuple(map(change, stages))
