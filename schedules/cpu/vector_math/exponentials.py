"""exp of float32, what is a quotient of exps, and erf.

Sources: exp and sinh are Cephes' ``expf`` and ``sinhf`` (Moshier); erf and tanh are the rational
functions of Eigen's ``generic_fast_erf_float`` and ``generic_fast_tanh_float``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.schedules.cpu.vector_math.logarithms import LN2_HIGH, LN2_LOW
from tvmfuse.schedules.cpu.vector_math.polynomials import (
    at_least,
    at_most,
    bound,
    clamped,
    const,
    odd,
    polynomial,
    power_of_two,
    signed,
    unless_nan,
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
_ERF_ODD = (
    -1.60960333262415e-02,
    -2.95459980854025e-03,
    -7.34990630326855e-04,
    -5.69250639462346e-05,
    -2.10102402082508e-06,
    2.77068142495902e-08,
    -2.72614225801306e-10,
)
_ERF_EVEN = (
    -1.42647390514189e-02,
    -7.37332916720468e-03,
    -1.68282697438203e-03,
    -2.13374055278905e-04,
    -1.45660718464996e-05,
)
_TANH_ODD = (
    4.89352455891786e-03,
    6.37261928875436e-04,
    1.48572235717979e-05,
    5.12229709037114e-08,
    -8.60467152213735e-11,
    2.00018790482477e-13,
    -2.76076847742355e-16,
)
_TANH_EVEN = (
    4.89352518554385e-03,
    2.26843463243900e-03,
    1.18534705686654e-04,
    1.19825839466702e-06,
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
    """Return sinh(x) / cosh(x)."""
    # Near zero tanh(x) is x to the last place, where the quotient of the polynomials is not.
    quotient = _odd_rational(x, 7.90531110763549805, _TANH_ODD, _TANH_EVEN)
    return tirx.Select(tirx.abs(x) < const(0.0004), x, quotient)


def erf(x: Expr) -> Expr:
    """Return the error function."""
    # Near zero it is a straight line, where products of small numbers have lost digits.
    quotient = _odd_rational(x, 4.0, _ERF_ODD, _ERF_EVEN)
    return tirx.Select(tirx.abs(x) < const(1e-4), x * const(2 / math.sqrt(math.pi)), quotient)


def _odd_rational(x: Expr, limit: float, above: Sequence[float], below: Sequence[float]) -> Expr:
    inside = clamped(x, -limit, limit)
    value = bound(
        inside, lambda c: bound(c * c, lambda s: c * polynomial(above, s) / polynomial(below, s))
    )
    return unless_nan(x, value)
