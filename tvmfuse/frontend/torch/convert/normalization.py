"""Norms, with what a backward pass wants of them."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of


def layer_norm(node: TorchOperation) -> list[Expr | None]:
    """Convert native_layer_norm: the result, the mean, and the deviation's reciprocal."""
    x, count = node.tensor(node["input"]), len(node["normalized_shape"])
    dtype, rank = dtype_of(x), rank_of(x) or 0
    sizes = (shape_of(x) or ())[rank - count :]
    weight = node.optional(node["weight"])
    if weight is None:
        weight = node.emit(relax.op.ones(list(sizes), dtype))
    bias = node.optional(node["bias"])
    epsilon = float(node["eps"])
    result = node.onnx("LayerNormalization", x, weight, bias, axis=-count, epsilon=epsilon)
    axes = list(range(rank - count, rank))
    read = node.is_read(1) or node.is_read(2)
    return [result, *(_statistics(node, x, axes) if read else (None, None))]


def _statistics(node: TorchOperation, x: Expr, axes: Sequence[int]) -> tuple[Expr, Expr]:
    """Return the mean, and the reciprocal of the deviation with epsilon."""
    mean, spread = _moments(node, x, axes)
    return mean, _reciprocal(node, spread)


def _moments(node: TorchOperation, x: Expr, axes: Sequence[int]) -> tuple[Expr, Expr]:
    """Return the mean, and the mean of squared distances from it."""
    mean = node.onnx("ReduceMean", x, axes, keepdims=1)
    away = node.onnx("Sub", x, mean)
    return mean, node.onnx("ReduceMean", node.onnx("Mul", away, away), axes, keepdims=1)


def _reciprocal(node: TorchOperation, spread: Expr) -> Expr:
    epsilon = node.number(node["eps"], dtype_of(spread))
    return node.onnx("Reciprocal", node.onnx("Sqrt", node.onnx("Add", spread, epsilon)))


def group_norm(node: TorchOperation) -> list[Expr | None]:
    """Convert native_group_norm."""
    x, groups, epsilon = node.tensor(node["input"]), int(node["group"]), float(node["eps"])
    dtype, shape = dtype_of(x), shape_of(x) or ()
    weight, bias = (node.optional(node[name]) for name in ("weight", "bias"))
    if weight is None:
        weight = node.emit(relax.op.ones([shape[1]], dtype))
    if bias is None:
        bias = node.emit(relax.op.zeros([shape[1]], dtype))
    operands = (x, weight, bias)
    result = node.onnx("GroupNormalization", *operands, num_groups=groups, epsilon=epsilon)
    if not (node.is_read(1) or node.is_read(2)):
        return [result, None, None]
    rest = node.symbols.quotient(node.symbols.product(shape[1:]), groups)
    found = _statistics(node, node.reshaped(x, [shape[0], groups, rest]), [2])
    return [result, *(node.reshaped(value, [shape[0], groups]) for value in found)]


def norm_of_batch(node: TorchOperation) -> list[Expr]:
    """Convert batch norm by the batch's own statistics: the result, the mean, and the reciprocal.

    Channel by channel the result is a product and a sum, as in torch: what is left of the input
    are two numbers, so that nothing as large as the image waits for them.
    """
    x = node.tensor(node["input"])
    rank = rank_of(x) or 0
    axes = [axis for axis in range(rank) if axis != 1]
    mean, spread = _moments(node, x, axes)
    scale = _reciprocal(node, spread)
    along = list(shape_of(mean) or ())
    factor = scale
    if node["weight"] is not None:
        factor = node.onnx("Mul", scale, node.reshaped(node.tensor(node["weight"]), along))
    shift = node.onnx("Neg", node.onnx("Mul", mean, factor))
    if node["bias"] is not None:
        shift = node.onnx("Add", shift, node.reshaped(node.tensor(node["bias"]), along))
    result = node.onnx("Add", node.onnx("Mul", x, factor), shift)
    mean, scale = (node.reshaped(value, along[1:2]) for value in (mean, scale))
    return [result, mean, scale]


def batch_norm(node: TorchOperation) -> list[Expr | None]:
    """Convert batch norm with the statistics that are known, which is no training."""
    node.require(not node.get("training"), "it trains")
    x = node.tensor(node["input"])
    dtype, channels = dtype_of(x), (shape_of(x) or ())[1]
    weight, bias = (node.optional(node[name]) for name in ("weight", "bias"))
    if weight is None:
        weight = node.emit(relax.op.ones([channels], dtype))
    if bias is None:
        bias = node.emit(relax.op.zeros([channels], dtype))
    mean, variance = node.tensor(node["running_mean"]), node.tensor(node["running_var"])
    operands = (x, weight, bias, mean, variance)
    result = node.onnx("BatchNormalization", *operands, epsilon=float(node["eps"]))
    nothing = node.emit(relax.op.zeros([0], dtype))
    return [result, nothing, nothing]
