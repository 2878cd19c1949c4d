"""Activation functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from ml_dtypes import finfo
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import aligned
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting
from tvmfuse.frontend.onnx.operation import Operation, is_empty, is_float_dtype, scalar
from tvmfuse.frontend.onnx.values import Value
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import identity
from tvmfuse.ops.lowering.half import HALF


def clip(op: Operation) -> Expr:
    """Convert Clip: bounds are attributes before opset 11, then optional scalars."""
    x = op.tensor(0)
    if op.opset < 11:
        low, high = op.attribute("min"), op.attribute("max")
        return _clip(x, low, high)
    known = [op.known(i) if op.has(i) else None for i in (1, 2)]
    # relax.clip takes bounds of int64, and uint64 has larger ones.
    if dtype_of(x) != "uint64" and all(
        _is_number(k) or not op.has(i) for i, k in zip((1, 2), known, strict=True)
    ):
        low, high = (None if k is None else k.array.item() for k in known)
        return _clip(x, low, high)
    for position in (1, 2):
        single = not op.has(position) or all(d == 1 for d in require_shape(op.tensor(position)))
        op.require(single, f"its operand {position} is no single number")
    if op.has(1):
        x = op.emit(relax.op.maximum(x, op.tensor(1)))
    return relax.op.minimum(x, op.tensor(2)) if op.has(2) else x


def _clip(x: Expr, low: float | None, high: float | None) -> Expr:
    lowest, highest = limits(dtype_of(x))
    upper = highest if high is None else high
    # Where the bounds cross, the upper one wins.
    lower = min(lowest if low is None else low, upper)
    return relax.op.clip(x, relax.prim_value(lower), relax.prim_value(upper))


def _is_number(value: Value | None) -> bool:
    if value is None or not value.is_concrete or value.array.size != 1:
        return False
    number = value.array.item()
    return bool(number == number)  # a NaN bound is no bound that relax.clip knows


def limits(dtype: str) -> tuple[float, float]:
    """Return the least and the greatest finite number of a dtype: ONNX's default bounds."""
    if is_float_dtype(dtype):
        finite: Any = finfo(dtype)  # type: ignore[no-untyped-call]
        return float(finite.min), float(finite.max)
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def softmax(op: Operation) -> Expr:
    """Convert Softmax."""
    return _softmax(op, relax.op.nn.softmax)


def log_softmax(op: Operation) -> Expr:
    """Convert LogSoftmax."""
    return _softmax(op, relax.op.nn.log_softmax)


def _softmax(op: Operation, function: Callable[..., Expr]) -> Expr:
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    if op.opset >= 13:
        return function(x, require_axis(op.integer("axis", -1), rank))
    axis = require_axis(op.integer("axis", 1), rank)
    if axis == rank - 1:
        return function(x, axis)
    # Before opset 13, all axes from this one on are one.
    shape = require_shape(x)
    if is_empty(shape):
        return identity(x)
    rows, columns = op.symbols.product(shape[:axis]), op.symbols.product(shape[axis:])
    flat = op.emit(in_shape(x, [rows, columns]))
    return in_shape(op.emit(function(flat, 1)), shape)


def hardmax(op: Operation) -> Expr:
    """Convert Hardmax: 1 at the first of the largest elements, else 0."""
    return _softmax(op, lambda x, axis: _first_of_largest(op, x, axis))


def _first_of_largest(op: Operation, x: Expr, axis: int) -> Expr:
    places = counting(op, require_shape(x)[axis]).beside(require_rank(x), axis)
    largest = Numbers(op, relax.op.argmax(x, axis, keepdims=True))
    return places.equals(largest).astype(dtype_of(x)).expr


def shrink(op: Operation) -> Expr:
    """Convert Shrink: x + bias below -lambd, x - bias above lambd, else 0; in float32 at least."""
    x = Numbers(op, op.tensor(0))
    dtype = dtype_of(x.expr)
    x = x if dtype == "float64" else x.astype("float32")
    limit, bias = op.number("lambd", 0.5), op.number("bias", 0.0)
    above = (x > limit).where(x - bias, 0)
    return (x < -limit).where(x + bias, above).astype(dtype).expr


def gelu(op: Operation) -> Expr:
    """Convert Gelu, exact or approximated by tanh."""
    kind = op.text("approximate", "none")
    return (relax.op.nn.gelu_tanh if kind == "tanh" else relax.op.nn.gelu)(op.tensor(0))


def leaky_relu(op: Operation) -> Expr:
    """Convert LeakyRelu. By a slope of 0, which TVM computes away, NaN and -inf become NaN."""
    x, slope = op.tensor(0), op.number("alpha", 0.01)
    if slope == 0:
        return _sloped(op, x, scalar(0, dtype_of(x)))
    return relax.op.nn.leakyrelu(x, slope)


