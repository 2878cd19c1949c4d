"""Operators that pick elements by tensors of indices."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
import torch
from torch.fx import Node
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.indices import clamped, from_front, indices_of
from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.frontend.torch.dtypes import is_float
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of


def embedding(node: TorchOperation) -> Expr:
    """Convert embedding: rows of a matrix."""
    table = node.tensor(node["weight"])
    rows = _good(node, node.tensor(node["indices"]), table, 0)
    return node.onnx("Gather", table, rows, axis=0)


def index_select(node: TorchOperation) -> Expr:
    """Convert index_select."""
    x, places = node.tensor(node["self"]), node.tensor(node["index"], "int64")
    x = x if rank_of(x) else node.reshaped(x, [1])
    axis = node["dim"] % (rank_of(x) or 1)
    places = node.reshaped(places, [node.symbols.product(shape_of(places) or ())])
    found = node.onnx("Gather", x, _good(node, places, x, axis), axis=axis)
    return node.reshaped(found, node.shape())


def gather(node: TorchOperation) -> Expr:
    """Convert gather."""
    x, places = node.tensor(node["self"]), node.tensor(node["index"], "int64")
    if 0 in node.shape():
        return node.filled(node.shape(), 0, node.dtype())
    if rank_of(x) == 0:
        row = node.reshaped(places, [node.symbols.product(node.shape())])
        row = _good(node, row, node.reshaped(x, [1]), 0)
        return node.reshaped(node.onnx("Gather", node.reshaped(x, [1]), row, axis=0), node.shape())
    if rank_of(places) == 0:
        places = node.reshaped(places, [1])
    places = _good(node, places, x, node["dim"])
    found = node.onnx("GatherElements", x, places, axis=node["dim"])
    return node.reshaped(found, node.shape())


def _good(node: TorchOperation, places: Expr, x: Expr, axis: int) -> Expr:
    """Return places along an axis, of which none may be negative, once all are known to be good."""
    size = (shape_of(x) or ())[axis]
    return indices_of(node, places, [size], from_back=False).tensor


#: torch's reductions -> ONNX's.
REDUCTIONS: Final = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}


def scatter(reduction: str = "none") -> Any:
    """Return the converter of scatter, of a tensor or of one number."""

    def convert(node: TorchOperation) -> Expr:
        x, places, new = _scattered(node)
        if not node.rank():
            return _to_number(node, x, places, new, reduction)
        return node.onnx("ScatterElements", x, places, new, axis=node["dim"], reduction=reduction)

    return convert


def _scattered(node: TorchOperation) -> tuple[Expr, Expr, Expr]:
    """Return what is written to, the places along the axis, and what is written there."""
    x, places = node.tensor(node["self"]), node.tensor(node["index"], "int64")
    rank, dtype = node.rank() or 1, dtype_of(x)
    places = places if rank_of(places) == rank else node.reshaped(places, [1] * rank)
    row = x if rank_of(x) else node.reshaped(x, [1])
    places = _good(node, places, row, node["dim"])
    sizes = list(shape_of(places) or ())
    if node.get("src") is None:
        return x, places, node.filled(sizes, node["value"], dtype)
    source = node.tensor(node["src"])
    source = source if rank_of(source) == rank else node.reshaped(source, [1] * rank)
    return x, places, node.onnx("Slice", source, [0] * rank, sizes, list(range(rank)))


def _to_number(node: TorchOperation, x: Expr, places: Expr, new: Expr, reduction: str) -> Expr:
    """Write to a number, which is a vector of one."""
    row = node.reshaped(x, [1])
    found = node.onnx("ScatterElements", row, places, new, axis=0, reduction=reduction)
    return node.reshaped(found, [])


def scatter_reduce(node: TorchOperation) -> Expr:
    """Convert scatter_reduce, but for means; with what was there before, or without."""
    reduce, dtype = node["reduce"], node.dtype()
    node.require(reduce in REDUCTIONS, f"its reduction is {reduce}")
    x, places, new = _scattered(node)
    x = x if node.rank() else node.reshaped(x, [1])
    axis = node["dim"]
    if not node["include_self"]:
        least, most = _bounds(dtype)
        start = {"sum": 0, "prod": 1, "amax": least, "amin": most}[reduce]
        empty = node.filled(list(shape_of(new) or ()), start, dtype)
        x = node.onnx("ScatterElements", x, places, empty, axis=axis)
    settings = {"axis": axis, "reduction": REDUCTIONS[reduce]}
    return node.reshaped(node.onnx("ScatterElements", x, places, new, **settings), node.shape())


def _bounds(dtype: str) -> tuple[Any, Any]:
    """Return the least number of a dtype and the largest one."""
    if is_float(dtype):
        return -math.inf, math.inf
    if dtype == "bool":
        return False, True
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def nonzero(node: TorchOperation) -> Expr:
    """Convert nonzero: the places of the elements that are not 0, a row for each."""
    x = node.tensor(node["self"])
    found = node.onnx("Transpose", node.onnx("NonZero", x), perm=[1, 0])
    if shape_of(x) == ():  # a row has a place on each axis, and NonZero takes this for a vector
        found = node.emit(relax.op.strided_slice(found, [1], [0], [0]))
    return _counted(node, found)


def masked_select(node: TorchOperation) -> Expr:
    """Convert masked_select: the elements where a mask is true, both broadcast, in a vector."""
    mask = node.tensor(node["mask"], "bool")
    x = node.tensor(node["self"])
    x = node.onnx("Where", mask, x, x)
    return _masked(node, x, node.emit(relax.op.broadcast_to(mask, shape_of(x) or ())), 0)


def _counted(node: TorchOperation, found: Expr) -> Expr:
    """Return what is as long as the numbers say: what torch calls that size is known from now on.

    Where torch knows two of them to be the same, that is checked as the model runs.
    """
    for size, dim in zip(node.node.meta["val"].shape, require_shape(found), strict=True):
        node.torch_sizes.tell(size, dim)
    return agree(cast("Operation", node), found, node.shape())


def _is_mask(tensor: Node | None) -> bool:
    return tensor is not None and tensor.meta["val"].dtype in {torch.bool, torch.uint8}


def _masked(node: TorchOperation, x: Expr, mask: Expr, axis: int) -> Expr:
    """Return the elements of a mask's axes, which become one, where it is true."""
    dims, count = list(shape_of(x) or ()), rank_of(mask) or 0
    merged = node.symbols.product(dims[axis : axis + count])
    flat = node.reshaped(x, [*dims[:axis], merged, *dims[axis + count :]])
    kept = node.onnx("Compress", flat, node.reshaped(mask, [merged]), axis=axis)
    return _counted(node, kept)


