"""Functions of the parts that a floating-point number is made of."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr

from tvmfuse import ops
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of


def fraction_and_exponent(node: TorchOperation) -> list[Expr]:
    """Convert frexp: a number of half to one, and the power of two that it is times."""
    x = node.tensor(node["self"])
    dtype, whole, mantissa = _layout(node, x)
    # A number of too small an exponent is brought where it has all its digits.
    small = node.onnx("Less", node.onnx("Abs", x), node.number(float(np.finfo(dtype).tiny), dtype))
    moved = node.onnx("Mul", x, node.number(2.0 ** (mantissa + 2), dtype))
    bits = node.emit(ops.bit_cast(node.onnx("Where", small, moved, x), whole))
    bias = int(np.finfo(dtype).maxexp) - 1
    exponents = ((1 << (np.iinfo(whole).bits - 1 - mantissa)) - 1) << mantissa
    held = node.onnx("BitwiseAnd", bits, node.number(exponents, whole))
    exponent = node.onnx("Div", held, node.number(1 << mantissa, whole))
    exponent = node.onnx("Sub", exponent, node.number(bias - 1, whole))
    away = node.onnx("Sub", exponent, node.number(mantissa + 2, whole))
    exponent = node.onnx("Where", small, away, exponent)
    rest = node.onnx("BitwiseAnd", bits, node.number(~exponents, whole))
    rest = node.onnx("BitwiseOr", rest, node.number((bias - 1) << mantissa, whole))
    fraction = node.emit(ops.bit_cast(rest, dtype))
    plain = node.onnx("Equal", x, node.number(0, dtype))
    plain = node.onnx("Or", plain, node.onnx("IsInf", x))
    plain = node.onnx("Or", plain, node.onnx("IsNaN", x))
    exponent = node.onnx("Where", plain, node.number(0, whole), exponent)
    return [node.onnx("Where", plain, x, fraction), node.cast(exponent, "int32")]


def next_after(node: TorchOperation) -> Expr:
    """Convert nextafter: the nearest other number in the direction of a second one."""
    dtype = node.dtype()
    x, to = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    _, whole, _ = _layout(node, x)
    bits = node.emit(ops.bit_cast(x, whole))
    zero, one = node.number(0, dtype), node.number(1, whole)
    away = node.onnx("Equal", node.onnx("Greater", to, x), node.onnx("Greater", x, zero))
    moved = node.onnx("Where", away, node.onnx("Add", bits, one), node.onnx("Sub", bits, one))
    found = node.emit(ops.bit_cast(moved, dtype))
    least = node.emit(ops.bit_cast(one, dtype))
    least = node.onnx("Where", node.onnx("Greater", to, zero), least, node.onnx("Neg", least))
    found = node.onnx("Where", node.onnx("Equal", x, zero), least, found)
    found = node.onnx("Where", node.onnx("Equal", x, to), to, found)
    found = node.onnx("Where", node.onnx("IsNaN", to), to, found)
    return node.onnx("Where", node.onnx("IsNaN", x), x, found)


def _layout(node: TorchOperation, x: Expr) -> tuple[str, str, int]:
    """Return the dtype, that of its bits, and how many of these are the fraction's."""
    dtype = dtype_of(x)
    node.require(dtype in {"float32", "float64"}, f"it is of {dtype}")
    return dtype, dtype.replace("float", "int"), int(np.finfo(dtype).nmant)