def hard_sigmoid(op: Operation) -> Expr:
    """Convert HardSigmoid: max(0, min(1, alpha x + beta))."""
    x = op.tensor(0)
    scaled = op.emit(relax.op.multiply(x, scalar(op.number("alpha", 0.2), dtype_of(x))))
    shifted = op.emit(relax.op.add(scaled, scalar(op.number("beta", 0.5), dtype_of(x))))
    return relax.op.clip(shifted, relax.prim_value(0.0), relax.prim_value(1.0))


def hard_swish(op: Operation) -> Expr:
    """Convert HardSwish: x max(0, min(1, x / 6 + 1 / 2))."""
    x = op.tensor(0)
    scaled = op.emit(relax.op.multiply(x, scalar(1 / 6, dtype_of(x))))
    shifted = op.emit(relax.op.add(scaled, scalar(0.5, dtype_of(x))))
    gate = op.emit(relax.op.clip(shifted, relax.prim_value(0.0), relax.prim_value(1.0)))
    return relax.op.multiply(x, gate)


def elu(op: Operation) -> Expr:
    """Convert Elu: alpha (exp(x) - 1) where x < 0, else x."""
    x = op.tensor(0)
    below = _exp_minus_one(op, x, op.number("alpha", 1.0))
    return _below_zero(op, x, below, x)


def selu(op: Operation) -> Expr:
    """Convert Selu: gamma alpha (exp(x) - 1) where x < 0, else gamma x."""
    x = op.tensor(0)
    alpha = op.number("alpha", 1.67326319217681884765625)
    gamma = op.number("gamma", 1.05070102214813232421875)
    above = op.emit(relax.op.multiply(x, scalar(gamma, dtype_of(x))))
    return _below_zero(op, x, _exp_minus_one(op, x, gamma * alpha), above)


def _exp_minus_one(op: Operation, x: Expr, factor: float) -> Expr:
    minus_one = op.emit(relax.op.subtract(op.emit(relax.op.exp(x)), scalar(1, dtype_of(x))))
    return op.emit(relax.op.multiply(minus_one, scalar(factor, dtype_of(x))))


def _below_zero(op: Operation, x: Expr, below: Expr, above: Expr) -> Expr:
    """Choose by the sign of `x`; -0.0 and NaN count as above."""
    return relax.op.where(op.emit(relax.op.less(x, scalar(0, dtype_of(x)))), below, above)


def softplus(op: Operation) -> Expr:
    """Convert Softplus, log(exp(x) + 1), so that it cannot overflow and keeps small results.

    It is max(x, 0) + log(1 + t) with t = exp(-|x|), and log(1 + t) is 2 atanh(t / (2 + t)): 1 + t
    would be 1 where x is below -17.
    """
    return _softplus(op, op.tensor(0))


def mish(op: Operation) -> Expr:
    """Convert Mish: x tanh(softplus(x))."""
    x = op.tensor(0)
    return relax.op.multiply(x, op.emit(relax.op.tanh(op.emit(_softplus(op, x)))))


def _softplus(op: Operation, x: Expr) -> Expr:
    dtype = dtype_of(x)
    if dtype in HALF:  # whose atanh no GPU has
        wide = op.emit(_softplus(op, op.emit(relax.op.astype(x, "float32"))))
        return relax.op.astype(wide, dtype)
    decay = op.emit(relax.op.exp(op.emit(relax.op.negative(op.emit(relax.op.abs(x))))))
    share = op.emit(relax.op.divide(decay, op.emit(relax.op.add(decay, scalar(2, dtype)))))
    rest = op.emit(relax.op.multiply(op.emit(relax.op.atanh(share)), scalar(2, dtype)))
    return relax.op.add(op.emit(relax.op.maximum(x, scalar(0, dtype))), rest)


def prelu(op: Operation) -> Expr:
    """Convert PRelu: x where x >= 0, else slope x.

    The slope broadcasts from the right; before opset 7 a vector of more than one is of channels.
    """
    x, slope = op.tensors()
    rank = require_rank(x)
    if op.opset < 7 and require_rank(slope) == 1 and rank > 2 and require_shape(slope) != [1]:
        slope = op.emit(relax.op.expand_dims(slope, list(range(1, rank - 1))))
    return _sloped(op, *aligned(op, [x, slope]))


def _sloped(op: Operation, x: Expr, slope: Expr) -> Expr:
    negative = op.emit(relax.op.less(x, scalar(0, dtype_of(x))))
    return relax.op.where(negative, op.emit(relax.op.multiply(x, slope)), x)


def thresholded_relu(op: Operation) -> Expr:
    """Convert ThresholdedRelu: x where x > alpha, else 0."""
    x = op.tensor(0)
    above = op.emit(relax.op.greater(x, scalar(op.number("alpha", 1.0), dtype_of(x))))
    return relax.op.where(above, x, scalar(0, dtype_of(x)))


def softsign(op: Operation) -> Expr:
    """Convert Softsign: x / (1 + |x|)."""
    x = op.tensor(0)
    return relax.op.divide(
        x, op.emit(relax.op.add(op.emit(relax.op.abs(x)), scalar(1, dtype_of(x))))
    )
