"""Scaled dot-product attention, as torch has it for the CPU."""

from __future__ import annotations

import math

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of
from tvmfuse.ops.lowering.half import HALF


def attention(node: TorchOperation) -> list[Expr | None]:
    """Convert _scaled_dot_product_flash_attention_for_cpu, [batch, heads, length, width] each."""
    scores = _scores(node)
    weights = node.onnx("Softmax", scores, axis=-1)
    result = node.onnx("MatMul", weights, node.tensor(node["value"]))
    if not node.is_read(1):
        return [result, None]
    return [result, node.onnx("ReduceLogSumExp", _wide(node, scores), [3], keepdims=0)]


def attention_backward(node: TorchOperation) -> list[Expr]:
    """Convert its backward pass, which computes the weights anew from what was summed up."""
    gradient, q, k, v, out = (
        node.tensor(node[name]) for name in ("grad_out", "query", "key", "value", "out")
    )
    scores = _wide(node, _scores(node))
    total = node.onnx("Unsqueeze", node.tensor(node["logsumexp"], dtype_of(scores)), [3])
    weights = node.cast(node.onnx("Exp", node.onnx("Sub", scores, total)), dtype_of(q))
    of_weights = node.onnx("MatMul", gradient, _turned(node, v))
    own = node.onnx("ReduceSum", node.onnx("Mul", gradient, out), [3], keepdims=1)
    of_scores = node.onnx("Mul", weights, node.onnx("Sub", of_weights, own))
    of_scores = node.onnx("Mul", of_scores, node.number(_scale(node, q), dtype_of(q)))
    return [
        node.onnx("MatMul", of_scores, k),
        node.onnx("MatMul", _turned(node, of_scores), q),
        node.onnx("MatMul", _turned(node, weights), gradient),
    ]


def _scores(node: TorchOperation) -> Expr:
    """Return the products of queries and keys, scaled and masked."""
    node.require(not node["dropout_p"], "it drops out")
    q, k = node.tensor(node["query"]), node.tensor(node["key"])
    dtype = dtype_of(q)
    scaled = node.onnx("Mul", q, node.number(_scale(node, q), dtype))
    scores = node.onnx("MatMul", scaled, _turned(node, k))
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
    return scores


def _wide(node: TorchOperation, scores: Expr) -> Expr:
    """Return scores of a half precision as float32, which torch sums them up in."""
    return node.cast(scores, "float32") if dtype_of(scores) in HALF else scores


def _scale(node: TorchOperation, q: Expr) -> float:
    width = (shape_of(q) or ())[-1]
    node.require(rank_of(q) == 4 and isinstance(width, int), "its query has no fixed width")
    return float(node.get("scale", 1 / math.sqrt(int(width))))


def _turned(node: TorchOperation, x: Expr) -> Expr:
    return node.onnx("Transpose", x, perm=[0, 1, 3, 2])


def _masked(node: TorchOperation, scores: Expr, seen: Expr) -> Expr:
    return node.onnx("Where", seen, scores, node.number(-math.inf, dtype_of(scores)))
