"""Operators that combine the elements of some axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of

Converter = Callable[[TorchOperation], Expr]

#: The order of a norm -> the reduction of absolute values that it is.
NORMS: Final = {1: "ReduceSum", 2: "ReduceL2", math.inf: "ReduceMax", -math.inf: "ReduceMin"}


def reduce(op: str) -> Converter:
    """Return the converter of a reduction over some axes, or all."""

    def convert(node: TorchOperation) -> Expr:
        return reduced(node, op, node.tensor(node["self"], node.dtype()))

    return convert


def reduced(node: TorchOperation, op: str, x: Expr) -> Expr:
    """Return a tensor reduced over the axes that a node says."""
    axes = axes_of(node, rank_of(x) or 0)
    return node.onnx(op, x, axes, keepdims=_keeps(node)) if axes else x


def axes_of(node: TorchOperation, rank: int) -> list[int]:
    """Return the axes that a node reduces over: all where it names none."""
    said = node.get("dim")
    if said is None or said == []:
        return list(range(rank))
    listed = [said] if isinstance(said, int) else list(said)
    return sorted(axis % rank for axis in listed) if rank else []


def _keeps(node: TorchOperation) -> int:
    return int(node.get("keepdim", False))


def truth(op: str) -> Converter:
    """Return the converter of any or all."""

    def convert(node: TorchOperation) -> Expr:
        x = node.cast(node.tensor(node["self"], "bool"), "int8")
        return node.cast(reduced(node, op, x), node.dtype())

    return convert


def place(op: str) -> Converter:
    """Return the converter of argmax or argmin, along an axis or of all elements."""

    def convert(node: TorchOperation) -> Expr:
        x, axis = node.tensor(node["self"]), node["dim"]
        if rank_of(x) == 0:
            return node.number(0, "int64")
        if axis is not None:
            return node.onnx(op, x, axis=axis, keepdims=_keeps(node))
        flat = node.reshaped(x, [node.symbols.product(shape_of(x) or ())])
        return node.reshaped(node.onnx(op, flat, axis=0, keepdims=0), node.shape())

    return convert


def extreme(values: str, places: str) -> Callable[[TorchOperation], list[Expr]]:
    """Return the converter of max or min along an axis: the values and where they stand."""

    def convert(node: TorchOperation) -> list[Expr]:
        x = node.tensor(node["self"])
        if rank_of(x) == 0:
            return [x, node.number(0, "int64")]
        found = node.onnx(places, x, axis=node["dim"], keepdims=_keeps(node))
        return [reduced(node, values, x), found]

    return convert


def vector_norm(node: TorchOperation) -> Expr:
    """Convert linalg_vector_norm of any order."""
    dtype, order = node.dtype(), float(node.known("ord"))
    size = node.onnx("Abs", node.tensor(node["self"], dtype))
    if order in NORMS:
        return reduced(node, NORMS[order], size)
    if order == 0:
        unlike = node.onnx("Not", node.onnx("Equal", size, node.number(0, dtype)))
        return reduced(node, "ReduceSum", node.cast(unlike, dtype))
    total = reduced(node, "ReduceSum", node.onnx("Pow", size, node.number(order, dtype)))
    return node.onnx("Pow", total, node.number(1 / order, dtype))


def variance(node: TorchOperation) -> list[Expr]:
    """Convert var_mean: the mean of squared distances from the mean, corrected."""
    x = node.tensor(node["self"])
    dtype, shape, rank = dtype_of(x), shape_of(x) or (), rank_of(x) or 0
    axes = axes_of(node, rank)
    mean = node.onnx("ReduceMean", x, axes, keepdims=1) if axes else x
    away = node.onnx("Sub", x, mean)
    squares = node.onnx("Mul", away, away)
    total = node.onnx("ReduceSum", squares, axes, keepdims=_keeps(node)) if axes else squares
    correction = node.known("correction")
    correction = 1 if correction is None else correction
    count = node.symbols.product(shape[axis] for axis in axes)
    if isinstance(count, int):
        by = node.number(max(0.0, float(count - correction)), dtype)
    else:
        by = node.onnx("Sub", node.tensor(count, dtype), node.number(correction, dtype))
        by = node.onnx("Max", by, node.number(0, dtype))
    result = node.onnx("Div", total, by)
    return [result, node.reshaped(mean, shape_of(result) or ())]


def only_variance(node: TorchOperation) -> Expr:
    """Convert var."""
    return variance(node)[0]


def cumulative(function: Callable[..., Expr]) -> Converter:
    """Return the converter of cumsum or cumprod."""

    def convert(node: TorchOperation) -> Expr:
        x = node.tensor(node["self"], node.dtype())
        rank = rank_of(x)
        return node.emit(function(x, node["dim"] % rank, node.dtype())) if rank else x

    return convert


def softmax(op: str) -> Converter:
    """Return the converter of softmax or its logarithm."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        x = node.tensor(node["self"], dtype)
        if rank_of(x) == 0:
            nothing = node.onnx("Sub", x, x)
            return nothing if op == "LogSoftmax" else node.onnx("Exp", nothing)
        return node.onnx(op, x, axis=node["dim"])

    return convert
