"""Pools."""

from __future__ import annotations

import math
import re
from typing import Any

from tvm.ir import Expr

from tvmfuse.frontend.torch.dtypes import is_float
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of
from tvmfuse.ops import max_pool_places


def max_pool(node: TorchOperation) -> list[Expr | None]:
    """Convert a max pool with indices: where in their image the maxima stand."""
    maxima = _pooled(node, "MaxPool", dilations=for_each_axis(node, "dilation"))
    if not node.is_read(1):
        return [maxima, None]
    kernel, x = for_each_axis(node, "kernel_size"), node.tensor(node["self"])
    single = rank_of(x) == len(kernel) + 1
    shapes = [[*([1] if single else []), *(shape_of(t) or ())] for t in (x, maxima)]
    read = [node.reshaped(t, shape) for t, shape in zip((x, maxima), shapes, strict=True)]
    found = max_pool_places(*read, **windows_of(node))
    return [maxima, node.reshaped(node.emit(found), node.shape(1))]


def windows_of(node: TorchOperation) -> dict[str, list[int]]:
    """Return the windows of a max pool, or of its backward pass."""
    kernel = for_each_axis(node, "kernel_size")
    return {
        "kernel": kernel,
        "strides": for_each_axis(node, "stride") or kernel,
        "padding": for_each_axis(node, "padding"),
        "dilation": for_each_axis(node, "dilation"),
    }


def average_pool(node: TorchOperation) -> Expr:
    """Convert an average pool."""
    if node.get("divisor_override") is not None:
        return _summed(node, float(node["divisor_override"]))
    return _pooled(node, "AveragePool", count_include_pad=int(node["count_include_pad"]))


def _summed(node: TorchOperation, divisor: float) -> Expr:
    """Return sums of windows by a divisor; beyond the image there are zeros."""
    x, kernel = node.tensor(node["self"]), for_each_axis(node, "kernel_size")
    node.require(is_float(node.dtype()), "it divides sums of whole numbers by its divisor")
    stride, padding = for_each_axis(node, "stride") or kernel, for_each_axis(node, "padding")
    count, shape = len(kernel), list(shape_of(x) or ())
    batch, results = [1] * (count + 2 - len(shape)), node.shape()
    last = [
        (out - 1) * step + size - extent - before
        for out, step, size, extent, before in zip(
            results[-count:], stride, kernel, shape[-count:], padding, strict=True
        )
    ]
    # Where the image is symbolic: no window begins behind it.
    behind = [
        max(0, n) if isinstance(n, int) else size - 1 for n, size in zip(last, kernel, strict=True)
    ]
    zero = node.number(0, node.dtype())
    image, pads = node.reshaped(x, [*batch, *shape]), [0, 0, *padding, 0, 0, *behind]
    padded = node.onnx("Pad", image, pads, zero, mode="constant")
    mean = node.onnx("AveragePool", padded, kernel_shape=kernel, strides=stride)
    axes = list(range(2, 2 + count))
    mean = node.onnx("Slice", mean, [0] * count, results[-count:], axes)
    factor = node.number(math.prod(kernel) / divisor, node.dtype())
    return node.reshaped(node.onnx("Mul", mean, factor), results)


def _pooled(node: TorchOperation, op: str, **settings: Any) -> Expr:
    x = node.tensor(node["self"])
    kernel = for_each_axis(node, "kernel_size")
    batched = rank_of(x) == len(kernel) + 2
    shape = shape_of(x) or ()
    found = node.onnx(
        op,
        x if batched else node.reshaped(x, [1, *shape]),
        kernel_shape=kernel,
        strides=for_each_axis(node, "stride") or kernel,
        pads=for_each_axis(node, "padding") * 2,
        ceil_mode=int(node["ceil_mode"]),
        **settings,
    )
    return found if batched else node.reshaped(found, node.shape())


def image_axes(node: TorchOperation) -> int:
    """Return how many axes an image has, which the operator's name says."""
    return int(re.findall(r"(\d)d", str(node.node.target))[0])


def for_each_axis(node: TorchOperation, name: str) -> list[int]:
    """Return an argument for each axis of an image."""
    axes = image_axes(node)
    numbers = node[name]
    listed = [numbers] if isinstance(numbers, int) else list(numbers)
    return listed * axes if len(listed) == 1 else listed


def adaptive_average_pool(node: TorchOperation) -> Expr:
    """Convert an adaptive average pool whose windows are equal; a composite takes others apart."""
    x, wanted = node.tensor(node["self"]), for_each_axis(node, "output_size")
    count, shape = len(wanted), list(shape_of(x) or ())
    sizes, rank = shape[-count:], len(shape)
    if set(wanted) == {1}:
        return node.onnx("ReduceMean", x, list(range(rank - count, rank)), keepdims=1)
    node.require(
        all(
            isinstance(size, int) and size % out == 0
            for size, out in zip(sizes, wanted, strict=True)
        ),
        f"its windows of {sizes} for {wanted} places are not equal",
    )
    kernel = [int(size) // out for size, out in zip(sizes, wanted, strict=True)]
    batch = [1] * (count + 2 - rank)
    image = node.reshaped(x, [*batch, *shape]) if batch else x
    found = node.onnx("AveragePool", image, kernel_shape=kernel, strides=kernel)
    return node.reshaped(found, node.shape()) if batch else found
