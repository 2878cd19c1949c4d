"""Activations of one number, as every operator that has them computes them: NaN stays NaN."""

from __future__ import annotations

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
