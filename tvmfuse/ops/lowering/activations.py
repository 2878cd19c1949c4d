"""Activations of one number, as every operator that has them computes them: NaN stays NaN."""

from __future__ import annotations

import math

from tvm import tirx
from tvm.ir import Expr


def relu(x: Expr) -> Expr:
    """Return the larger one of a number and 0."""
    zero = tirx.const(0, x.ty.dtype)
    return tirx.Select(x < zero, zero, x)


def leaky_relu(x: Expr, alpha: float) -> Expr:
    """Return a number, times a factor where it is negative."""
    return tirx.Select(x < 0, x * tirx.const(alpha, x.ty.dtype), x)


def clip(x: Expr, low: Expr, high: Expr) -> Expr:
    """Bound a number: first below, then above, so that the upper bound wins where they cross."""
    above = tirx.Select(x < low, low, x)
    return tirx.Select(above > high, high, above)


def gelu(x: Expr) -> Expr:
    """Return a number times the share of a normal distribution that lies below it."""
    half = tirx.const(0.5, x.ty.dtype)
    return x * (half + half * tirx.erf(x * tirx.const(math.sqrt(0.5), x.ty.dtype)))


def gelu_tanh(x: Expr) -> Expr:
    """Return gelu with a tanh in place of erf."""
    half, one, scale, cubed = (
        tirx.const(c, x.ty.dtype) for c in (0.5, 1, math.sqrt(2 / math.pi), 0.044715)
    )
    return half * x * (one + tirx.tanh(scale * x * (one + cubed * x * x)))


def quick_gelu(x: Expr, alpha: float = 1.0) -> Expr:
    """Return a number times the sigmoid of it, or of its product with a factor."""
    return x * tirx.sigmoid(x if alpha == 1 else x * tirx.const(alpha, x.ty.dtype))
