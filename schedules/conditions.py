"""Cutting an axis where a condition on it changes: padding, concatenation.

    Before::  for x in range(58): y[x] = if 1 <= x < 57 then a[x - 1] else 0
    After::   y[0] = 0;  for x in range(56): y[x + 1] = a[x];  y[57] = 0

Within each piece the condition is a constant, so that the piece is made of whole vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cmp_to_key
from itertools import pairwise
from typing import Final

import tvm_ffi
from tvm import sym, tirx
from tvm.ir import Call, Expr, Var
from tvm_ffi import StructuralKey

from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    calls,
    static,
    substitute,
    variables,
)
from tvmfuse.schedules.kernels import Axis, Stage, analyzer

#: Pieces of one axis; a concatenation of more keeps its conditions.
PIECES: Final = 16

_COMPARISONS = (tirx.LT, tirx.LE, tirx.GT, tirx.GE)


def cut(stage: Stage, axis: Axis) -> tuple[Stage, ...]:
    """Cut a stage along an axis into pieces in which its branches on the axis are decided."""
    known = analyzer(stage.axes)
    different = {StructuralKey(p): p for p in _cuts(stage, axis, known)}
    cuts = _in_order(different.values(), axis, known)
    if not cuts or len(cuts) >= PIECES:
        return (stage,)
    bounds = [tirx.const(0, axis.var.ty.dtype), *cuts, axis.extent]
    pieces = [(begin, known.simplify(end - begin)) for begin, end in pairwise(bounds)]
    return tuple(_piece(stage, axis, b, extent) for b, extent in pieces if static(extent) != 0)


def _piece(stage: Stage, axis: Axis, begin: Expr, extent: Expr) -> Stage:
    part = Axis(Var(axis.var.name, axis.var.ty.dtype), extent, axis.reduces)
    axes = tuple(part if a is axis else a for a in stage.axes)
    known = analyzer([a for a in axes if static(a.extent) != 0])
    moved = stage.map(lambda e: _decided(substitute(e, {axis.var: part.var + begin}), known))
    return replace(moved, axes=axes)


def _decided(expr: Expr, known: sym.Analyzer) -> Expr:
    def decide(call: Call) -> Expr:
        if callee(call) != IF_THEN_ELSE:
            return call
        condition = known.simplify(call.args[0])
        if static(condition) is not None:
            return call.args[1] if static(condition) else call.args[2]
        return tirx.if_then_else(condition, call.args[1], call.args[2])

    return tvm_ffi.structural_map(expr, (Call, decide))


def _cuts(stage: Stage, axis: Axis, known: sym.Analyzer) -> Iterator[Expr]:
    """Yield the values of the axis's variable from which on some comparison has changed."""
    moving = {a.var for a in stage.axes}
    for part in stage.parts:
        for call in calls(part):
            if callee(call) == IF_THEN_ELSE:
                changes = _changes(call.args[0], axis.var, known)
                yield from (c for c in changes if not moving & variables(c))


def _changes(condition: Expr, var: Var, known: sym.Analyzer) -> Iterator[Expr]:
    if isinstance(condition, tirx.And | tirx.Or):
        yield from _changes(condition.a, var, known)
        yield from _changes(condition.b, var, known)
    elif isinstance(condition, tirx.Not):
        yield from _changes(condition.a, var, known)
    elif isinstance(condition, _COMPARISONS) and str(condition.a.ty.dtype).startswith("int"):
        # As a < b; a <= b changes where b < a does.
        forward = isinstance(condition, tirx.LT | tirx.GE)
        difference = condition.a - condition.b if forward else condition.b - condition.a
        yield from _sign_changes(known.simplify(difference), var, known)


def _sign_changes(difference: Expr, var: Var, known: sym.Analyzer) -> Iterator[Expr]:
    """Yield the first value of the variable where ``factor * var + rest < 0`` is different."""
    found = sym.detect_linear_equation(difference, [var])
    factor = static(found[0]) if len(found) else None
    if factor:
        rest = found[1]
        # factor > 0: it holds below ceil(-rest / factor); else from floor(rest / -factor) + 1 on.
        ceiling = tirx.floordiv(abs(factor) - 1 - rest, abs(factor))
        above = tirx.floordiv(rest, abs(factor)) + 1
        yield known.simplify(ceiling if factor > 0 else above)


def _in_order(points: Iterable[Expr], axis: Axis, known: sym.Analyzer) -> list[Expr]:
    """Return the points that are provably inside the axis; none where their order is unknown."""
    inside = [p for p in points if known.can_prove(p >= 0) and known.can_prove(p <= axis.extent)]
    inside.sort(key=cmp_to_key(lambda p, q: -1 if known.can_prove(p <= q) else 1))
    ordered = all(known.can_prove(p <= q) for p, q in pairwise(inside))
    return inside if ordered else []
