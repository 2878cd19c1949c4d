"""Operators that make tensors of numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.symbols import Dim
from tvmfuse.frontend.torch.dtypes import is_float
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import constant


def filled(value: float | str) -> Callable[[TorchOperation], Expr]:
    """Return the converter of an operator that fills a shape with one number.

    Args:
        value: The number, or the name of the argument that says it.
    """

    def convert(node: TorchOperation) -> Expr:
        number = node[value] if isinstance(value, str) else value
        dtype, shape = node.dtype(), node.shape()
        for dim in shape:
            node.symbols.require_non_negative(dim)
        if all(isinstance(dim, int) for dim in shape):
            node.makes("the result", shape, dtype)
        return node.filled(shape, number, dtype)

    return convert


def arange(node: TorchOperation) -> Expr:
    """Convert arange of numbers, and of sizes."""
    start = node.get("start", 0)
    step = node.get("step", 1)
    end, dtype = node["end"], node.dtype()
    if all(isinstance(v, (int, float)) for v in (start, end, step)):
        return _numbers(int(node.shape()[0]), start, step, dtype)
    if any(node.is_fed(number) for number in (start, end, step)):
        return _in_steps(node, node.shape()[0], start, step)
    first, last, apart = (_whole(node, number) for number in (start, end, step))
    if first is None or last is None or apart is None:
        return _in_steps(node, node.shape()[0], start, step)
    if isinstance(apart, int) and apart > 0 and not is_float(dtype):
        return node.emit(relax.op.arange(_size(first), _size(last), _size(apart), dtype=dtype))
    count = node.shape()[0]
    if isinstance(apart, int):  # torch says it by fractions
        ahead = (last - first if apart > 0 else first - last) + abs(apart) - 1
        count = node.symbols.quotient(node.symbols.larger(ahead, 0), abs(apart))
    return _in_steps(node, count, first, apart)


def _whole(node: TorchOperation, number: Any) -> Dim | None:
    """Return a size or a whole number, and nothing for a fraction."""
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return node.size(number)


def linspace(node: TorchOperation) -> Expr:
    """Convert linspace of whole numbers, from numbers; a composite takes that of fractions apart.

    Torch counts from the nearer end by a step in float64, rounds once and drops the fraction.
    """
    start, end, steps = node["start"], node["end"], node["steps"]
    node.require(
        isinstance(start, (int, float)) and isinstance(end, (int, float)),
        "an end of its whole numbers is computed",
    )
    first, last = int(start), int(end)
    step = Fraction((last - first) / max(steps - 1, 1))
    near = [first + step * i for i in range(steps // 2 if steps > 1 else steps)]
    far = [last - step * i for i in reversed(range(steps - len(near)))]
    return constant(np.array([int(float(x)) for x in near + far], node.dtype()))


def iota(node: TorchOperation) -> Expr:
    """Convert prims.iota: so many numbers, one step apart."""
    length, start, step = (node.size(node[name]) for name in ("length", "start", "step"))
    dtype = node.dtype()
    if all(isinstance(v, int) for v in (length, start, step)):
        return constant((np.arange(length) * step + start).astype(dtype))
    if not isinstance(step, int):
        return _in_steps(node, length, start, step)
    end = start + length * step
    return node.emit(relax.op.arange(_size(start), _size(end), _size(step), dtype=dtype))


def _in_steps(node: TorchOperation, count: Dim, start: Any, step: Any) -> Expr:
    """Return so many numbers, one step apart; those with fractions are rounded once."""
    fractions = any(isinstance(number, float) for number in (start, step))
    wide = "float64" if fractions else "int64"
    places = node.cast(_counted(node, count), wide)
    ahead = node.onnx("Mul", places, node.tensor(step, wide))
    return node.cast(node.onnx("Add", ahead, node.tensor(start, wide)), node.dtype())


def _counted(node: TorchOperation, count: Dim) -> Expr:
    """Return 0, 1, 2 and so on, int64."""
    return node.emit(relax.op.arange(0, _size(count), 1, "int64"))


def _numbers(count: int, start: float, step: float, dtype: str) -> Expr:
    """Return so many numbers; torch makes whole ones of the start and the step for integers."""
    if not is_float(dtype):
        start, step = int(start), int(step)
    wide = "float64" if is_float(dtype) else "int64"
    return constant((np.arange(count, dtype=wide) * step + start).astype(dtype))


def _size(size: Any) -> Any:
    return tirx.const(size, "int64") if isinstance(size, int) else size
