"""Operators on one element at a time, with broadcasting and torch's promotion of types."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import torch
from torch.fx import Node
from tvm import relax
from tvm.ir import Expr

from tvmfuse import ops
from tvmfuse.frontend.torch.dtypes import is_float, name_of
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, numbers_of

Converter = Callable[[TorchOperation], Any]

LN2: Final = math.log(2)
LN10: Final = math.log(10)

#: What torch computes in place of powers with these exponents.
_ROOTS: Final = {0.5: relax.op.sqrt, -0.5: relax.op.rsqrt}


def unary(op: str, **attributes: Any) -> Converter:
    """Return the converter of an operator that is one of ONNX's, in the result's dtype."""

    def convert(node: TorchOperation) -> Expr:
        return node.onnx(op, node.tensor(node["self"], node.dtype()), **attributes)

    return convert


def of_floats(op: str, otherwise: Callable[[TorchOperation, Expr], Expr]) -> Converter:
    """Return the converter of an operator that ONNX has for floats alone."""

    def convert(node: TorchOperation) -> Expr:
        x = node.tensor(node["self"])
        return node.onnx(op, x) if is_float(dtype_of(x)) else otherwise(node, x)

    return convert


def itself(_: TorchOperation, x: Expr) -> Expr:
    """Return an operand."""
    return x


def never(node: TorchOperation, x: Expr) -> Expr:
    """Return False for each element."""
    return node.emit(relax.op.zeros_like(x, "bool"))


def relax_unary(function: Callable[[Expr], Expr]) -> Converter:
    """Return the converter of an operator that is one of Relax's, in the result's dtype."""

    def convert(node: TorchOperation) -> Expr:
        x = node.tensor(node["self"], node.dtype())
        return node.emit(function(x)) if is_float(node.dtype()) else x

    return convert


def binary(op: str) -> Converter:
    """Return the converter of an operator of two operands, in the result's dtype."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
        return node.onnx(op, a, b)

    return convert


def logical(op: str) -> Converter:
    """Return the converter of an operator of truth values."""

    def convert(node: TorchOperation) -> Expr:
        return node.onnx(op, node.tensor(node["self"], "bool"), node.tensor(node["other"], "bool"))

    return convert