def index(node: TorchOperation) -> Expr:
    """Convert index by tensors of whole numbers; their axes come first where they stand apart.

    A mask stands for the places where it is true.
    """
    x, found = node.tensor(node["self"]), list(node["indices"])
    given = [tensor for tensor in found if tensor is not None]
    if len(given) == 1 and _is_mask(given[0]):
        return _masked(node, x, node.tensor(given[0], "bool"), found.index(given[0]))
    axes, tensors = _indexed(node, x)
    rank, count = rank_of(x) or 0, len(tensors)
    if count == 1:
        return node.onnx("Gather", x, tensors[0], axis=axes[0])
    places = _places(node, tensors)
    others = [axis for axis in range(rank) if axis not in axes]
    front = node.onnx("GatherND", _permuted(node, x, [*axes, *others]), places)
    if not _adjacent(axes):
        return front
    first, depth = axes[0], (rank_of(places) or 1) - 1
    back = [
        *range(depth, depth + first),
        *range(depth),
        *range(depth + first, rank - count + depth),
    ]
    return _permuted(node, front, back)


def index_put(node: TorchOperation) -> Expr:
    """Convert index_put by tensors of whole numbers, likewise."""
    x = node.tensor(node["self"])
    axes, tensors = _indexed(node, x)
    new = node.tensor(node["values"], dtype_of(x))
    return _written(node, x, (axes, tensors), new, "add" if node["accumulate"] else "none")


