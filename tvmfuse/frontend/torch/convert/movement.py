"""Operators that move elements and compute none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse import ops
from tvmfuse.frontend.symbols import Dim
from tvmfuse.frontend.torch.convert.indexing import picked
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of

END = np.iinfo(np.int64).max


def reshape(node: TorchOperation) -> Expr:
    """Convert what gives the elements another shape: view, squeeze, unsqueeze, flatten."""
    return node.reshaped(node.tensor(node["self"]), node.shape())


def resize(node: TorchOperation) -> Expr:
    """Convert resize to no more elements: the first ones, in another shape."""
    shape, count = node.shape(), node["self"].meta["val"].numel()
    wanted = node.symbols.product(shape)
    fewer = isinstance(wanted, int) and isinstance(count, int) and wanted <= count
    node.require(fewer, "it makes elements that nobody wrote")
    flat = node.reshaped(node.tensor(node["self"]), [count])
    return node.reshaped(node.onnx("Slice", flat, [0], [wanted], [0]), shape)


def permute(node: TorchOperation) -> Expr:
    """Convert permute."""
    return _permuted(node, node.tensor(node["self"]), [int(axis) for axis in node["dims"]])


def transpose(node: TorchOperation) -> Expr:
    """Convert the exchange of two axes."""
    order = list(range(node.rank()))
    if order:
        one, other = node["dim0"], node["dim1"]
        order[one], order[other] = order[other], order[one]
    return _permuted(node, node.tensor(node["self"]), order)


def matrix_transpose(node: TorchOperation) -> Expr:
    """Convert t of a matrix, or of less."""
    return _permuted(node, node.tensor(node["self"]), list(range(node.rank()))[::-1])


def _permuted(node: TorchOperation, x: Expr, order: list[int]) -> Expr:
    rank = len(order)
    return node.emit(relax.op.permute_dims(x, [a % rank for a in order])) if rank else x


def expand(node: TorchOperation) -> Expr:
    """Convert expand."""
    return node.emit(relax.op.broadcast_to(node.tensor(node["self"]), node.shape()))


def concatenate(node: TorchOperation) -> Expr:
    """Convert cat; vectors of nothing among tensors of a higher rank do not count."""
    rank, dtype = node.rank(), node.dtype()
    parts = [part for part in node["tensors"] if part.meta["val"].ndim == rank]
    return node.onnx("Concat", *(node.tensor(p, dtype) for p in parts), axis=node["dim"] % rank)


def stack(node: TorchOperation) -> Expr:
    """Convert stack."""
    dtype, axis = node.dtype(), node["dim"] % node.rank()
    shape = node.shape()
    shape[axis] = 1
    parts = [node.reshaped(node.tensor(part, dtype), shape) for part in node["tensors"]]
    return node.onnx("Concat", *parts, axis=axis)


def cut(node: TorchOperation) -> Expr:
    """Convert slice."""
    start = 0 if node["start"] is None else node.size(node["start"])
    end = END if node["end"] is None else node.size(node["end"])
    x, step = node.tensor(node["self"]), node.size(node["step"])
    return node.onnx("Slice", x, [start], [end], [node["dim"]], [step])


def select(node: TorchOperation) -> Expr:
    """Convert select: one place of an axis, which goes."""
    x, place = node.tensor(node["self"]), node.size(node["index"])
    axis = node["dim"] % (node.rank() + 1)
    part = node.onnx("Slice", x, [place], [END if place == -1 else place + 1], [axis], [1])
    return node.reshaped(part, node.shape())


def split(node: TorchOperation) -> list[Expr]:
    """Convert split and split_with_sizes."""
    count = len(node.node.meta["val"])
    axis = node["dim"] % node.rank()
    sizes = [node.shape(place)[axis] for place in range(count)]
    x = node.tensor(node["self"])
    return node.onnx_results("Split", x, sizes, count=count, axis=axis)


def unbind(node: TorchOperation) -> list[Expr]:
    """Convert unbind: all places of an axis, which goes."""
    count = len(node.node.meta["val"])
    axis, x = node["dim"] % (node.rank() + 1), node.tensor(node["self"])
    parts = node.onnx_results("Split", x, [1] * count, count=count, axis=axis)
    return [node.reshaped(part, node.shape()) for part in parts]


def pad(node: TorchOperation) -> Expr:
    """Convert constant_pad_nd; pads may be negative."""
    value = node.tensor(node["value"], node.dtype())
    widths = _by_axis(node.sizes(node["pad"]), node.rank())
    return node.onnx("Pad", node.tensor(node["self"]), widths, value, mode="constant")


def repeating_pad(mode: str) -> Callable[[TorchOperation], Expr]:
    """Convert the pads of one of ONNX's modes, which repeat elements; negative ones take some off.

    What is taken off one end is repeated at the other, where it reaches so far.
    """

    def convert(node: TorchOperation) -> Expr:
        pads = node.sizes(node["padding"])
        node.require(all(isinstance(width, int) for width in pads), "its pads are numbers")
        x, widths = node.tensor(node["self"]), _by_axis(pads, node.rank())
        x = node.onnx("Pad", x, [max(width, 0) for width in widths], mode=mode)
        if min(widths) >= 0:
            return x
        rank = node.rank()
        begins = [max(-width, 0) for width in widths[:rank]]
        ends = [width if width < 0 else END for width in widths[rank:]]
        return node.onnx("Slice", x, begins, ends, list(range(rank)))

    return convert


def _by_axis(pads: Sequence[Any], rank: int) -> list[Any]:
    """Return pads, which come from the last axis on, as all begins, then all ends."""
    before: list[Any] = [0] * rank
    after: list[Any] = [0] * rank
    for place in range(len(pads) // 2):
        before[rank - 1 - place] = pads[2 * place]
        after[rank - 1 - place] = pads[2 * place + 1]
    return before + after


def flip(node: TorchOperation) -> Expr:
    """Convert flip."""
    x = node.tensor(node["self"])
    for axis in node["dims"]:
        x = node.emit(relax.op.flip(x, axis % node.rank()))
    return x


def repeat(node: TorchOperation) -> Expr:
    """Convert repeat, which may add axes in front."""
    x, times = node.tensor(node["self"]), node.sizes(node["repeats"])
    dims = shape_of(x) or ()
    missing = len(times) - len(dims)
    return node.onnx("Tile", node.reshaped(x, [1] * missing + list(dims)), times) if times else x


def roll(node: TorchOperation) -> Expr:
    """Convert roll."""
    x, symbols = node.tensor(node["self"]), node.symbols
    shape, axes, shifts = node.shape(), list(node["dims"]), node.sizes(node["shifts"])
    if flat := not axes:
        x, axes = node.reshaped(x, [symbols.product(shape)]), [0]
    moves: dict[int, Dim] = {}
    for axis, shift in zip((axis % (rank_of(x) or 1) for axis in axes), shifts, strict=True):
        moves[axis] = symbols.simplify(moves.get(axis, 0) + shift)
    sizes = {axis: (shape_of(x) or ())[axis] for axis in moves}
    moves = {a: symbols.remainder(moves[a], symbols.larger(n, 1)) for a, n in sizes.items()}
    if all(isinstance(dim, int) for dim in (*sizes.values(), *moves.values())):
        for axis, size in sizes.items():
            ends = ((size - moves[axis], size), (0, size - moves[axis]))
            parts = [node.emit(relax.op.strided_slice(x, [axis], [a], [b])) for a, b in ends]
            x = node.emit(relax.op.concat(parts, axis))
    else:
        x = node.emit(ops.roll(x, list(moves.values()), list(moves)))
    return node.reshaped(x, shape) if flat else x


def diagonal(node: TorchOperation) -> Expr:
    """Convert diagonal: it becomes the last axis."""
    x = node.tensor(node["self"])
    rank = rank_of(x) or 0
    first, second = node["dim1"] % rank, node["dim2"] % rank
    others = [axis for axis in range(rank) if axis not in (first, second)]
    shape = [(shape_of(x) or ())[axis] for axis in (*others, first, second)]
    rows, columns = shape[-2:]
    elements = node.symbols.product([rows, columns])
    flat = node.reshaped(_permuted(node, x, [*others, first, second]), [*shape[:-2], elements])
    offset = node["offset"]
    start = offset if offset >= 0 else node.symbols.product([-offset, columns])
    places = _places(node, [node.shape()[-1]], [columns + 1], start)
    return picked(node, flat, places, len(others))


def unfold(node: TorchOperation) -> Expr:
    """Convert unfold: windows of an axis, whose elements become the last one."""
    x = node.tensor(node["self"])
    rank = rank_of(x) or 0
    if not rank:
        return node.reshaped(x, node.shape())
    axis = node["dimension"] % rank
    places = _places(node, [node.shape()[axis], node["size"]], [node["step"], 1])
    windows = picked(node, x, places, axis)
    order = [place for place in range(rank + 1) if place != axis + 1]
    return _permuted(node, windows, [*order, axis + 1])


def as_strided(node: TorchOperation) -> Expr:
    """Convert as_strided of a tensor whose elements lie in a row."""
    source, x = node["self"].meta["val"], node.tensor(node["self"])
    whole = source.is_contiguous() and source.storage_offset() == 0
    node.require(whole, "its tensor is a view itself")
    sizes, strides = node.sizes(node["size"]), node.sizes(node["stride"])
    start = node.size(node["storage_offset"] or 0)
    symbols, count = node.symbols, node.symbols.product(shape_of(x) or ())
    end = start + 1
    for size, stride in zip(sizes, strides, strict=True):
        end = end + (size - 1) * stride
    within = 0 in sizes or symbols.at_most(end, count)
    if not within and not (isinstance(end, int) and isinstance(count, int)):
        within = symbols.equate(symbols.smaller(end, count), end, f"of {node.name!r}")
    node.require(within, "it reaches beyond its tensor")
    flat = node.reshaped(x, [count])
    return picked(node, flat, _places(node, sizes, strides, start), 0)


def _places(
    node: TorchOperation, sizes: Sequence[Dim], strides: Sequence[Dim], start: Dim = 0
) -> np.ndarray | Expr:
    """Return where the elements of a view lie, int64 of these sizes; known ones are an array."""
    if all(isinstance(number, int) for number in (*sizes, *strides, start)):
        steps = [np.arange(n) * stride for n, stride in zip(sizes, strides, strict=True)]
        return reduce(np.add.outer, steps, np.array(start))
    places = node.tensor(start)
    for axis, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        counted = node.emit(relax.op.arange(0, size, 1, "int64"))
        steps = node.emit(relax.op.multiply(counted, node.tensor(stride)))
        beside = node.reshaped(steps, [size if a == axis else 1 for a in range(len(sizes))])
        places = node.emit(relax.op.add(places, beside))
    return places


def copy(node: TorchOperation) -> Expr:
    """Convert copy: another tensor's values in this one's shape and dtype."""
    source = node.tensor(node["src"], node.dtype())
    return node.emit(relax.op.broadcast_to(source, node.shape()))


def triangle(*, upper: bool) -> Any:
    """Return the converter of triu or tril."""

    def convert(node: TorchOperation) -> Expr:
        diagonal = np.array(node["diagonal"], np.int64)
        return node.onnx("Trilu", node.tensor(node["self"]), diagonal, upper=int(upper))

    return convert