def bitwise(op: str) -> Converter:
    """Return the converter of an operator of bits, which on truth values is the logical one."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
        return node.onnx(op.removeprefix("Bitwise") if dtype == "bool" else op, a, b)

    return convert


def comparison(op: str, *, opposite: bool = False) -> Converter:
    """Return the converter of a comparison, in the dtype that both operands promote to."""

    def convert(node: TorchOperation) -> Expr:
        dtype = _promoted(node["self"], node["other"])
        a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
        if dtype == "bool":
            a, b = node.cast(a, "int8"), node.cast(b, "int8")
        found = node.onnx(op, a, b)
        return node.onnx("Not", found) if opposite else found

    return convert


def _promoted(*operands: Any) -> str:
    values = [o.meta["val"] if isinstance(o, Node) else o for o in operands]
    plain = [_plain(value) for value in values]
    return name_of(torch.result_type(*plain))


def _plain(value: Any) -> Any:
    """Return what promotes like a value, without its sizes."""
    if isinstance(value, torch.Tensor):
        return torch.empty([1] * value.ndim, dtype=value.dtype, device="cpu")
    if isinstance(value, torch.SymInt):
        return 1
    return 1.0 if isinstance(value, torch.SymFloat) else value


def add(node: TorchOperation) -> Expr:
    """Convert add with a factor of the second operand."""
    return _sum(node, "Add")


def subtract(node: TorchOperation) -> Expr:
    """Convert sub with a factor of the second operand."""
    return _sum(node, "Sub")


def reverse_subtract(node: TorchOperation) -> Expr:
    """Convert rsub: the second operand less the first one."""
    return _sum(node, "Sub", reverse=True)


def _sum(node: TorchOperation, op: str, *, reverse: bool = False) -> Expr:
    dtype, alpha = node.dtype(), node["alpha"]
    first, second = ("other", "self") if reverse else ("self", "other")
    a, b = node.tensor(node[first], dtype), node.tensor(node[second], dtype)
    if alpha != 1:
        b = node.onnx("Mul", b, node.tensor(alpha, dtype))
    if dtype == "bool":
        node.require(op == "Add", "torch subtracts no truth values")
        return node.onnx("Or", a, b)
    return node.onnx(op, a, b)


def multiply(node: TorchOperation) -> Expr:
    """Convert mul, which is And on truth values."""
    dtype = node.dtype()
    a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    return node.onnx("And" if dtype == "bool" else "Mul", a, b)


def divide(node: TorchOperation) -> Expr:
    """Convert div: exact, or rounded toward zero (`trunc`) or down (`floor`)."""
    dtype = node.dtype()
    a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    mode = node.get("rounding_mode")
    if mode is None or (mode == "trunc" and not is_float(dtype)):
        return node.onnx("Div", a, b)
    if mode == "trunc":
        return node.emit(relax.op.trunc(node.onnx("Div", a, b)))
    return floored(node, a, b)


def floor_divide(node: TorchOperation) -> Expr:
    """Convert floor_divide."""
    dtype = node.dtype()
    return floored(node, node.tensor(node["self"], dtype), node.tensor(node["other"], dtype))


def floored(node: TorchOperation, a: Expr, b: Expr) -> Expr:
    """Return a quotient, rounded down, as torch computes it: by way of the remainder."""
    dtype = dtype_of(a)
    zero = node.number(0, dtype)
    rest = node.onnx("Mod", a, b, fmod=1)
    less = node.onnx("Less", rest, zero)
    differs = node.onnx("Xor", less, node.onnx("Less", b, zero))
    wrong = node.onnx("And", differs, node.onnx("Not", node.onnx("Equal", rest, zero)))
    if not is_float(dtype):
        return node.onnx("Sub", node.onnx("Div", a, b), node.cast(wrong, dtype))
    quotient = node.onnx("Div", node.onnx("Sub", a, rest), b)
    quotient = node.onnx("Sub", quotient, node.cast(wrong, dtype))
    down = node.onnx("Floor", quotient)
    half = node.onnx("Greater", node.onnx("Sub", quotient, down), node.number(0.5, dtype))
    near = node.onnx("Add", down, node.cast(half, dtype))
    exact = node.onnx("Div", a, b)
    signed = node.onnx("Mul", exact, zero)
    near = node.onnx("Where", node.onnx("Equal", near, zero), signed, near)
    return node.onnx("Where", node.onnx("Equal", b, zero), exact, near)


def remainder(node: TorchOperation) -> Expr:
    """Convert remainder, which has the divisor's sign."""
    dtype = node.dtype()
    a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    if not is_float(dtype):
        return node.onnx("Mod", a, b)
    zero = node.number(0, dtype)
    rest = node.onnx("Mod", a, b, fmod=1)
    differs = node.onnx("Xor", node.onnx("Less", rest, zero), node.onnx("Less", b, zero))
    wrong = node.onnx("And", differs, node.onnx("Not", node.onnx("Equal", rest, zero)))
    return node.onnx("Where", wrong, node.onnx("Add", rest, b), rest)


def fmod(node: TorchOperation) -> Expr:
    """Convert fmod, which has the dividend's sign."""
    dtype = node.dtype()
    a, b = node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    return node.onnx("Mod", a, b, fmod=1)


def power(node: TorchOperation) -> Expr:
    """Convert pow of tensors and numbers, either side; torch's of whole numbers wraps around.

    By a number that is 1/2 or -1/2 it takes roots, which know the sign of zero: pow(-0.0, 0.5) is
    -0.0 and pow(-inf, 0.5) NaN. By a tensor of such numbers it is C's, as ONNX's is: 0.0 and inf.
    """
    dtype = node.dtype()
    number = node["exponent"]
    if is_float(dtype) and isinstance(number, float) and number in _ROOTS:
        return node.emit(_ROOTS[number](node.tensor(node["self"], dtype)))
    base, exponent = node.tensor(node["self"], dtype), node.tensor(node["exponent"], dtype)
    if is_float(dtype) or numbers_of(exponent) is not None:
        return node.onnx("Pow", base, exponent)
    if node.node.target is torch.ops.aten.pow.Tensor_Scalar and node.is_fed(node["exponent"]):
        node.refuse("its exponent may be negative, which is an error")
    row = [node.symbols.product(node.shape())]
    both = [node.emit(relax.op.broadcast_to(t, node.shape())) for t in (base, exponent)]
    found = ops.integer_power(*(node.reshaped(t, row) for t in both))
    return node.reshaped(node.emit(found), node.shape())