def index_add(node: TorchOperation) -> Expr:
    """Convert index_add: slices are added to those at their places along an axis."""
    x = node.tensor(node["self"])
    new = node.tensor(node["source"], dtype_of(x))
    if node["alpha"] != 1:
        new = node.onnx("Mul", new, node.tensor(node["alpha"], dtype_of(x)))
    return _slices_written(node, x, new, "add")


def index_copy(node: TorchOperation) -> Expr:
    """Convert index_copy: slices along an axis are replaced."""
    x = node.tensor(node["self"])
    return _slices_written(node, x, node.tensor(node["source"], dtype_of(x)), "none")


def _slices_written(node: TorchOperation, x: Expr, new: Expr, reduction: str) -> Expr:
    row = x if rank_of(x) else node.reshaped(x, [1])
    axis, places = node["dim"] % (rank_of(row) or 1), node.tensor(node["index"], "int64")
    count = node.symbols.product(shape_of(places) or ())
    dims = list(shape_of(row) or ())
    dims[axis] = count
    places = _good(node, node.reshaped(places, [count]), row, axis)
    written = _written(node, row, ([axis], [places]), node.reshaped(new, dims), reduction)
    return node.reshaped(written, node.shape())


def _written(
    node: TorchOperation,
    x: Expr,
    indexed: tuple[list[int], list[Expr]],
    new: Expr,
    reduction: str,
) -> Expr:
    """Return a tensor with numbers written to the places that tensors of some axes pick."""
    axes, tensors = indexed
    places = _places(node, tensors)
    picked, sizes = list(shape_of(places) or ())[:-1], list(shape_of(x) or ())
    others = [axis for axis in range(len(sizes)) if axis not in axes]
    first, depth = axes[0] if _adjacent(axes) else 0, len(picked)
    beside = [sizes[axis] for axis in others]
    dims = [*beside[:first], *picked, *beside[first:]]
    new = node.emit(relax.op.broadcast_to(new, dims))
    # ScatterND writes along the first axes.
    front = [*axes, *others]
    picked_first = [*range(first, first + depth), *range(first), *range(first + depth, len(dims))]
    written = node.onnx(
        "ScatterND", _permuted(node, x, front), places, _permuted(node, new, picked_first),
        reduction=reduction,
    )  # fmt: skip
    return _permuted(node, written, [front.index(axis) for axis in range(len(sizes))])


def _adjacent(axes: Sequence[int]) -> bool:
    return list(axes) == list(range(axes[0], axes[-1] + 1))


def _indexed(node: TorchOperation, x: Expr) -> tuple[list[int], list[Expr]]:
    """Return the indexed axes, and their indices, each of which is known to be good.

    Each is looked at before all are of one shape. Those of torch's own making, which it calls
    unsafe, are good, and are kept within the tensor without a look.
    """
    found = list(node["indices"])
    axes = [axis for axis, tensor in enumerate(found) if tensor is not None]
    kinds = {tensor.meta["val"].dtype for tensor in found if tensor is not None}
    node.require(not kinds & {torch.bool, torch.uint8}, "a mask says which elements")
    node.require(axes, "it indexes no axis")
    is_good = "unsafe" in str(node.node.target)
    shape, tensors = shape_of(x) or (), []
    for axis in axes:
        given, sizes = node.tensor(found[axis], "int64"), [shape[axis]]
        if is_good:
            tensors.append(clamped(node, from_front(node, given, sizes), sizes))
        else:
            tensors.append(indices_of(node, given, sizes, may_be_fed=len(axes) == 1).tensor)
    return axes, tensors


def _places(node: TorchOperation, values: Sequence[Expr]) -> Expr:
    """Return indices as ONNX has them: those of one element along the last axis."""
    total = values[0]
    for value in values[1:]:
        total = node.onnx("Add", total, value)
    dims = list(shape_of(total) or ())
    parts = [node.reshaped(node.emit(relax.op.broadcast_to(v, dims)), [*dims, 1]) for v in values]
    return node.onnx("Concat", *parts, axis=len(dims))


