"""What the vector_math functions are made of: polynomials, names for values, powers of two."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var

WIDE: Final = "float64"
"""What is computed in where float32 has too few digits."""

LARGEST: Final = 3.4028234663852886e38
LEAST_NORMAL: Final = 1.1754943508222875e-38


def const(value: float, dtype: str = "float32") -> Expr:
    """Return a number."""
    return tirx.const(value, dtype)


def polynomial(coefficients: Sequence[float], x: Expr) -> Expr:
    """Return the polynomial with these coefficients, lowest power first, in the dtype of `x`."""
    *lower, result = (const(c, str(x.ty.dtype)) for c in coefficients)
    for coefficient in reversed(lower):
        result = result * x + coefficient
    return result


def odd(coefficients: Sequence[float], x: Expr) -> Expr:
    """Return x + x**3 times a polynomial in x**2, and -0 for -0."""
    value = bound(x * x, lambda z: x + x * z * polynomial(coefficients, z))
    return tirx.Select(x.equal(const(0.0)), x, value)


def bound(value: Expr, body: Callable[[Expr], Expr]) -> Expr:
    """Name a value that is used more than once."""
    var = Var("x", str(value.ty.dtype))
    return tirx.Let(var, value, body(var))


def clamped(x: Expr, low: float, high: float) -> Expr:
    """Return x between bounds, and NaN as one of them."""
    dtype = str(x.ty.dtype)
    return tirx.max(tirx.min(x, const(high, dtype)), const(low, dtype))


def at_least(x: Expr, low: float) -> Expr:
    """Return the larger of a number and a bound, and NaN for NaN."""
    return bound(x, lambda x: tirx.Select(x < const(low), const(low), x))


def at_most(x: Expr, high: float) -> Expr:
    """Return the smaller of a number and a bound, and NaN for NaN."""
    return bound(x, lambda x: tirx.Select(const(high) < x, const(high), x))


def is_number(x: Expr) -> Expr:
    """Whether a number is not NaN; TVM simplifies x == x."""
    return tirx.abs(x) <= const(math.inf)


def signed(x: Expr, magnitude: Expr) -> Expr:
    """Return a magnitude with the sign of `x`."""
    sign = tirx.reinterpret("int32", x) & tirx.const(-(2**31), "int32")
    return tirx.reinterpret("float32", tirx.reinterpret("int32", magnitude) | sign)


def power_of_two(n: Expr) -> Expr:
    """Return 2**n as float32, for an int32 from -126 to 127."""
    return tirx.reinterpret("float32", (n + 127) << 23)


def rounded(x: Expr) -> Expr:
    """Return the nearest whole number."""
    return tirx.floor(x + const(0.5, str(x.ty.dtype)))
