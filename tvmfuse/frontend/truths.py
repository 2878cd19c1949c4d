"""Conditions on sizes as sizes, which the manifest has: 1 where they hold, and else 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tvm import tirx
from tvm.ir import Expr

_ZERO, _ONE = tirx.const(0, "int64"), tirx.const(1, "int64")


def truth(condition: Expr) -> Expr | None:
    """Return 1 where a condition holds and 0 where it does not, in the arithmetic of sizes.

    Returns:
        None where it is no comparison of sizes, and none of some.
    """
    kind: Any = condition
    if isinstance(condition, tirx.Not):
        inner = truth(kind.a)
        return None if inner is None else _ONE - inner
    if isinstance(condition, tirx.And | tirx.Or):
        sides = [truth(kind.a), truth(kind.b)]
        if sides[0] is None or sides[1] is None:
            return None
        return (tirx.max if isinstance(condition, tirx.Or) else tirx.min)(*sides)
    margin = MARGINS.get(type(condition))
    if margin is None:
        return None
    above = tirx.min(tirx.max(margin(kind.a, kind.b), _ZERO), _ONE)
    return _ONE - above if isinstance(condition, tirx.EQ) else above


def _distance(a: Expr, b: Expr) -> Expr:
    return tirx.max(a - b, b - a)


#: By how much a comparison holds: above 0 where it does; of an equation, where it does not.
MARGINS: Final[Mapping[type[Expr], Callable[[Expr, Expr], Expr]]] = {
    tirx.EQ: _distance,
    tirx.NE: _distance,
    tirx.LT: lambda a, b: b - a,
    tirx.LE: lambda a, b: b - a + 1,
    tirx.GT: lambda a, b: a - b,
    tirx.GE: lambda a, b: a - b + 1,
}