def picked(node: TorchOperation, x: Expr, places: np.ndarray | Expr, axis: int) -> Expr:
    """Return elements at places along an axis that are known to be there."""
    if isinstance(places, np.ndarray):
        return node.onnx("Gather", x, places, axis=axis)
    return node.emit(relax.op.take(x, places, axis, mode="clip"))


def _permuted(node: TorchOperation, x: Expr, order: list[int]) -> Expr:
    if order == sorted(order):
        return x
    return node.emit(relax.op.permute_dims(x, order))


def slice_scatter(node: TorchOperation) -> Expr:
    """Convert slice_scatter: a part of an axis is replaced."""
    x, new = node.tensor(node["self"]), node.tensor(node["src"], node.dtype())
    axis = node["dim"] % node.rank()
    size, step = node.shape()[axis], node.size(node["step"])
    start = 0 if node["start"] is None else node.size(node["start"])
    end = size if node["end"] is None else node.size(node["end"])
    if not all(isinstance(n, int) for n in (size, step, start, end)):
        start, end = (_within(node, n, size) for n in (start, end))
        end = node.symbols.larger(start, end)
        if step != 1:
            return _with_steps(node, x, new, axis, (start, end, step))
        made = _with_part(node, x, new, axis, (start, end, size))
        return node.reshaped(made, node.shape())
    start, end, _ = slice(start, end).indices(int(size))
    if step != 1:
        places = np.arange(int(size))
        places[start : end : int(step)] = int(size) + np.arange(len(range(start, end, int(step))))
        return node.onnx("Gather", node.onnx("Concat", x, new, axis=axis), places, axis=axis)
    return _with_part(node, x, new, axis, (start, max(start, end), size))


def _with_steps(
    node: TorchOperation, x: Expr, new: Expr, axis: int, part: tuple[Dim, Dim, Dim]
) -> Expr:
    """Return a tensor with another part of an axis, given where that begins, its end and step."""
    start, end, step = map(node.tensor, part)
    size = node.shape()[axis]
    places = node.tensor(size)
    places = node.onnx("Range", node.number(0, "int64"), places, node.number(1, "int64"))
    ahead = node.onnx("Sub", places, start)
    nth = node.onnx("Div", ahead, step)
    inside = node.onnx(
        "And",
        node.onnx("GreaterOrEqual", ahead, node.number(0, "int64")),
        node.onnx("Less", places, end),
    )
    met = node.onnx("And", inside, node.onnx("Equal", node.onnx("Mul", nth, step), ahead))
    behind = node.onnx("Add", nth, node.tensor(size))
    chosen = node.onnx("Where", met, behind, places)
    return picked(node, node.onnx("Concat", x, new, axis=axis), chosen, axis)


def _within(node: TorchOperation, place: Dim, size: Dim) -> Dim:
    """Return a place of an axis, counted from either end, as it is counted from its first one."""
    return node.symbols.smaller(node.symbols.larger(_from_front(node, place, size), 0), size)


def _from_front(node: TorchOperation, place: Dim, size: Dim) -> Dim:
    """Return a place of an axis as it is counted from its first one; of none so far its end."""
    if place == sys.maxsize:
        return size
    if node.symbols.at_most(place, -1):
        return place + size
    known = node.symbols.require_non_negative(place)
    node.require(known, "from which end it counts is not known")
    return place


def _with_part(
    node: TorchOperation, x: Expr, new: Expr, axis: int, ends: tuple[Dim, Dim, Dim]
) -> Expr:
    """Return a tensor with another part of an axis, given where that begins and both end."""
    start, end, size = ends
    front = node.onnx("Slice", x, [0], [start], [axis])
    back = node.onnx("Slice", x, [end], [size], [axis])
    return node.onnx("Concat", front, new, back, axis=axis)


def select_scatter(node: TorchOperation) -> Expr:
    """Convert select_scatter: one place of an axis is replaced."""
    x, place = node.tensor(node["self"]), node.size(node["index"])
    axis, shape = node["dim"] % node.rank(), node.shape()
    size = shape[axis]
    place = _from_front(node, place, size)
    shape[axis] = 1
    new = node.reshaped(node.tensor(node["src"], node.dtype()), shape)
    return _with_part(node, x, new, axis, (place, place + 1, size))
