"""Pools."""

from __future__ import annotations

import re
from typing import Any

from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of


def max_pool(node: TorchOperation) -> list[Expr | None]:
    """Convert a max pool with indices; the indices only where nobody reads them."""
    node.require(not node.is_read(1), "where its maxima stand is read")
    return [_pooled(node, "MaxPool", dilations=_each(node, "dilation")), None]


def average_pool(node: TorchOperation) -> Expr:
    """Convert an average pool."""
    node.require(node.get("divisor_override") is None, "it has a divisor of its own")
    return _pooled(node, "AveragePool", count_include_pad=int(node["count_include_pad"]))


def _pooled(node: TorchOperation, op: str, **settings: Any) -> Expr:
    x = node.tensor(node["self"])
    kernel = _each(node, "kernel_size")
    batched = rank_of(x) == len(kernel) + 2
    shape = shape_of(x) or ()
    found = node.onnx(
        op,
        x if batched else node.reshaped(x, [1, *shape]),
        kernel_shape=kernel,
        strides=_each(node, "stride") or kernel,
        pads=_each(node, "padding") * 2,
        ceil_mode=int(node["ceil_mode"]),
        **settings,
    )
    return found if batched else node.reshaped(found, node.shape())


def _each(node: TorchOperation, name: str) -> list[int]:
    """Return an argument for each axis of an image, of which the operator's name has the number."""
    axes = int(re.findall(r"(\d)d", str(node.node.target))[0])
    numbers = node[name]
    listed = [numbers] if isinstance(numbers, int) else list(numbers)
    return listed * axes if len(listed) == 1 else listed


def adaptive_average_pool(node: TorchOperation) -> Expr:
    """Convert an adaptive average pool to one window for each place, where windows are equal."""
    x, wanted = node.tensor(node["self"]), _each(node, "output_size")
    count = len(wanted)
    sizes, rank = (shape_of(x) or ())[-count:], rank_of(x) or 0
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
    node.require(rank == count + 2, "its input has no batch")
    return node.onnx("AveragePool", x, kernel_shape=kernel, strides=kernel)
