"""Powers of float32, as exp(y log(x)) in float64.

The product grows to a hundred, so that its error, and with it that of the result, is a hundred
times that of the logarithm: in float32 that is dozens of units in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from tvm import tirx
from tvm.ir import Expr

from tvmfuse.ir.number_bits import of_bits
from tvmfuse.schedules.cpu.vector_math.logarithms import parts
from tvmfuse.schedules.cpu.vector_math.polynomials import (
    LARGEST,
    WIDE,
    bound,
    clamped,
    const,
    is_number,
    polynomial,
    rounded,
)

# log((1 + s) / (1 - s)) / s as a series in s**2, where |s| < 0.172, and exp(r), where |r| < 0.347:
# both to 1e-11 of the result.
_LOG = tuple(2 / (2 * k + 1) for k in range(7))
_EXP = tuple(1 / math.factorial(k) for k in range(10))


def power(x: Expr, y: Expr) -> Expr:
    """Return x**y, with the special cases of C's ``pow``."""
    y = of_bits(y)
    if isinstance(y, tirx.FloatImm):
        if float(y.value) in _PRODUCTS:
            return bound(x, _PRODUCTS[float(y.value)])
        y = const(float(np.float32(y.value)))  # as the kernel would, which widens it
    return bound(x, lambda x: bound(y, lambda y: _power(x, y)))


def _power(x: Expr, y: Expr) -> Expr:
    negative = tirx.reinterpret("int32", x) < 0
    half = y * const(0.5)
    odd = tirx.Select(tirx.floor(half).equal(half), tirx.const(0, "int32"), tirx.const(1, "int32"))
    whole = tirx.floor(y).equal(y)

    def result(size: Expr) -> Expr:
        # A whole number whose half is none is odd.
        of_negative = tirx.Select(odd.equal(1), size * const(-1.0), size)
        root = tirx.Select(tirx.abs(x) <= const(LARGEST), const(math.nan), size)
        root = tirx.Select(x.equal(const(0.0)), size, root)
        found = tirx.Select(negative, tirx.Select(whole, of_negative, root), size)
        found = tirx.Select(is_number(x), tirx.Select(is_number(y), found, y), x)
        return tirx.Select(
            y.equal(const(0.0)), const(1.0), tirx.Select(x.equal(const(1.0)), const(1.0), found)
        )

    return bound(tirx.abs(x), lambda a: bound(_of_positive(a, y), result))


def _of_positive(a: Expr, y: Expr) -> Expr:
    """Return a**y where `a` is no less than zero, and may be infinite."""
    special = tirx.Select(a > const(0.0), const(math.inf, WIDE), const(-math.inf, WIDE))
    normal = tirx.Select(a > const(0.0), a <= const(LARGEST), tirx.const(0, "bool"))
    logarithm = tirx.Select(normal, parts(a, _log_of_parts), special)
    found = bound(clamped(y.astype(WIDE) * logarithm, -110.0, 95.0), _exp)
    return tirx.Select(a.equal(const(1.0)), const(1.0), found)


def _log_of_parts(m: Expr, n: Expr) -> Expr:
    wide = m.astype(WIDE)
    quotient = (wide - const(1.0, WIDE)) / (wide + const(1.0, WIDE))
    of_mantissa = bound(quotient, lambda s: s * bound(s * s, lambda z: polynomial(_LOG, z)))
    return n.astype(WIDE) * const(math.log(2), WIDE) + of_mantissa


def _exp(t: Expr) -> Expr:
    """Return exp(t), rounded to float32 once."""

    def result(n: Expr) -> Expr:
        mantissa = bound(t - n * const(math.log(2), WIDE), lambda r: polynomial(_EXP, r))
        bits = (n.astype("int32").astype("int64") + 1023) << 52
        return (mantissa * tirx.reinterpret(WIDE, bits)).astype("float32")

    return bound(rounded(t * const(math.log2(math.e), WIDE)), result)


def _root(x: Expr) -> Expr:
    root = tirx.Select(x.equal(const(0.0)), const(0.0), tirx.sqrt(x))  # of -0, too
    return tirx.Select(x.equal(const(-math.inf)), const(math.inf), root)


_PRODUCTS: Final[Mapping[float, Callable[[Expr], Expr]]] = {
    -1.0: lambda x: const(1.0) / x,
    0.5: _root,
    1.0: lambda x: x,
    2.0: lambda x: x * x,
    3.0: lambda x: x * x * x,
    4.0: lambda x: bound(x * x, lambda s: s * s),
}
