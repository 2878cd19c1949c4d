"""exp of float32, what is a quotient of exps, and erf.

Source: exp and sinh are Cephes' ``expf`` and ``sinhf`` (Moshier). tanh and erf are made of
1 - 2**-q, which is exact at both ends: to the last place of a small number, and 1 of a large one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.schedules.cpu.vector_math.logarithms import LN2_HIGH, LN2_LOW
from tvmfuse.schedules.cpu.vector_math.polynomials import (
    at_least,
    at_most,
    bound,
    const,
    odd,
    polynomial,
    power_of_two,
    signed,
)

#: Added to a float32 below 2**22, it rounds to a whole number, which the last bits then are.
_WHOLE = 1.5 * 2**23
_WHOLE_BITS = 0x4B400000

# Lowest power first.
_EXP = (
    1.0,
    1.0,
    5.0000001201e-1,
    1.6666665459e-1,
    4.1665795894e-2,
    8.3334519073e-3,
    1.3981999507e-3,
    1.9875691500e-4,
)
# (2**r - 1) / r where |r| <= 1/2, and -log2(erfc(x)) / x up to 3.95: minimax polynomials of the
# relative error in 1 - 2**-q, found by Lawson's iteration. Their first coefficients are such that
# the products of those that meet, of a small number, are 1 and 2 / sqrt(pi) to the last place.
_TWO_TO = (
    0.6931471824645996,
    0.24022650718688965,
    0.055503662675619125,
    0.00961803738027811,
    0.0013387862127274275,
    0.00015467999037355185,
)
_ERFC = (
    1.6279070377349854,
    0.9184474349021912,
    0.14827993512153625,
    -0.027645841240882874,
    -0.00020011932065244764,
    0.0023679439909756184,
    -0.000889486342202872,
    0.00016220606630668044,
    -1.2406955647747964e-05,
)
_SINH = (1.66667160211e-1, 8.33028376239e-3, 2.03721912945e-4)


def exp(x: Expr, halved: int = 0) -> Expr:
    """Return the exponential function, divided by two some times before it can overflow."""

    def scaled(mantissa: Expr, bits: Expr) -> Expr:
        """Multiply by 2**n in two steps, so that neither overflows."""

        def steps(n: Expr) -> Expr:
            half = n >> 1
            return mantissa * power_of_two(half) * power_of_two(n - half)

        return bound(bits - (_WHOLE_BITS + halved), steps)

    # Beyond these, the result is infinite or zero.
    return _exp(at_least(at_most(x, 89.0 + halved), -104.0), _WHOLE, scaled)


def exp_nonpositive(x: Expr) -> Expr:
    """Return exp of a number that is not above zero, and zero for denormal results."""

    def scaled(mantissa: Expr, bits: Expr) -> Expr:
        """Multiply by 2**n, which is made of n + 127: zero for n = -127."""
        return mantissa * tirx.reinterpret("float32", bits << 23)

    return _exp(at_least(x, -88.0), _WHOLE + 127, scaled)


def _exp_at_most_one(x: Expr) -> Expr:
    """Return exp of a number that is not above zero, denormal results as they are."""
    up = 100

    def scaled(mantissa: Expr, bits: Expr) -> Expr:
        """Multiply by 2**(n + up), which is no denormal, and down again."""
        return mantissa * tirx.reinterpret("float32", bits << 23) * const(2.0**-up)

    return _exp(at_least(x, -104.0), _WHOLE + 127 + up, scaled)


def _exp(x: Expr, whole: float, scaled: Callable[[Expr, Expr], Expr]) -> Expr:
    """Return exp(x) as exp(x - n ln 2) times 2**n, for a sum with `whole` that has n in its bits.

    NaN comes out as NaN, whatever it is scaled by.
    """

    def result(x: Expr, total: Expr) -> Expr:
        n = total - const(whole)
        rest = x - n * const(LN2_HIGH) - n * const(LN2_LOW)
        return scaled(bound(rest, partial(polynomial, _EXP)), tirx.reinterpret("int32", total))

    def total(x: Expr) -> Expr:
        return bound(x * const(math.log2(math.e)) + const(whole), partial(result, x))

    return bound(x, total)


def sinh(x: Expr) -> Expr:
    """Return (exp(x) - exp(-x)) / 2."""
    far = bound(exp(tirx.abs(x), halved=1), lambda half: half - const(0.25) / half)
    return tirx.Select(tirx.abs(x) <= const(1.0), odd(_SINH, x), signed(x, far))


def cosh(x: Expr) -> Expr:
    """Return (exp(x) + exp(-x)) / 2."""
    return bound(exp(tirx.abs(x), halved=1), lambda half: half + const(0.25) / half)


def sigmoid(x: Expr) -> Expr:
    """Return the quotient 1 / (1 + exp(-x)), as exp(x) / (1 + exp(x)) where x is negative."""

    def quotient(exp_nonpositive: Expr) -> Expr:
        above = tirx.Select(x < const(0.0), exp_nonpositive, const(1.0))
        return above / (const(1.0) + exp_nonpositive)

    return bound(
        const(0.0) - tirx.abs(x), lambda negative: bound(_exp_at_most_one(negative), quotient)
    )


def tanh(x: Expr) -> Expr:
    """Return sinh(x) / cosh(x), as (1 - exp(-2 |x|)) / (1 + exp(-2 |x|)) with the sign of x."""

    def quotient(a: Expr) -> Expr:
        less = _one_less(a * const(2 / math.log(2)))
        return bound(less, lambda w: w / (const(2.0) - w))

    return signed(x, bound(at_most(tirx.abs(x), 10.0), quotient))


def erf(x: Expr) -> Expr:
    """Return the error function, as 1 - erfc(|x|) with the sign of x."""

    def value(a: Expr) -> Expr:
        return _one_less(a * polynomial(_ERFC, a))

    return signed(x, bound(at_most(tirx.abs(x), 4.0), value))


def _one_less(q: Expr) -> Expr:
    """Return 1 - 2**-q of a number from 0 to 126, without a loss where it is small.

    It never falls where q rises, and is 1 from 25 on. NaN comes out as NaN.
    """
    whole = const(_WHOLE + 127)

    def result(q: Expr, total: Expr) -> Expr:
        rest = (whole - total) - q
        power = bound(rest, lambda r: r * polynomial(_TWO_TO, r))
        scale = tirx.reinterpret("float32", tirx.reinterpret("int32", total) << 23)
        return bound(scale, lambda s: (const(1.0) - s) - s * power)

    return bound(q, lambda q: bound(whole - q, partial(result, q)))
