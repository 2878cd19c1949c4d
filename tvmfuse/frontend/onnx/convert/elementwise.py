"""Operators on one element at a time, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import aligned
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import identity as tvmfuse_identity

Converter = Callable[[Operation], Expr]

#: Powers of integers by a constant are products up to here: 60 of them at most.
LARGEST_EXPONENT: Final = 2**31 - 1


def unary(function: Callable[[Expr], Expr]) -> Converter:
    """Return the converter of an operator that is one Relax call on its operand."""

    def convert(op: Operation) -> Expr:
        return function(op.tensor(0))

    return convert


def binary(function: Callable[[Expr, Expr], Expr]) -> Converter:
    """Return the converter of an operator that is one Relax call on two broadcast operands."""

    def convert(op: Operation) -> Expr:
        return function(*_operands(op))

    return convert


def variadic(function: Callable[[Expr, Expr], Expr]) -> Converter:
    """Return the converter of an operator that is a chain of calls on its operands."""

    def convert(op: Operation) -> Expr:
        return reduce(lambda a, b: op.emit(function(*aligned(op, [a, b]))), op.tensors())

    return convert


def _operands(op: Operation) -> list[Expr]:
    """Return both operands of a binary operator; before opset 7 the second one has an axis."""
    a, b = op.tensor(0), op.tensor(1)
    axis = op.attribute("axis")
    if op.opset < 7 and axis is not None:
        trailing = a.ty.ndim - axis - b.ty.ndim
        axes = list(range(b.ty.ndim, b.ty.ndim + trailing))
        b = op.emit(relax.op.expand_dims(b, axes))
    return aligned(op, [a, b])


def mean(op: Operation) -> Expr:
    """Convert Mean of several tensors: their sum, divided by their number."""
    total = variadic(relax.op.add)(op)
    return relax.op.divide(total, scalar(len(op), dtype_of(total)))


def divide(op: Operation) -> Expr:
    """Convert Div, which rounds integers toward zero."""
    a, b = _operands(op)
    if is_float_dtype(dtype_of(b)):
        return relax.op.divide(a, b)
    divided = relax.op.divide(a, _trapless(op, b))
    if not _may_hold(op, -1):
        return divided
    opposite = op.emit(relax.op.equal(b, scalar(-1, dtype_of(b))))
    return relax.op.where(opposite, op.emit(relax.op.negative(a)), op.emit(divided))


def _trapless(op: Operation, b: Expr) -> Expr:
    """Return integer divisors with ones for those that may end the process.

    A division by 0 does, which the model checks as it runs, and the least number's by -1.
    """
    op.require(op.numbers(1) is None or not _may_hold(op, 0), "it divides integers by 0")
    if _may_hold(op, 0):
        ensure(~Numbers(op, op.tensor(1)).equals(0), "no divisor is zero")
    for trap in (0, -1):
        if _may_hold(op, trap):
            found = op.emit(relax.op.equal(b, scalar(trap, dtype_of(b))))
            b = op.emit(relax.op.where(found, scalar(1, dtype_of(b)), b))
    return b


def _may_hold(op: Operation, number: int) -> bool:
    """Whether the second operand, of integers, may hold 0 or -1."""
    if number < 0 and dtype_of(op.tensor(1)).startswith("uint"):
        return False
    if (numbers := op.numbers(1)) is not None:
        return bool((numbers == number).any())
    value = op.known(1)
    return value is None or not all(op.symbols.at_most(number + 1, e) for e in value.elements)


def bit_shift(op: Operation) -> Expr:
    """Convert BitShift; shifting by as many bits as there are, or more, leaves none."""
    a, b = _operands(op)
    dtype, left = dtype_of(a), op.text("direction", "") == "LEFT"
    width = int(dtype.removeprefix("u").removeprefix("int"))
    inside = op.emit(relax.op.less(b, scalar(width, dtype)))
    if not dtype.startswith("u"):
        positive = op.emit(relax.op.greater_equal(b, scalar(0, dtype)))
        inside = op.emit(relax.op.logical_and(inside, positive))
    nothing: Expr = scalar(0, dtype)
    if not dtype.startswith("u") and not left:
        negative = op.emit(relax.op.less(a, nothing))
        nothing = op.emit(relax.op.where(negative, scalar(-1, dtype), nothing))
    amount = op.emit(relax.op.where(inside, b, scalar(0, dtype)))
    shift = relax.op.left_shift if left else relax.op.right_shift
    return relax.op.where(inside, op.emit(shift(a, amount)), nothing)


def modulo(op: Operation) -> Expr:
    """Convert Mod: the result has the divisor's sign, or with fmod=1 the dividend's."""
    a, b = _operands(op)
    if is_float_dtype(dtype_of(b)):
        return relax.op.mod(a, b) if op.flag("fmod") else _floor_mod(op, a, b)
    remainder = relax.op.mod if op.flag("fmod") else relax.op.floor_mod
    # By -1 nothing remains, as by 1.
    return remainder(a, _trapless(op, b))


def _floor_mod(op: Operation, a: Expr, b: Expr) -> Expr:
    """Return the remainder with the divisor's sign; that of an infinite divisor, too."""
    zero = scalar(0, dtype_of(a))
    rest = op.emit(relax.op.mod(a, b))
    opposite = op.emit(relax.op.less(op.emit(relax.op.multiply(rest, b)), zero))
    return relax.op.where(opposite, op.emit(relax.op.add(rest, b)), rest)


