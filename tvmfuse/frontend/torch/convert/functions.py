"""Functions of one or two numbers that ONNX lacks, made of those that it has."""

from __future__ import annotations

import math
from collections.abc import Callable

from tvm import relax
from tvm.ir import Expr

from tvmfuse import ops
from tvmfuse.frontend.torch.dtypes import is_float
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops.lowering.half import HALF

Converter = Callable[[TorchOperation], Expr]


def log1p(node: TorchOperation) -> Expr:
    """Convert log1p: log(u) x / (u - 1) of u = 1 + x, exact where u is (Kahan)."""
    dtype = node.dtype()
    x, one = node.tensor(node["self"], dtype), node.number(1, dtype)
    above = node.onnx("Add", x, one)
    ratio = node.onnx("Div", x, node.onnx("Sub", above, one))
    near = node.onnx("Mul", node.onnx("Log", above), ratio)
    infinite = node.onnx("IsInf", above, detect_negative=0)
    far = node.onnx("Where", infinite, above, near)
    return node.onnx("Where", node.onnx("Equal", above, one), x, far)


def expm1(node: TorchOperation) -> Expr:
    """Convert expm1: (u - 1) x / log(u) of u = exp(x), likewise."""
    dtype = node.dtype()
    x, one = node.tensor(node["self"], dtype), node.number(1, dtype)
    power = node.onnx("Exp", x)
    less = node.onnx("Sub", power, one)
    near = node.onnx("Mul", less, node.onnx("Div", x, node.onnx("Log", power)))
    edge = node.onnx(
        "Or", node.onnx("IsInf", power), node.onnx("Equal", less, node.number(-1, dtype))
    )
    far = node.onnx("Where", edge, less, near)
    return node.onnx("Where", node.onnx("Equal", power, one), x, far)


def exp2(node: TorchOperation) -> Expr:
    """Convert exp2."""
    dtype = node.dtype()
    return node.onnx("Pow", node.number(2, dtype), node.tensor(node["self"], dtype))


def extreme(op: str) -> Converter:
    """Return the converter of fmax or fmin, for which NaN is no number among others."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
        found = node.onnx(op, a, b)
        if not is_float(dtype):
            return found
        found = node.onnx("Where", node.onnx("IsNaN", a), b, found)
        return node.onnx("Where", node.onnx("IsNaN", b), a, found)

    return convert


def sign(node: TorchOperation) -> Expr:
    """Convert sign, which is 0 of NaN and of -0.0."""
    dtype = node.dtype()
    x = node.tensor(node["self"], "int8" if dtype == "bool" else dtype)
    zero = node.number(0, dtype_of(x))
    above = node.cast(node.onnx("Greater", x, zero), dtype)
    if dtype == "bool" or dtype.startswith("uint"):
        return above
    return node.onnx("Sub", above, node.cast(node.onnx("Less", x, zero), dtype))


def sign_bit(node: TorchOperation) -> Expr:
    """Convert signbit, which -0.0 has."""
    return _negative(node, node.tensor(node["self"]))


def copy_sign(node: TorchOperation) -> Expr:
    """Convert copysign."""
    dtype = node.dtype()
    size = node.onnx("Abs", node.tensor(node["self"], dtype))
    return _signed(node, size, node.tensor(node["other"], dtype))


def _negative(node: TorchOperation, x: Expr) -> Expr:
    """Return whether numbers are negative, -0.0 among them."""
    dtype = dtype_of(x)
    if is_float(dtype):
        bits = f"int{dtype.removeprefix('b').removeprefix('float')}"
        x, dtype = node.emit(ops.bit_cast(x, bits)), bits
    if dtype == "bool" or dtype.startswith("uint"):
        return node.emit(relax.op.zeros_like(x, "bool"))
    return node.onnx("Less", x, node.number(0, dtype))


def _signed(node: TorchOperation, size: Expr, sign: Expr) -> Expr:
    return node.onnx("Where", _negative(node, sign), node.onnx("Neg", size), size)


def atan2(node: TorchOperation) -> Expr:
    """Convert atan2: the arctangent of the lesser by the larger, moved to its octant.

    What has 16 bits is rounded once, as by torch.
    """
    dtype = "float32" if node.dtype() in HALF else node.dtype()
    y, x = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    high, wide = node.onnx("Abs", y), node.onnx("Abs", x)
    less, more = node.onnx("Min", high, wide), node.onnx("Max", high, wide)
    zero, one = node.number(0, dtype), node.number(1, dtype)
    ratio = node.onnx("Div", less, more)
    ratio = node.onnx("Where", node.onnx("Equal", more, zero), zero, ratio)
    both = node.onnx("And", node.onnx("IsInf", less), node.onnx("IsInf", more))
    angle = node.onnx("Atan", node.onnx("Where", both, one, ratio))
    steep = node.onnx("Sub", node.number(math.pi / 2, dtype), angle)
    angle = node.onnx("Where", node.onnx("Greater", high, wide), steep, angle)
    behind = node.onnx("Sub", node.number(math.pi, dtype), angle)
    return node.cast(
        _signed(node, node.onnx("Where", _negative(node, x), behind, angle), y), node.dtype()
    )


def load_exponent(node: TorchOperation) -> Expr:
    """Convert ldexp: a number times a power of two."""
    dtype = node.dtype()
    power = node.onnx("Pow", node.number(2, dtype), node.tensor(node["other"], dtype))
    return node.onnx("Mul", node.tensor(node["self"], dtype), power)


def rounded(node: TorchOperation) -> Expr:
    """Convert round to so many digits behind the point, or in front of it."""
    dtype, decimals = node.dtype(), int(node["decimals"])
    x, power = node.tensor(node["self"]), node.number(10.0 ** abs(decimals), dtype)
    to, back = ("Mul", "Div") if decimals > 0 else ("Div", "Mul")
    return node.onnx(back, node.onnx("Round", node.onnx(to, x, power)), power)


def shift(direction: str) -> Converter:
    """Return the converter of a shift of bits."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
        return node.onnx("BitShift", a, b, direction=direction)

    return convert
