"""Pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of


def max_pool(node: TorchOperation) -> list[Expr | None]:
    """Convert max_pool2d_with_indices; the indices only where nobody reads them."""
    node.require(not node.is_read(1), "where its maxima stand is read")
    return [_pooled(node, "MaxPool", dilations=_pair(node["dilation"])), None]


def average_pool(node: TorchOperation) -> Expr:
    """Convert avg_pool2d."""
    node.require(node["divisor_override"] is None, "it has a divisor of its own")
    return _pooled(node, "AveragePool", count_include_pad=int(node["count_include_pad"]))


def _pooled(node: TorchOperation, op: str, **settings: Any) -> Expr:
    x = node.tensor(node["self"])
    kernel = _pair(node["kernel_size"])
    batched = rank_of(x) == 4
    shape = shape_of(x) or ()
    found = node.onnx(
        op,
        x if batched else node.reshaped(x, [1, *shape]),
        kernel_shape=kernel,
        strides=_pair(node["stride"]) or kernel,
        pads=_pair(node["padding"]) * 2,
        ceil_mode=int(node["ceil_mode"]),
        **settings,
    )
    return found if batched else node.reshaped(found, node.shape())


def _pair(numbers: int | Sequence[int]) -> list[int]:
    listed = [numbers] if isinstance(numbers, int) else list(numbers)
    return listed * 2 if len(listed) == 1 else listed


def adaptive_average_pool(node: TorchOperation) -> Expr:
    """Convert _adaptive_avg_pool2d to one window for each place, where windows are equal."""
    x, wanted = node.tensor(node["self"]), _pair(node["output_size"])
    sizes = (shape_of(x) or ())[-2:]
    if wanted == [1, 1]:
        rank = rank_of(x) or 0
        return node.onnx("ReduceMean", x, [rank - 2, rank - 1], keepdims=1)
    node.require(
        all(
            isinstance(size, int) and size % out == 0
            for size, out in zip(sizes, wanted, strict=True)
        ),
        f"its windows of {sizes} for {wanted} places are not equal",
    )
    kernel = [int(size) // out for size, out in zip(sizes, wanted, strict=True)]
    node.require(rank_of(x) == 4, "its input has no batch")
    return node.onnx("AveragePool", x, kernel_shape=kernel, strides=kernel)