def power(op: Operation) -> Expr:
    """Convert Pow, whose result has the base's dtype."""
    base, exponent = _operands(op)
    dtype = dtype_of(base)
    if is_float_dtype(dtype):
        if dtype_of(exponent) != dtype:
            exponent = op.emit(relax.op.astype(exponent, dtype))
        return relax.op.power(base, exponent)
    known = op.numbers(1)
    if known is not None and known.size == 1 and known.ndim <= base.ty.ndim:
        (number,) = known.reshape(-1).tolist()
        if 1 <= number <= LARGEST_EXPONENT and number == int(number):
            return _product_of_equals(op, base, int(number))
    # Relax has no integer powers; like onnxruntime, take a float64's.
    wide = [op.emit(relax.op.astype(t, "float64")) for t in (base, exponent)]
    return relax.op.astype(op.emit(relax.op.power(*wide)), dtype)


def _product_of_equals(op: Operation, x: Expr, count: int) -> Expr:
    """Return `x` times itself, by squares: each bit of `count` is one product or two."""
    half, odd = divmod(count, 2)
    if not half:
        return x
    root = op.emit(_product_of_equals(op, x, half))
    square = relax.op.multiply(root, root)
    return relax.op.multiply(op.emit(square), x) if odd else square


def identity(op: Operation) -> Expr:
    """Convert Identity, of a sequence, too."""
    if op.context.is_in_rows(op.node.inputs[0]):
        op.in_rows = frozenset({0})
    x = op.tensor(0)
    return tvmfuse_identity(x) if isinstance(x.ty, relax.TensorType) else x


def where(op: Operation) -> Expr:
    """Convert Where."""
    return relax.op.where(*aligned(op, op.tensors()))


def reciprocal(op: Operation) -> Expr:
    """Convert Reciprocal."""
    x = op.tensor(0)
    return relax.op.divide(scalar(1, dtype_of(x)), x)


def is_inf(op: Operation) -> Expr:
    """Convert IsInf, of both signs or of one."""
    x = op.tensor(0)
    positive, negative = (op.flag(f"detect_{s}", default=True) for s in ("positive", "negative"))
    if positive and negative:
        return relax.op.isinf(x)
    if not positive and not negative:
        return relax.op.zeros(require_shape(x), "bool")
    infinity = np.inf if positive else -np.inf
    return relax.op.equal(x, scalar(infinity, dtype_of(x)))
