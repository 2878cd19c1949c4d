"""log of float32 and the inverses of the hyperbolic functions, which are logarithms.

Source: Cephes' ``logf``, ``asinhf``, ``acoshf`` and ``atanhf`` (Moshier).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.schedules.cpu.vector_math.polynomials import (
    LARGEST,
    LEAST_NORMAL,
    bound,
    const,
    odd,
    polynomial,
    signed,
)

# Lowest power first.
_LOG = (
    3.3333331174e-1,
    -2.4999993993e-1,
    2.0000714765e-1,
    -1.6668057665e-1,
    1.4249322787e-1,
    -1.2420140846e-1,
    1.1676998740e-1,
    -1.1514610310e-1,
    7.0376836292e-2,
)
_ATANH = (3.33337300303e-1, 1.99782164500e-1, 1.46691431730e-1, 8.24370301058e-2, 1.81740078349e-1)
_ASINH = (-1.6666288134e-1, 7.4847586088e-2, -4.2699340972e-2, 2.0122003309e-2)
_ACOSH = (1.4142135263, -1.1784741703e-1, 2.6454905019e-2, -7.5272886713e-3, 1.7596881071e-3)

# ln 2 in two parts: n times the first is exact for every exponent n.
LN2_HIGH: Final = 0.693359375
LN2_LOW: Final = -2.12194440e-4

#: sqrt(1 / 2) as the bits of a float32: mantissas run from there to its double.
_SQRT_HALF: Final = 0x3F3504F3

#: From here on, x**2 + 1 is x**2.
_LARGE: Final = 1e4


def log(x: Expr) -> Expr:
    """Return the natural logarithm."""
    logarithm = parts(x, _log_of_parts)
    special = tirx.Select(x.equal(const(0.0)), const(-math.inf), const(math.nan))
    finite = tirx.Select(x <= const(LARGEST), logarithm, x)
    return tirx.Select(x > const(0.0), finite, special)


def parts(x: Expr, body: Callable[[Expr, Expr], Expr]) -> Expr:
    """Let a body compute from m and n, where x is m * 2**n: float32 and int32.

    `x` is positive and finite, and m lies between the roots of 1 / 2 and of 2.
    """
    small = x < const(LEAST_NORMAL)

    def split(bits: Expr) -> Expr:
        mantissa = (bits & tirx.const(0x7FFFFF, "int32")) + _SQRT_HALF
        n = (bits >> 23) - tirx.Select(small, tirx.const(25, "int32"), tirx.const(0, "int32"))
        return bound(
            tirx.reinterpret("float32", mantissa), lambda m: bound(n, lambda n: body(m, n))
        )

    normal = tirx.Select(small, x * const(2.0**25), x)
    return bound(tirx.reinterpret("int32", normal) - _SQRT_HALF, split)


def _log_of_parts(m: Expr, n: Expr) -> Expr:
    def result(f: Expr, z: Expr, n: Expr) -> Expr:
        tail = f * z * polynomial(_LOG, f) + n * const(LN2_LOW) - const(0.5) * z
        return f + tail + n * const(LN2_HIGH)

    return bound(
        m - const(1.0),
        lambda f: bound(f * f, lambda z: bound(n.astype("float32"), lambda n: result(f, z, n))),
    )


def atanh(x: Expr) -> Expr:
    """Return the number whose tanh is x."""
    quotient = (const(1.0) + x) / (const(1.0) - x)
    return tirx.Select(tirx.abs(x) < const(0.5), odd(_ATANH, x), const(0.5) * bound(quotient, log))


def asinh(x: Expr) -> Expr:
    """Return the number whose sinh is x."""
    near = odd(_ASINH, x)
    far = bound(tirx.abs(x), lambda a: _log_of_sum(a, a * a + const(1.0)))
    return tirx.Select(tirx.abs(x) < const(0.5), near, signed(x, far))


def acosh(x: Expr) -> Expr:
    """Return the number whose cosh is x, and is not negative."""

    def result(z: Expr) -> Expr:
        near = tirx.sqrt(z) * polynomial(_ACOSH, z)
        far = _log_of_sum(x, z * (x + const(1.0)))
        return tirx.Select(z < const(0.5), near, far)

    return bound(x - const(1.0), result)


def _log_of_sum(x: Expr, square: Expr) -> Expr:
    """Return log(x + sqrt(square)), where the square is infinite for large x and is about x * x."""
    large = x > const(_LARGE)
    total = tirx.Select(large, x, x + tirx.sqrt(square))
    return bound(total, log) + tirx.Select(large, const(math.log(2)), const(0.0))
