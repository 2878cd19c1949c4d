"""Products of quantized numbers: exact in int32, then scaled.

Where scales and zero points are known, a result is rounded by one operator, which passes know.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import aligned
from tvmfuse.frontend.onnx.convert.convolution import padded_image, with_channels
from tvmfuse.frontend.onnx.convert.matrix import product
from tvmfuse.frontend.onnx.convert.quantization import one_number
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.ir.types import constant, dtype_of, numbers_of
from tvmfuse.ops import conv as tvmfuse_conv, requantize


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
    return requantized(op, whole, [a_scale, op.tensor(4)], op.tensor(6), op.tensor(7))


def conv_integer(op: Operation) -> Expr:
    """Convert ConvInteger: the convolution of x - x_zero with w - w_zero in int32."""
    return _conv(op, op.tensor(0), op.optional(2), op.tensor(1), op.optional(3), None)


def qlinear_conv(op: Operation) -> Expr:
    """Convert QLinearConv: the same convolution, bias added, scaled and rounded to y's dtype."""
    whole = op.emit(
        _conv(op, op.tensor(0), op.tensor(2), op.tensor(3), op.tensor(5), op.optional(8))
    )
    w_scale = op.tensor(4)
    if require_rank(w_scale) == 1:
        w_scale = _per_channel(op, w_scale, require_rank(whole) - 2)
    scales = [one_number(op, op.tensor(1)), w_scale]
    return requantized(op, whole, scales, op.tensor(6), op.tensor(7))


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
    known = numbers_of(vector)
    if known is not None:
        return constant(known.reshape(-1, *[1] * trailing))
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
    groups = op.integer("group", 1)
    x = with_channels(op, centered(op, x, x_zero), require_shape(w)[1] * groups)
    x, pads = padded_image(op, x, kernel, strides, dilation)
    return tvmfuse_conv(
        x,
        centered(op, w, w_zero),
        bias,
        strides=strides,
        padding=pads,
        dilation=dilation,
        groups=groups,
    )


def requantized(
    op: Operation, product: Expr, scales: Sequence[Expr], y_scale: Expr, zero: Expr
) -> Expr:
    """Return round(product * scales / y_scale) + zero, saturated to the zero point's dtype.

    Args:
        op: The operation.
        product: int32.
        scales: Of both operands, as they broadcast to the product.
        y_scale: The result's.
        zero: The result's, too.
    """
    dtype = dtype_of(zero)
    op.require(dtype in ("int8", "uint8"), f"quantization to {dtype} is not compiled")
    info = np.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    known = _known_ratio(product, scales, y_scale)
    zero_point = numbers_of(zero)
    if known is not None and zero_point is not None and zero_point.size == 1:
        return requantize(
            product,
            scalar(0, "int32"),
            constant(known),
            zero_point=int(zero_point.item()),
            low=low,
            high=high,
            dtype=dtype,
        )
    scale = reduce(lambda a, b: op.emit(relax.op.multiply(*aligned(op, [a, b]))), scales)
    ratio = op.emit(relax.op.divide(scale, y_scale))
    wide = dtype_of(ratio)
    real = op.emit(relax.op.astype(product, wide))
    scaled = op.emit(relax.op.multiply(*aligned(op, [real, ratio])))
    rounded = op.emit(relax.op.round(scaled))
    shifted = op.emit(relax.op.add(rounded, op.emit(relax.op.astype(zero, wide))))
    least = op.emit(relax.op.maximum(shifted, scalar(low, wide)))
    inside = op.emit(relax.op.minimum(least, scalar(high, wide)))
    return relax.op.astype(inside, dtype)


@np.errstate(all="ignore")
def _known_ratio(product: Expr, scales: Sequence[Expr], y_scale: Expr) -> np.ndarray | None:
    """Return scales / y_scale, if finite numbers of float32 that broadcast to the product."""
    given = [numbers_of(scale) for scale in (*scales, y_scale)]
    known = [numbers for numbers in given if numbers is not None]
    if len(known) < len(given):
        return None
    *factors, divisor = known
    ratio: np.ndarray = np.asarray(reduce(lambda a, b: a * b, factors) / divisor)
    shape = require_shape(product)
    own = shape[len(shape) - ratio.ndim :] if ratio.ndim <= len(shape) else ()
    fits = len(own) == ratio.ndim and all(
        size == 1 or (isinstance(dim, int) and dim == size)
        for dim, size in zip(own, ratio.shape, strict=True)
    )
    is_sound = ratio.dtype == np.float32 and bool(np.isfinite(ratio).all())
    return ratio if fits and is_sound else None
