"""exp, erf, tanh and sigmoid of float32 as arithmetic, so that they are computed in vectors.

TVM lowers them to calls of the C library, one for each lane. Here they are polynomials, right to
a few units in the last place over the whole range; NaN, infinities, overflow and denormal results
come out as the C library's do. rsqrt and tests for NaN, which have no vector form, get one.

Sources: exp is Cephes' ``expf`` (Moshier); erf and tanh are the rational functions of Eigen's
``generic_fast_erf_float`` and ``generic_fast_tanh_float``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Call, Expr, Var

from tvmfuse.schedules.expressions import callee

# Lowest power first.
_EXP = (
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

# ln 2 in two parts: n times the first is exact for every exponent n.
_LN2_HIGH = 0.693359375
_LN2_LOW = -2.12194440e-4


def elementary(expr: Expr) -> Expr:
    """Return an expression with these functions written out."""

    def written(call: Call) -> Expr:
        function = FUNCTIONS.get(callee(call))
        if function is None or str(call.ty.dtype) != "float32":
            return call
        return _bound(call.args[0], function)

    return tvm_ffi.structural_map(expr, [(Call, written), (tirx.Select, _without_isnan)])


def _without_isnan(select: tirx.Select) -> Expr:
    condition = select.condition
    if not isinstance(condition, Call) or callee(condition) != "isnan":
        return select
    # TVM simplifies x != x to false, and not (a <= b) to b < a: both lose NaN.
    x = condition.args[0]
    ordered = tirx.abs(x) <= tirx.const(math.inf, x.ty.dtype)
    return tirx.Select(ordered, select.false_value, select.true_value)


def _unless_nan(x: Expr, value: Expr) -> Expr:
    return tirx.Select(tirx.abs(x) <= _const(math.inf), value, x)


def _exp(x: Expr) -> Expr:
    def power(inside: Expr) -> Expr:
        exponent = tirx.floor(inside * _const(math.log2(math.e)) + _const(0.5))
        return _bound(exponent, lambda n: _scaled(inside, n))

    # Beyond these, the result is infinite or zero.
    return _unless_nan(x, _bound(_clamped(x, -104.0, 89.0), power))


def _scaled(x: Expr, n: Expr) -> Expr:
    """Return exp(x) as exp(x - n ln 2) * 2**n, the power in two steps so that neither overflows."""

    def result(r: Expr) -> Expr:
        mantissa = _polynomial(_EXP, r) * r * r + r + _const(1.0)
        half = n.astype("int32") >> 1
        rest = n.astype("int32") - half
        return mantissa * _power_of_two(half) * _power_of_two(rest)

    return _bound(x - n * _const(_LN2_HIGH) - n * _const(_LN2_LOW), result)


def _power_of_two(n: Expr) -> Expr:
    return tirx.reinterpret("float32", (n + 127) << 23)


def _erf(x: Expr) -> Expr:
    return _odd_rational(x, 4.0, _ERF_ODD, _ERF_EVEN)


def _tanh(x: Expr) -> Expr:
    # Near zero tanh(x) is x to the last place, where the quotient of the polynomials is not.
    quotient = _odd_rational(x, 7.90531110763549805, _TANH_ODD, _TANH_EVEN)
    return tirx.Select(tirx.abs(x) < _const(0.0004), x, quotient)


def _odd_rational(x: Expr, bound: float, odd: Sequence[float], even: Sequence[float]) -> Expr:
    inside = _clamped(x, -bound, bound)
    value = _bound(
        inside, lambda c: _bound(c * c, lambda s: c * _polynomial(odd, s) / _polynomial(even, s))
    )
    return _unless_nan(x, value)


def _sigmoid(x: Expr) -> Expr:
    return _const(1.0) / (_const(1.0) + _bound(_const(0.0) - x, _exp))


def _rsqrt(x: Expr) -> Expr:
    return _const(1.0) / tirx.sqrt(x)


def _polynomial(coefficients: Sequence[float], x: Expr) -> Expr:
    *lower, result = map(_const, coefficients)
    for coefficient in reversed(lower):
        result = result * x + coefficient
    return result


def _clamped(x: Expr, low: float, high: float) -> Expr:
    """Return x between bounds, and NaN as one of them."""
    return tirx.max(tirx.min(x, _const(high)), _const(low))


def _bound(value: Expr, body: Callable[[Expr], Expr]) -> Expr:
    """Name a value that is used more than once."""
    var = Var("x", "float32")
    return tirx.Let(var, value, body(var))


def _const(value: float) -> Expr:
    return tirx.const(value, "float32")


FUNCTIONS: Final[Mapping[str, Callable[[Expr], Expr]]] = {
    "exp": _exp,
    "erf": _erf,
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "rsqrt": _rsqrt,
}
