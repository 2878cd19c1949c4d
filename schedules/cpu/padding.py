"""Reading a padded copy: what it is made of, and where its image is.

Who reads the image itself, under a mask, needs no copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tvm import sym, tirx
from tvm.ir import Call, Expr, TensorLoad, Var
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    coefficient,
    flat,
    number,
    static,
    substitute,
    variables,
)
from tvmfuse.schedules.groups import Group


@dataclass(frozen=True, eq=False)
class Padded:
    """An element of a padded copy.

    Attributes:
        load: The element of the image that it is where the image is; its columns step by one.
        inside: Whether its line is there; depends on no column.
        first: The copy's first column that is the image's.
        end: Where these columns end.
        fill: What all other elements are.
    """

    load: TensorLoad
    inside: Expr
    first: Expr
    end: Expr
    fill: Expr


def padded(load: TensorLoad, made: Group) -> Padded | None:
    """Return what a load reads of the copy that a group makes; None where that does more."""
    copy = made.head
    value, indices = copy.store.value, copy.store.indices
    if copy.reduces or made.epilogue or made.stored != {load.source}:
        return None
    if not isinstance(value, Call) or callee(value) != IF_THEN_ELSE:
        return None
    condition, read, fill = value.args
    if not isinstance(read, TensorLoad):
        return None
    column = indices[-1]
    pairs = list(zip(indices, load.indices, strict=True))
    if not all(isinstance(made, Var) or structural_equal(made, one) for made, one in pairs):
        return None
    if not isinstance(column, Var):
        return None
    step = coefficient(flat(read.source.shape, read.indices), column)
    if step is None or static(step) != 1:
        return None
    bounds = _bounds(condition, column, {axis.var: axis.extent for axis in copy.axes})
    if bounds is None:
        return None
    places = {made: one for made, one in pairs if isinstance(made, Var)}
    inside, first, end = (substitute(bound, places) for bound in bounds)
    return Padded(substitute(read, places), inside, first, end, fill)


def as_it_is(load: TensorLoad) -> Padded:
    """Return what a load reads where all of it is there."""
    end = load.source.shape[-1]
    return Padded(load, tirx.const(1, "bool"), number(0), end, tirx.const(0, load.ty.dtype))


def _bounds(
    condition: Expr, column: Var, moving: Mapping[Var, Expr]
) -> tuple[Expr, Expr, Expr] | None:
    """Part a condition: what is said of lines, the first column, and the end of columns.

    All columns are the image's where nothing is said of them. None where those of one line are not
    those of another.

    Args:
        condition: Of the image's elements.
        column: The variable of columns.
        moving: The variables that move, with their extents.
    """
    inside, first, end = tirx.const(1, "bool"), number(0), None
    for term in conjuncts(condition):
        if column not in variables(term):
            inside = tirx.And(inside, term)
            continue
        if not isinstance(term, tirx.LE | tirx.LT | tirx.GE | tirx.GT):
            return None
        less, more = (term.a, term.b) if isinstance(term, tirx.LE | tirx.LT) else (term.b, term.a)
        # It says that the room is not negative.
        room = more - less - (1 if isinstance(term, tirx.LT | tirx.GT) else 0)
        factor, *rest = sym.detect_linear_equation(room, [column]) or (number(0),)
        if any(var in moving for var in variables(*rest)):
            return None
        if static(factor) == 1:
            first = tirx.max(first, -rest[0])
        elif static(factor) == -1:
            end = rest[0] + 1 if end is None else tirx.min(end, rest[0] + 1)
        else:
            return None
    return inside, first, moving[column] if end is None else end


def conjuncts(condition: Expr) -> list[Expr]:
    """Return the conditions all of which a condition asks for."""
    if isinstance(condition, tirx.And):
        return [*conjuncts(condition.a), *conjuncts(condition.b)]
    return [condition]
