"""Operators that pick elements by tensors of indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Node
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of


def embedding(node: TorchOperation) -> Expr:
    """Convert embedding: rows of a matrix."""
    return node.onnx("Gather", node.tensor(node["weight"]), node.tensor(node["indices"]), axis=0)


def index_select(node: TorchOperation) -> Expr:
    """Convert index_select."""
    x, places = node.tensor(node["self"]), node.tensor(node["index"])
    rank = rank_of(x)
    if not rank:
        return x
    places = node.reshaped(places, [node.symbols.product(shape_of(places) or ())])
    return node.onnx("Gather", x, places, axis=node["dim"] % rank)


def gather(node: TorchOperation) -> Expr:
    """Convert gather."""
    x, places = node.tensor(node["self"]), node.tensor(node["index"])
    if rank_of(x) == 0:
        return node.emit(relax.op.broadcast_to(x, node.shape()))
    return node.onnx("GatherElements", x, places, axis=node["dim"])


def scatter(reduction: str = "none") -> Any:
    """Return the converter of scatter, of a tensor or of one number."""

    def convert(node: TorchOperation) -> Expr:
        dtype = node.dtype()
        x, places = node.tensor(node["self"]), node.tensor(node["index"])
        node.require(rank_of(x), "it writes to a number")
        sizes = list(shape_of(places) or ())
        source = node.get("src")
        if source is not None:
            axes = list(range(len(sizes)))
            new = node.onnx("Slice", node.tensor(source), [0] * len(sizes), sizes, axes)
        else:
            value = node.tensor(node["value"], dtype)
            new = node.emit(relax.op.full(sizes, value, dtype))
        return node.onnx("ScatterElements", x, places, new, axis=node["dim"], reduction=reduction)

    return convert


def index(node: TorchOperation) -> Expr:
    """Convert index by tensors of whole numbers along axes that follow each other."""
    x, found = node.tensor(node["self"]), list(node["indices"])
    first, tensors = _adjacent(node, found)
    rank = rank_of(x) or 0
    if len(tensors) == 1:
        return node.onnx("Gather", x, node.tensor(tensors[0]), axis=first)
    places = _places(node, tensors)
    count = len(tensors)
    order = [*range(first, first + count), *range(first), *range(first + count, rank)]
    front = node.onnx("GatherND", _permuted(node, x, order), places)
    depth = (rank_of(places) or 1) - 1
    back = [
        *range(depth, depth + first),
        *range(depth),
        *range(depth + first, rank - count + depth),
    ]
    return _permuted(node, front, back)


def index_put(node: TorchOperation) -> Expr:
    """Convert index_put by tensors of whole numbers along axes that follow each other."""
    x, found = node.tensor(node["self"]), list(node["indices"])
    first, tensors = _adjacent(node, found)
    places = _places(node, tensors)
    picked = list(shape_of(places) or ())[:-1]
    depth, count, rank = len(picked), len(tensors), rank_of(x) or 0
    sizes = list(shape_of(x) or ())
    dims = [*sizes[:first], *picked, *sizes[first + count :]]
    new = node.emit(relax.op.broadcast_to(node.tensor(node["values"], dtype_of(x)), dims))
    # ScatterND writes along the first axes.
    front = [*range(first, first + count), *range(first), *range(first + count, rank)]
    picked_first = [*range(first, first + depth), *range(first), *range(first + depth, len(dims))]
    written = node.onnx(
        "ScatterND", _permuted(node, x, front), places, _permuted(node, new, picked_first),
        reduction="add" if node["accumulate"] else "none",
    )  # fmt: skip
    return _permuted(node, written, [front.index(axis) for axis in range(rank)])


def _adjacent(node: TorchOperation, found: Sequence[Node | None]) -> tuple[int, list[Node]]:
    """Return the first indexed axis, and the indices from there on."""
    axes = [axis for axis, tensor in enumerate(found) if tensor is not None]
    tensors = [tensor for tensor in found if tensor is not None]
    kinds = {tensor.meta["val"].dtype for tensor in tensors}
    node.require(not kinds & {torch.bool, torch.uint8}, "a mask says which elements")
    node.require(axes and axes == list(range(axes[0], axes[-1] + 1)), "it indexes axes apart")
    return axes[0], tensors


def _places(node: TorchOperation, tensors: Sequence[Node]) -> Expr:
    """Return indices as ONNX has them: those of one element along the last axis."""
    values = [node.tensor(tensor, "int64") for tensor in tensors]
    total = values[0]
    for value in values[1:]:
        total = node.onnx("Add", total, value)
    dims = list(shape_of(total) or ())
    parts = [node.reshaped(node.emit(relax.op.broadcast_to(v, dims)), [*dims, 1]) for v in values]
    return node.onnx("Concat", *parts, axis=len(dims))


def _permuted(node: TorchOperation, x: Expr, order: list[int]) -> Expr:
    if order == sorted(order):
        return x
    return node.emit(relax.op.permute_dims(x, order))


def top_k(node: TorchOperation) -> list[Expr]:
    """Convert topk."""
    x, count = node.tensor(node["self"]), node.size(node["k"])
    if rank_of(x) == 0:
        node.require(count == 1, "it wants no element of a number")
        return [x, node.number(0, "int64")]
    settings = {"axis": node["dim"], "largest": int(node["largest"]), "sorted": int(node["sorted"])}
    return node.onnx_results("TopK", x, [count], count=2, **settings)


def slice_scatter(node: TorchOperation) -> Expr:
    """Convert slice_scatter: a part of an axis is replaced."""
    x, new = node.tensor(node["self"]), node.tensor(node["src"], node.dtype())
    axis = node["dim"] % node.rank()
    size, step = node.shape()[axis], node.size(node["step"])
    start = 0 if node["start"] is None else node.size(node["start"])
    end = size if node["end"] is None else node.size(node["end"])
    numbers = (size, step, start, end)
    node.require(all(isinstance(n, int) for n in numbers) and step == 1, "its part is symbolic")
    start, end, _ = slice(start, end).indices(int(size))
    front = node.onnx("Slice", x, [0], [start], [axis])
    back = node.onnx("Slice", x, [max(start, end)], [size], [axis])
    return node.onnx("Concat", front, new, back, axis=axis)


def select_scatter(node: TorchOperation) -> Expr:
    """Convert select_scatter: one place of an axis is replaced."""
    x, place = node.tensor(node["self"]), node.size(node["index"])
    axis, shape = node["dim"] % node.rank(), node.shape()
    size = shape[axis]
    node.require(isinstance(size, int) and isinstance(place, int), "its place is symbolic")
    place %= size
    shape[axis] = 1
    new = node.reshaped(node.tensor(node["src"], node.dtype()), shape)
    front = node.onnx("Slice", x, [0], [place], [axis])
    back = node.onnx("Slice", x, [place + 1], [size], [axis])
    return node.onnx("Concat", front, new, back, axis=axis)
