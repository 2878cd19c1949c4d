"""Dividing an axis whose quotient is used as an address, as by the groups of a convolution.

    Before::  for f in range(12): ... x[f // 3 * 2 + k] * w[f, k]
    After::   for g in range(4): for f in range(3): ... x[g * 2 + k] * w[g * 3 + f, k]

The inner axis then reads the same `x` at each of its values. What the divisor leaves of an axis is
computed on its own, as the columns that do not fill the last panel of a matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tvm import sym, tirx
from tvm.ir import Expr, TensorLoad, Var

from tvmfuse._tvm import walk
from tvmfuse.schedules.expressions import has_parts, map_loads, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, analyzer


def split_axis(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Divide the spatial axes of stages that share them, where the first stage divides them."""
    stages = tuple(stages)
    for axis in stages[0].spatial:
        divisor, extent = _divisor(stages[0], axis), static(axis.extent) or 0
        if divisor and extent % divisor == 0:
            stages = _divided(stages, axis, divisor)
    return stages


def whole_and_rest(group: Group) -> tuple[Group, ...]:
    """Cut a group in two where what its head divides leaves a rest, which comes last."""
    for axis in group.head.spatial:
        divisor, extent = _divisor(group.head, axis), static(axis.extent) or 0
        rest = extent % divisor if divisor else 0
        if rest:
            return _part(group, axis, 0, extent - rest), _part(group, axis, extent - rest, rest)
    return (group,)


def _divisor(stage: Stage, axis: Axis) -> int | None:
    """Return the one number that divides an axis in the stage's addresses."""
    found: set[int] = set()

    def visit(node: tirx.FloorDiv | tirx.FloorMod) -> None:
        if isinstance(node.a, Var) and node.a.same_as(axis.var):
            found.add(static(node.b) or 0)

    for load in stage.loads:
        for index in load.indices:
            if has_parts(index):
                walk(index, (tirx.FloorDiv, visit), (tirx.FloorMod, visit))
    extent = static(axis.extent)
    if len(found) != 1 or extent is None:
        return None
    (divisor,) = found
    return divisor if 1 < divisor < extent else None


def _divided(stages: Sequence[Stage], axis: Axis, divisor: int) -> tuple[Stage, ...]:
    dtype = axis.var.ty.dtype
    extents = (static(axis.extent) or 0) // divisor, divisor
    parts = [
        Axis(Var(f"{axis.var.name}_{name}", dtype), tirx.const(extent, dtype))
        for name, extent in zip(("quotient", "rest"), extents, strict=True)
    ]
    value = parts[0].var * divisor + parts[1].var

    def change(stage: Stage) -> Stage:
        axes = tuple(part for a in stage.axes for part in (parts if a is axis else [a]))
        known = analyzer(axes)
        return replace(stage.map(lambda e: _moved(e, axis.var, value, known)), axes=axes)

    return tuple(map(change, stages))


def _part(group: Group, axis: Axis, begin: int, extent: int) -> Group:
    """Return the part of a group that is so many elements of an axis, from one on."""
    dtype = axis.var.ty.dtype
    part = Axis(Var(axis.var.name, dtype), tirx.const(extent, dtype))
    value = part.var + begin

    def change(stage: Stage) -> Stage:
        axes = tuple(part if a.var.same_as(axis.var) else a for a in stage.axes)
        known = analyzer(axes)
        return replace(stage.map(lambda e: _moved(e, axis.var, value, known)), axes=axes)

    return replace(group, head=change(group.head), epilogue=tuple(map(change, group.epilogue)))


def _moved(expr: Expr, var: Var, value: Expr, known: sym.Analyzer) -> Expr:
    def simplified(load: TensorLoad) -> Expr:
        return tirx.BufferLoad(load.source, [known.simplify(i) for i in load.indices])

    return map_loads(substitute(expr, {var: value}), simplified)
