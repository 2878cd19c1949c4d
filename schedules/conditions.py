"""Branches on an axis: deciding them by cutting the axis, or computing both sides.

Padding and concatenation are written as branches on an index. Cut where the condition changes, the
axis falls into pieces in each of which it is a constant, so that each is made of whole vectors::

    Before::  for x in range(58): y[x] = if 1 <= x < 57 then a[x - 1] else 0
    After::   y[0] = 0;  for x in range(56): y[x + 1] = a[x];  y[57] = 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cmp_to_key
from itertools import pairwise
from typing import Final

from tvm import sym, tirx
from tvm.ir import Call, Expr, Var
from tvm_ffi import structural_equal

from tvmfuse._tvm import mapped
from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    branches,
    callee,
    divides_integers,
    has_parts,
    loads,
    static,
    substitute,
    variables,
    variables_outside_loads,
)
from tvmfuse.schedules.kernels import Axis, Stage, analyzer

#: Pieces of one axis; a concatenation of more keeps its branches.
MAX_PIECES: Final = 16

_COMPARISONS = (tirx.LT, tirx.LE, tirx.GT, tirx.GE)


def partition_axis(stage: Stage, axis: Axis) -> tuple[Stage, ...]:
    """Partition a stage along an axis into pieces in which its branches on the axis are decided."""
    known = analyzer(stage.axes)
    cuts = _in_order(_cuts(stage, axis, known), axis, known)
    if not cuts or len(cuts) >= MAX_PIECES:
        return (stage,)
    bounds = [tirx.const(0, axis.var.ty.dtype), *cuts, axis.extent]
    pieces = [(begin, known.simplify(end - begin)) for begin, end in pairwise(bounds)]
    return tuple(_piece(stage, axis, b, extent) for b, extent in pieces if static(extent) != 0)


def partition_sources(stage: Stage) -> tuple[Stage, ...]:
    """Partition a stage along its outer axes where another tensor is read from some place on.

    Each part of a concatenation is then read as if it were alone; of parts in parts, those of as
    many axes as make no more than `MAX_PIECES`.
    """
    pieces = [stage]
    for nth in range(len(stage.axes) - 1):
        finer = [part for piece in pieces for part in _sources(piece, piece.axes[nth])]
        if len(finer) > MAX_PIECES:
            break
        pieces = finer
    return tuple(pieces)


def _sources(stage: Stage, axis: Axis) -> tuple[Stage, ...]:
    return partition_axis(stage, axis) if _joins(stage, axis) else (stage,)


def _joins(stage: Stage, axis: Axis) -> bool:
    """Return whether both sides of a branch on an axis read something."""
    return any(
        axis.var in variables_outside_loads(condition) and loads(yes) and loads(no)
        for condition, yes, no in branches(*stage.parts)
    )


def without_branches(stage: Stage) -> Stage:
    """Return a stage that computes both sides of a branch, where neither can do harm.

    A side is harmless if all that it reads is there, whatever the condition, and if it divides no
    integers.
    """
    known = _with_ranges(stage)

    def both(call: Call) -> Expr:
        if callee(call) != IF_THEN_ELSE or not all(_harmless(e, known) for e in call.args[1:]):
            return call
        return tirx.Select(*call.args)

    return stage.map(lambda e: mapped(e, (Call, both)) if has_parts(e) else e)


def branches_along(stage: Stage, var: Var) -> bool:
    """Return whether a stage branches on a variable, and may not compute both sides."""
    known = _with_ranges(stage)
    return any(
        var in variables_outside_loads(condition)
        and not all(_harmless(side, known) for side in sides)
        for condition, *sides in branches(*stage.parts)
    )


def _with_ranges(stage: Stage) -> sym.Analyzer:
    return analyzer([a for a in stage.axes if static(a.extent) != 0])


def _harmless(expr: Expr, known: sym.Analyzer) -> bool:
    """Return whether an expression can be computed where it is not asked for."""
    if divides_integers(expr):
        return False
    return all(
        known.can_prove(index >= 0) and known.can_prove(index < extent)
        for load in loads(expr)
        for index, extent in zip(load.indices, load.source.shape, strict=True)
    )


def _piece(stage: Stage, axis: Axis, begin: Expr, extent: Expr) -> Stage:
    part = Axis(Var(axis.var.name, axis.var.ty.dtype), extent, axis.reduces)
    axes = tuple(part if a is axis else a for a in stage.axes)
    known = analyzer([a for a in axes if static(a.extent) != 0])
    moved = stage.map(lambda e: _decided(substitute(e, {axis.var: part.var + begin}), known))
    return replace(moved, axes=axes)


def _decided(expr: Expr, known: sym.Analyzer) -> Expr:
    # Conditions on data are left alone: simplified, a comparison of floats may lose NaN.
    def branch(call: Call) -> Expr:
        if callee(call) != IF_THEN_ELSE or loads(call.args[0]):
            return call
        condition, yes, no = call.args
        condition = known.simplify(condition)
        holds = static(condition)
        if holds is None:
            return tirx.if_then_else(condition, yes, no)
        return yes if holds else no

    def select(node: tirx.Select) -> Expr:
        holds = None if loads(node.condition) else static(known.simplify(node.condition))
        if holds is None:
            return node
        return node.true_value if holds else node.false_value

    return mapped(expr, (Call, branch), (tirx.Select, select))


def _cuts(stage: Stage, axis: Axis, known: sym.Analyzer) -> Iterator[Expr]:
    """Yield the values of the axis's variable from which on some comparison has changed.

    A channel of a block is a place on two axes: the comparison changes in one block, or between
    two.
    """
    moving = {a.var for a in stage.axes}
    for condition, _, _ in branches(*stage.parts):
        for change in _changes(condition, axis.var, known):
            if not moving & variables(change):
                yield change
            elif (among := known.const_int_bound(change)).max_value - among.min_value <= 1:
                for value in range(among.min_value, among.max_value + 1):
                    yield tirx.const(value, axis.var.ty.dtype)


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

    def compare(p: Expr, q: Expr) -> int:
        return -1 if known.can_prove(p <= q) else 1

    inside: list[Expr] = []
    for p in points:
        new = not any(structural_equal(p, q) for q in inside)
        if new and known.can_prove(p >= 0) and known.can_prove(p <= axis.extent):
            inside.append(p)
    inside.sort(key=cmp_to_key(compare))
    return inside if all(known.can_prove(p <= q) for p, q in pairwise(inside)) else []
