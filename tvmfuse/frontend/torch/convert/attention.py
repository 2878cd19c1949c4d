"""Scaled dot-product attention, as torch has it for the CPU."""

from __future__ import annotations

import math

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of


def attention(node: TorchOperation) -> list[Expr | None]:
    """Convert _scaled_dot_product_flash_attention_for_cpu, [batch, heads, length, width] each."""
    node.require(not node["dropout_p"], "it drops out")
    q, k, v = (node.tensor(node[name]) for name in ("query", "key", "value"))
    dtype, width = dtype_of(q), (shape_of(q) or ())[-1]
    node.require(rank_of(q) == 4 and isinstance(width, int), "its query has no fixed width")
    scale = node.get("scale", 1 / math.sqrt(int(width)))
    scaled = node.onnx("Mul", q, node.number(float(scale), dtype))
    scores = node.onnx("MatMul", scaled, node.onnx("Transpose", k, perm=[0, 1, 3, 2]))
    mask = node.optional(node["attn_mask"])
    if mask is not None:
        scores = (
            _masked(node, scores, mask)
            if dtype_of(mask) == "bool"
            else node.onnx("Add", scores, node.cast(mask, dtype))
        )
    if node["is_causal"]:
        dims = list(shape_of(scores) or ())[-2:]
        ones = node.emit(relax.op.ones(dims, "int8"))
        seen = node.cast(node.onnx("Trilu", ones, None, upper=0), "bool")
        scores = _masked(node, scores, seen)
    weights = node.onnx("Softmax", scores, axis=-1)
    result = node.onnx("MatMul", weights, v)
    if not node.is_read(1):
        return [result, None]
    return [result, node.onnx("ReduceLogSumExp", scores, [3], keepdims=0)]


def _masked(node: TorchOperation, scores: Expr, seen: Expr) -> Expr:
    return node.onnx("Where", seen, scores, node.number(-math.inf, dtype_of(scores)))
