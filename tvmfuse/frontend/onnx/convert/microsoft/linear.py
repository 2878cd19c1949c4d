"""Operators on tensors that are quantized linearly: dequantized, computed in float32, quantized.

`real = (stored - zero) * scale`, and back by rounding to the nearest, ties to even, and saturation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import activation, movement, pooling
from tvmfuse.frontend.onnx.convert.broadcast import aligned
from tvmfuse.frontend.onnx.convert.microsoft.channels_last import channels_first, channels_last
from tvmfuse.frontend.onnx.convert.quantization import one_number
from tvmfuse.frontend.onnx.convert.stand_in import Converter, computed_by
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank
from tvmfuse.ir.types import dtype_of

STORED: Final = ("int8", "uint8")


def real(op: Operation, x: int, scale: int, zero: int) -> Expr:
    """Return an operand's numbers; scale and zero point, which may be absent, are one number each.

    Args:
        op: The operation.
        x: The operand's position.
        scale: Its scale's.
        zero: Its zero point's.
    """
    stored = op.tensor(x)
    op.require(dtype_of(stored) in STORED, f"its operand {x} is of {dtype_of(stored)}")
    parameters = _one(op, scale), _zero(op, zero, dtype_of(stored))
    axis = _axis(stored)
    return op.emit(relax.op.dequantize(stored, *parameters, axis=axis, out_dtype="float32"))


def _one(op: Operation, position: int) -> Expr:
    number = one_number(op, op.tensor(position))
    op.require(require_rank(number) == 0, f"its operand {position} is no single number")
    return number


def _zero(op: Operation, position: int, dtype: str) -> Expr:
    return _one(op, position) if op.has(position) else scalar(0, dtype)


def _axis(x: Expr) -> int:
    """Return an axis that the tensor has, for parameters that are one number."""
    return min(1, max(0, require_rank(x) - 1))


def quantized(op: Operation, x: Expr, scale: int, zero: int) -> Expr:
    """Return float32 numbers stored with the scale and zero point at these positions.

    Where there is no zero point it is 0, and the dtype that of the first operand.
    """
    dtype = dtype_of(op.tensor(zero)) if op.has(zero) else dtype_of(op.tensor(0))
    op.require(dtype in STORED, f"quantization to {dtype} is not compiled")
    parameters = _one(op, scale), _zero(op, zero, dtype)
    return relax.op.quantize(x, *parameters, axis=_axis(x), out_dtype=dtype)


def binary(function: Callable[[Expr, Expr], Expr]) -> Converter:
    """Return the converter of QLinearAdd or QLinearMul: two operands, each with its parameters."""

    def convert(op: Operation) -> Expr:
        a, b = aligned(op, [real(op, 0, 1, 2), real(op, 3, 4, 5)])
        return quantized(op, op.emit(function(a, b)), 6, 7)

    return convert


def unary(convert: Converter, operator: str, *attributes: str) -> Converter:
    """Return the converter of an operator on one tensor: x and y, each with its parameters.

    Args:
        convert: ONNX's converter.
        operator: ONNX's name.
        attributes: Those of ONNX's that it reads.
    """

    def converted(op: Operation) -> Expr:
        said = {name: op.attribute(name) for name in attributes if name in op.node.attributes}
        y = computed_by(op, convert, operator, real(op, 0, 1, 2), **said)
        return quantized(op, y, 3, 4)

    return converted


sigmoid: Final = unary(lambda op: relax.op.sigmoid(op.tensor(0)), "Sigmoid")
leaky_relu: Final = unary(activation.leaky_relu, "LeakyRelu", "alpha")


def softmax(op: Operation) -> Expr:
    """Convert QLinearSoftmax; the attribute `opset` says which Softmax is meant."""
    opset = op.integer("opset", 0)
    op.require(opset > 0, f"opset is {opset}; expected that of the Softmax that is meant")
    axis = op.integer("axis", -1)
    y = computed_by(op, activation.softmax, "Softmax", real(op, 0, 1, 2), opset=opset, axis=axis)
    return quantized(op, y, 3, 4)


WINDOWS: Final = (
    "auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides",
)  # fmt: skip


def pool(convert: Converter, operator: str, *attributes: str) -> Converter:
    """Return the converter of a pool of an image, whose channels may come last."""

    def converted(op: Operation) -> Expr:
        said = {name: op.attribute(name) for name in attributes if name in op.node.attributes}
        last = op.flag("channels_last")
        x = real(op, 0, 1, 2)
        y = computed_by(op, convert, operator, channels_first(op, x) if last else x, **said)
        return quantized(op, channels_last(op, y) if last else y, 3, 4)

    return converted


average_pool: Final = pool(pooling.average_pool, "AveragePool", *WINDOWS)
global_average_pool: Final = pool(pooling.global_average_pool, "GlobalAveragePool")


def concat(op: Operation) -> Expr:
    """Convert QLinearConcat: a scale and a zero point, then tensors with theirs."""
    op.require(len(op) > 2 and len(op) % 3 == 2, f"{len(op)} operands are no tensors in threes")
    parts = [real(op, at, at + 1, at + 2) for at in range(2, len(op), 3)]
    joined = computed_by(op, movement.concat, "Concat", *parts, axis=op.integer("axis", 0))
    return quantized(op, joined, 0, 1)


def where(op: Operation) -> Expr:
    """Convert QLinearWhere: a condition, and two tensors with their parameters."""
    tensors = [op.tensor(0), real(op, 1, 2, 3), real(op, 4, 5, 6)]
    chosen = op.emit(relax.op.where(*aligned(op, tensors)))
    return quantized(op, chosen, 7, 8)


add: Final = binary(relax.op.add)
multiply: Final = binary(relax.op.multiply)