def bitwise_not(node: TorchOperation) -> Expr:
    """Convert bitwise_not, which is Not on truth values."""
    x = node.tensor(node["self"])
    return node.onnx("Not" if dtype_of(x) == "bool" else "BitwiseNot", x)


def logical_not(node: TorchOperation) -> Expr:
    """Convert logical_not of any dtype."""
    return node.onnx("Not", node.tensor(node["self"], "bool"))


def where(node: TorchOperation) -> Expr:
    """Convert where."""
    dtype = node.dtype()
    condition = node.tensor(node["condition"], "bool")
    return node.onnx(
        "Where", condition, node.tensor(node["self"], dtype), node.tensor(node["other"], dtype)
    )


def masked_fill(node: TorchOperation) -> Expr:
    """Convert masked_fill."""
    dtype = node.dtype()
    value, x = node.tensor(node["value"], dtype), node.tensor(node["self"])
    return node.onnx("Where", node.tensor(node["mask"]), value, x)


def clamp(low: str = "min", high: str = "max") -> Converter:
    """Return the converter of an operator that keeps values between two bounds."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        x = node.tensor(node["self"], dtype)
        least, most = node.get(low), node.get(high)
        if least is not None:
            x = node.onnx("Max", x, node.tensor(least, dtype))
        return x if most is None else node.onnx("Min", x, node.tensor(most, dtype))

    return convert


def scaled_log(factor: float) -> Converter:
    """Return the converter of a logarithm whose base is not e."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        logarithm = node.onnx("Log", node.tensor(node["self"], dtype))
        return node.onnx("Mul", logarithm, node.number(1 / factor, dtype))

    return convert


def cast(node: TorchOperation) -> Expr:
    """Convert what changes the dtype alone."""
    return node.tensor(node.get("self", node.get("a")), node.dtype())


def same(node: TorchOperation) -> Expr:
    """Convert what changes nothing about the values."""
    return node.tensor(node["self"])


def gelu(node: TorchOperation) -> Expr:
    """Convert gelu, exact or by tanh."""
    return node.onnx("Gelu", node.tensor(node["self"]), approximate=node["approximate"])


def elu(node: TorchOperation) -> Expr:
    """Convert elu, with torch's two further factors."""
    dtype = node.dtype()
    x = node.tensor(node["self"])
    inner = node.onnx("Mul", x, node.tensor(node["input_scale"], dtype))
    power = node.onnx("Sub", node.onnx("Exp", inner), node.number(1, dtype))
    negative = node.onnx("Mul", power, node.tensor(node["alpha"], dtype))
    chosen = node.onnx("Where", node.onnx("Less", x, node.number(0, dtype)), negative, x)
    return node.onnx("Mul", chosen, node.tensor(node["scale"], dtype))


def leaky_relu(node: TorchOperation) -> Expr:
    """Convert leaky_relu."""
    slope = float(node.known("negative_slope"))
    return node.onnx("LeakyRelu", node.tensor(node["self"]), alpha=slope)


def prelu(node: TorchOperation) -> Expr:
    """Convert the kernel of prelu, whose slopes broadcast already."""
    return node.onnx("PRelu", node.tensor(node["self"]), node.tensor(node["weight"]))


def softplus(node: TorchOperation) -> Expr:
    """Convert softplus, which is linear above a threshold."""
    dtype = node.dtype()
    x = node.tensor(node["self"])
    scaled = node.onnx("Mul", x, node.tensor(node["beta"], dtype))
    soft = node.onnx("Div", node.onnx("Softplus", scaled), node.tensor(node["beta"], dtype))
    linear = node.onnx("Greater", scaled, node.tensor(node["threshold"], dtype))
    return node.onnx("Where", linear, x, soft)


def hard_sigmoid(node: TorchOperation) -> Expr:
    """Convert hardsigmoid."""
    return node.onnx("HardSigmoid", node.tensor(node["self"]), alpha=1 / 6, beta=0.5)
