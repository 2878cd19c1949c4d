"""What arithmetic with constants makes of one tensor: a polynomial."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ml_dtypes import finfo
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import dtype_of, scalar_of

#: Powers and their coefficients.
Polynomial: TypeAlias = Mapping[int, float]

RTOL: Final = 1e-5
DEPTH: Final = 8
HIGHEST: Final = 3


class Arithmetic:
    """Sums, products, quotients and powers, followed back to one tensor.

    Attributes:
        x: The tensor.
        num_uses: How often each variable on the way is used there.
    """

    def __init__(self, x: Expr, resolve: Callable[[Expr], Expr]) -> None:
        self.x = x
        self.num_uses: Counter[Var] = Counter()
        self._resolve = resolve
        self._known: dict[Expr, Polynomial | None] = {}

    def polynomial(self, expr: Expr, depth: int = DEPTH) -> Polynomial | None:
        """Return what an expression is of `x`, None where it is no polynomial."""
        if expr.same_as(self.x):
            return {1: 1.0}
        value = self._resolve(expr)
        if (number := scalar_of(value)) is not None:
            return {0: float(number)}
        if isinstance(expr, Var) and value is not expr:
            self.num_uses[expr] += 1
        if expr not in self._known:
            self._known[expr] = self._computed(value, depth - 1) if depth else None
        return self._known[expr]

    def _computed(self, value: Expr, depth: int) -> Polynomial | None:
        combine = COMBINED.get(op_name(value) or "")
        if combine is None:
            return None
        a, b = value.args
        left = self.polynomial(a, depth)
        right = None if left is None else self.polynomial(b, depth)
        return None if left is None or right is None else combine(left, right)


def is_near(expr: Expr, number: float) -> bool:
    """Whether a constant is one number, and this one as its dtype can hold it.

    >>> from tvm import relax
    >>> is_near(relax.const(1.4142099618911743), math.sqrt(2))
    True
    """
    value = scalar_of(expr)
    return value is not None and math.isclose(value, number, rel_tol=_tolerance(dtype_of(expr)))


def are_near(found: Polynomial | None, expected: Polynomial, dtype: str) -> bool:
    """Whether two polynomials are the same, but for how constants of a dtype are rounded."""
    return (
        found is not None
        and found.keys() == expected.keys()
        and all(math.isclose(found[n], expected[n], rel_tol=_tolerance(dtype)) for n in found)
    )


def _tolerance(dtype: str) -> float:
    if not dtype.startswith(("float", "bfloat")):
        return 0.0
    limits: Any = finfo(dtype)  # type: ignore[no-untyped-call]
    return max(RTOL, float(limits.eps))


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    return {n: a.get(n, 0.0) + b.get(n, 0.0) for n in {**a, **b}}


def _product(a: Polynomial, b: Polynomial) -> Polynomial | None:
    found: dict[int, float] = {}
    for n, left in a.items():
        for m, right in b.items():
            found[n + m] = found.get(n + m, 0.0) + left * right
    return found if max(found) <= HIGHEST else None


def _quotient(a: Polynomial, b: Polynomial) -> Polynomial | None:
    number = b.get(0, 0.0) if b.keys() == {0} else 0.0
    return {n: c / number for n, c in a.items()} if number else None


def _power(a: Polynomial, b: Polynomial) -> Polynomial | None:
    if b.keys() != {0} or b[0] not in range(1, HIGHEST + 1):
        return None
    result: Polynomial | None = a
    for _ in range(int(b[0]) - 1):
        result = None if result is None else _product(result, a)
    return result


COMBINED: Final[Mapping[str, Callable[[Polynomial, Polynomial], Polynomial | None]]] = {
    "relax.add": _sum,
    "relax.divide": _quotient,
    "relax.multiply": _product,
    "relax.power": _power,
}
