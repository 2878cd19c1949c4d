"""sin, cos, tan of float32, and their inverses.

An angle is counted in quarter turns in float64, however large it is: the digits of 2 / pi that
matter for a number follow from its size, and whole turns are dropped before anything is rounded.
Sine and cosine stay in float64 until they are rounded once: Fourier transforms that a model writes
out have them as factors, and what should be near zero there is as large as their errors.

Sources: Cephes' ``asinf`` and ``atanf`` (Moshier); minimax polynomials in the square of the angle
for sine and cosine; Payne and Hanek, "Radian Reduction for Trigonometric Functions", 1983.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.schedules.cpu.vector_math.polynomials import (
    WIDE,
    bound,
    const,
    odd,
    polynomial,
    rounded,
    signed,
)

# Lowest power first.
_SIN = (
    1.0,
    -0.16666666641626926,
    0.008333329385938752,
    -0.00019839334852507644,
    2.7183116539171475e-06,
)
_COS = (
    1.0,
    -0.49999999694475117,
    0.04166662035705227,
    -0.001388668164587565,
    2.438356713892293e-05,
)
_ASIN = (1.6666752422e-1, 7.4953002686e-2, 4.5470025998e-2, 2.4181311049e-2, 4.2163199048e-2)
_ATAN = (-3.33329491539e-1, 1.99777106478e-1, -1.38776856032e-1, 8.05374449538e-2)

#: 2 / pi, times 2**288.
_TWO_OVER_PI: Final = 0xA2F9836E4E441529FC2757D1F534DDC0DB6295993C439041FE5163ABDEBBC561B7246E3A

#: Numbers below 2**32, 2**64, 2**96 and the rest, each divided by the bound before it.
_SIZES: Final = 4

#: Parts of a product after this one are less than one turn.
_LAST_OF_TURNS: Final = 2

_QUARTER: Final = math.pi / 2


def _digits(part: int, size: int) -> float:
    """Return 24 binary digits of 2 / pi * 2**(32 * size), the first of them worth 2**24.

    What comes before them makes whole turns: a number of 24 digits that is no less than 1 is a
    multiple of 2**-23. Their product with it is exact.
    """
    last = 1 - 24 * part
    return math.ldexp(_TWO_OVER_PI >> (288 - 32 * size + last) & 0xFFFFFF, last)


def sin(x: Expr) -> Expr:
    """Return the sine."""
    return _reduced(x, lambda r, q: _turned(r, q))


def cos(x: Expr) -> Expr:
    """Return the cosine."""
    return _reduced(x, lambda r, q: _turned(r, q + 1))


def tan(x: Expr) -> Expr:
    """Return the tangent."""

    def quotient(r: Expr, q: Expr) -> Expr:
        return bound(
            _sin(r), lambda s: bound(_cos(r), lambda c: _chosen(q, s / c, const(0.0) - c / s))
        )

    return _reduced(x, quotient)


def _turned(r: Expr, q: Expr) -> Expr:
    """Return the sine of r and q quarters."""
    return bound(
        _chosen(q, _sin(r), _cos(r)),
        lambda v: tirx.Select((q & 2).equal(0), v, const(0.0) - v),
    )


def _chosen(q: Expr, even: Expr, uneven: Expr) -> Expr:
    return tirx.Select((q & 1).equal(0), even, uneven)


def _sin(r: Expr) -> Expr:
    return (r * polynomial(_SIN, r * r)).astype("float32")


def _cos(r: Expr) -> Expr:
    return polynomial(_COS, r * r).astype("float32")


def _reduced(x: Expr, body: Callable[[Expr, Expr], Expr]) -> Expr:
    """Let a body compute from r and q, where x is r and q quarter turns, |r| no more than half.

    `r` is a float64, `q` an int32.
    """

    def by_size(values: Sequence[float]) -> Expr:
        found = const(values[0], WIDE)
        for size in range(1, _SIZES):
            beyond = tirx.abs(x) >= const(2.0 ** (32 * size))
            found = tirx.Select(beyond, const(values[size], WIDE), found)
        return found

    def quarters(scaled: Expr, part: int) -> Expr:
        product = scaled * by_size([_digits(part, size) for size in range(_SIZES)])
        if part > _LAST_OF_TURNS:
            return product
        return bound(product, lambda p: p - const(4.0, WIDE) * rounded(p * const(0.25, WIDE)))

    def result(a: Expr, b: Expr, c: Expr, rest: Expr) -> Expr:
        def split(n: Expr) -> Expr:
            r = (((a - n) + b) + c + rest) * const(math.pi / 2, WIDE)
            return bound(r, lambda r: bound(n.astype("int32"), lambda q: body(r, q)))

        return bound(rounded(a + b + c), split)

    def reduced(scaled: Expr) -> Expr:
        a, b, c, d, e = (quarters(scaled, part) for part in range(5))
        return bound(
            a,
            lambda a: bound(
                b, lambda b: bound(c, lambda c: bound(d + e, lambda de: result(a, b, c, de)))
            ),
        )

    return bound(x.astype(WIDE) * by_size([2.0 ** (-32 * size) for size in range(_SIZES)]), reduced)


def asin(x: Expr) -> Expr:
    """Return the angle whose sine is x, between quarter turns to both sides."""
    far = bound(_root(x), lambda s: const(_QUARTER) - const(2.0) * odd(_ASIN, s))
    return tirx.Select(tirx.abs(x) <= const(0.5), odd(_ASIN, x), signed(x, far))


def acos(x: Expr) -> Expr:
    """Return the angle whose cosine is x, up to half a turn."""

    def far(s: Expr) -> Expr:
        return bound(
            const(2.0) * odd(_ASIN, s),
            lambda angle: tirx.Select(x < const(0.0), const(math.pi) - angle, angle),
        )

    near = const(_QUARTER) - odd(_ASIN, x)
    return tirx.Select(tirx.abs(x) <= const(0.5), near, bound(_root(x), far))


def _root(x: Expr) -> Expr:
    """Return the sine of half the angle whose cosine is |x|."""
    return tirx.sqrt(const(0.5) * (const(1.0) - tirx.abs(x)))


def atan(x: Expr) -> Expr:
    """Return the angle whose tangent is x, between quarter turns to both sides."""

    def angle(a: Expr) -> Expr:
        far, middle = a > const(math.tan(3 * math.pi / 8)), a > const(math.tan(math.pi / 8))
        inside = tirx.Select(middle, (a - const(1.0)) / (a + const(1.0)), a)
        inside = tirx.Select(far, const(-1.0) / a, inside)
        start = tirx.Select(middle, const(math.pi / 4), const(0.0))
        start = tirx.Select(far, const(_QUARTER), start)
        return start + bound(inside, lambda t: odd(_ATAN, t))

    return signed(x, bound(tirx.abs(x), angle))
