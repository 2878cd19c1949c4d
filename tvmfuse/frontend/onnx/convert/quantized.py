"""Products of quantized numbers: exact in int32, then scaled."""

from __future__ import annotations

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import aligned
from tvmfuse.frontend.onnx.convert.convolution import fitting, with_channels
from tvmfuse.frontend.onnx.convert.matrix import product
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import conv as tvmfuse_conv


def matmul_integer(op: Operation) -> Expr:
    """Convert MatMulInteger: (a - a_zero) @ (b - b_zero) in int32."""
    return product(op, _rows(op, 0, 2), centered(op, op.tensor(1), op.optional(3)))


def qlinear_matmul(op: Operation) -> Expr:
    """Convert QLinearMatMul: the same product, scaled and rounded to y's dtype."""
    b = centered(op, op.tensor(3), op.optional(5))
    whole = op.emit(product(op, _rows(op, 0, 2), b))
    a_scale = op.tensor(1)
    if require_rank(a_scale) == 1 and require_rank(op.tensor(0)) > 1:
        a_scale = op.emit(relax.op.expand_dims(a_scale, [1]))
    scale = op.emit(relax.op.multiply(*aligned(op, [a_scale, op.tensor(4)])))
    return _requantized(op, whole, scale, op.tensor(6), op.tensor(7))


def conv_integer(op: Operation) -> Expr:
    """Convert ConvInteger: the convolution of x - x_zero with w - w_zero in int32."""
    return _conv(op, op.tensor(0), op.optional(2), op.tensor(1), op.optional(3), None)


def qlinear_conv(op: Operation) -> Expr:
    """Convert QLinearConv: the same convolution, bias added, scaled and rounded to y's dtype."""
    whole = op.emit(
        _conv(op, op.tensor(0), op.tensor(2), op.tensor(3), op.tensor(5), op.optional(8))
    )
    scale = op.emit(relax.op.multiply(*aligned(op, [op.tensor(1), op.tensor(4)])))
    if require_rank(scale) == 1:
        scale = _per_channel(op, scale, require_rank(whole) - 2)
    return _requantized(op, whole, scale, op.tensor(6), op.tensor(7))


def _rows(op: Operation, position: int, zero: int) -> Expr:
    """Return a left operand minus its zero point, which may be one for each row."""
    zero_point = op.optional(zero)
    if (
        zero_point is not None
        and require_rank(zero_point) == 1
        and require_rank(op.tensor(position)) > 1
    ):
        zero_point = op.emit(relax.op.expand_dims(zero_point, [1]))
    return centered(op, op.tensor(position), zero_point)


def centered(op: Operation, x: Expr, zero: Expr | None) -> Expr:
    """Return stored numbers minus their zero point, in int32."""
    wide = op.emit(relax.op.astype(x, "int32"))
    if zero is None:
        return wide
    narrow = op.emit(relax.op.astype(zero, "int32"))
    return op.emit(relax.op.subtract(*aligned(op, [wide, narrow])))


def _per_channel(op: Operation, vector: Expr, trailing: int) -> Expr:
    return op.emit(relax.op.expand_dims(vector, list(range(1, trailing + 1))))


def _conv(
    op: Operation, x: Expr, x_zero: Expr | None, w: Expr, w_zero: Expr | None, bias: Expr | None
) -> Expr:
    rank = require_rank(x) - 2
    kernel = require_static_shape(w, "the weight")[2:]
    strides = op.integers("strides") or [1] * rank
    dilation = op.integers("dilations") or [1] * rank
    if w_zero is not None and require_rank(w_zero) == 1:
        w_zero = _per_channel(op, w_zero, rank + 1)
    return tvmfuse_conv(
        with_channels(op, centered(op, x, x_zero), require_shape(w)[1] * op.integer("group", 1)),
        centered(op, w, w_zero),
        bias,
        strides=strides,
        padding=fitting(op, require_shape(x)[2:], kernel, strides, dilation),
        dilation=dilation,
        groups=op.integer("group", 1),
    )


def _requantized(op: Operation, product: Expr, scale: Expr, y_scale: Expr, zero: Expr) -> Expr:
    """Return round(product * scale / y_scale) + zero, saturated to the zero point's dtype."""
    dtype = dtype_of(zero)
    op.require(dtype in ("int8", "uint8"), f"quantization to {dtype} is not compiled")
    ratio = op.emit(relax.op.divide(scale, y_scale))
    real = op.emit(relax.op.astype(product, dtype_of(ratio)))
    scaled = op.emit(relax.op.multiply(*aligned(op, [real, ratio])))
    rounded = op.emit(relax.op.round(scaled))
    shifted = op.emit(relax.op.add(rounded, op.emit(relax.op.astype(zero, dtype_of(ratio)))))
    info = np.iinfo(dtype)
    low, high = scalar(int(info.min), dtype_of(ratio)), scalar(int(info.max), dtype_of(ratio))
    inside = op.emit(relax.op.minimum(op.emit(relax.op.maximum(shifted, low)), high))
    return relax.op.astype(inside, dtype)
