"""The backward pass of convolutions: convolutions again, and sums of products by tap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.torch.convert.matrix import each
from tvmfuse.frontend.torch.convert.strided_gradient import Axis, by_phases, cut, has_few_phases
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of
from tvmfuse.ops import conv, conv_transpose, conv_weight_gradient


def convolution_backward(node: TorchOperation) -> list[Expr | None]:
    """Convert convolution_backward: the gradients of the input, the weights and the bias."""
    gradient, x, weight = (node.tensor(node[k]) for k in ("grad_output", "input", "weight"))
    kernel = _numbers(node, weight)[2:]
    node.require(rank_of(x) == len(kernel) + 2, "its input has no batch")
    wants_x, wants_weight, wants_bias = node["output_mask"]
    return [
        _of_input(node, gradient, weight, kernel) if wants_x else None,
        _of_weight(node, gradient, x, kernel) if wants_weight else None,
        _of_bias(node, gradient) if wants_bias else None,
    ]


def _of_input(node: TorchOperation, gradient: Expr, weight: Expr, kernel: Sequence[int]) -> Expr:
    strides, pads, dilation = _settings(node, len(kernel))
    settings: dict[str, Any] = {
        "strides": strides, "padding": pads * 2, "dilation": dilation,
        "groups": int(node["groups"]),
    }  # fmt: skip
    if node["transposed"]:
        return node.emit(conv(gradient, weight, **settings))
    sizes, outs = (list(shape_of(node.tensor(node[k])) or ())[2:] for k in ("input", "grad_output"))
    along = zip(sizes, outs, kernel, strides, dilation, pads, strict=True)
    axes = [Axis(*of_axis) for of_axis in along]
    if has_few_phases(strides):
        return by_phases(node, gradient, weight, axes, settings["groups"])
    extra = [axis.behind_results for axis in axes]
    found = node.emit(conv_transpose(gradient, weight, output_padding=extra, **settings))
    return cut(node, found, sizes)


def _of_weight(node: TorchOperation, gradient: Expr, x: Expr, kernel: Sequence[int]) -> Expr:
    strides, pads, dilation = _settings(node, len(kernel))
    # A transposed convolution reads its result's gradient as the other one reads its input.
    image, results = (gradient, x) if node["transposed"] else (x, gradient)
    found = conv_weight_gradient(
        image, results, kernel=kernel, strides=strides, padding=pads * 2, dilation=dilation,
        groups=int(node["groups"]),
    )  # fmt: skip
    return node.emit(found)


def _of_bias(node: TorchOperation, gradient: Expr) -> Expr:
    axes = [axis for axis in range(rank_of(gradient) or 0) if axis != 1]
    return node.emit(relax.op.sum(gradient, axes))


def _settings(node: TorchOperation, axes: int) -> tuple[list[int], list[int], list[int]]:
    strides, pads, dilation = (each(node[k], axes) for k in ("stride", "padding", "dilation"))
    return strides, pads, dilation


def _numbers(node: TorchOperation, weight: Expr) -> list[int]:
    sizes = list(shape_of(weight) or ())
    node.require(all(isinstance(size, int) for size in sizes), "its weights' shape is symbolic")
    return [int(size) for size in sizes]
