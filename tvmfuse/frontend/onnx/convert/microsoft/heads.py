"""Attention over heads, as the operators of `com.microsoft` have it.

It is written out, products and softmax: `AttentionFusion` makes one operator of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, broadcast_to
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of


@dataclass(frozen=True)
class Scoring:
    """How products of queries and keys become weights.

    Attributes:
        scale: What they are multiplied by; 0 for 1 / sqrt(head size).
        softcap: Scaled products are kept below it by a tanh; 0 for not at all.
        addends: Added after that, in order; each broadcasts to (B, N, S, T).
        sink: A score of each head that takes its share of the weights, (1, N, 1, 1), or None.
    """

    scale: float = 0.0
    softcap: float = 0.0
    addends: tuple[Expr, ...] = ()
    sink: Expr | None = None


def split_heads(op: Operation, x: Expr, heads: int) -> Expr:
    """Return (B, N, S, H) of (B, S, N H)."""
    batch, length, _ = require_shape(x)
    [hidden] = require_static_shape(x, "its hidden size", [2])
    op.require(heads > 0 and hidden % heads == 0, f"a hidden size of {hidden} are no {heads} heads")
    parted = op.emit(in_shape(x, [batch, length, heads, hidden // heads]))
    return op.emit(relax.op.permute_dims(parted, [0, 2, 1, 3]))


def joined_heads(op: Operation, x: Expr) -> Expr:
    """Return (B, S, N H) of (B, N, S, H)."""
    batch, heads, length, size = require_shape(x)
    turned = op.emit(relax.op.permute_dims(x, [0, 2, 1, 3]))
    return in_shape(turned, [batch, length, op.symbols.product([heads, size])])


def shared_heads(op: Operation, x: Expr, heads: int) -> Expr:
    """Return keys or values (B, N', T, H) with each head as often as N heads of queries read it."""
    batch, own, length, size = require_shape(x)
    [count] = require_static_shape(x, "its number of heads", [1])
    if count == heads:
        return x
    apart = op.emit(relax.op.expand_dims(x, [2]))
    copies = op.emit(relax.op.broadcast_to(apart, [batch, own, heads // count, length, size]))
    return op.emit(in_shape(copies, [batch, heads, length, size]))


def attended(op: Operation, q: Expr, k: Expr, v: Expr, how: Scoring) -> tuple[Expr, Expr]:
    """Return the sums of values, (B, N, S, E), and the scores, (B, N, S, T), before the softmax.

    Args:
        op: For whose sake.
        q: Queries, (B, N, S, H).
        k: Keys, (B, N, T, H).
        v: Values, (B, N, T, E).
        how: The scores.
    """
    k, v = _of_one_size(op, q, k, v)
    dtype = dtype_of(q)
    [size] = require_static_shape(q, "its head size", [3])
    scale = how.scale or 1 / math.sqrt(size)
    turned = op.emit(relax.op.permute_dims(k, [0, 1, 3, 2]))
    products = op.emit(relax.op.matmul(q, turned))
    scores = op.emit(relax.op.multiply(products, scalar(scale, dtype)))
    if how.softcap:
        small = op.emit(relax.op.divide(scores, scalar(how.softcap, dtype)))
        bounded = op.emit(relax.op.tanh(small))
        scores = op.emit(relax.op.multiply(bounded, scalar(how.softcap, dtype)))
    for addend in how.addends:
        fitting = broadcast_to(op, require_shape(addend), require_shape(scores))
        scores = op.emit(relax.op.add(scores, agree(op, addend, fitting)))
    weights = _softmax(op, scores, how.sink)
    return op.emit(relax.op.matmul(weights, v)), scores


def _of_one_size(op: Operation, q: Expr, k: Expr, v: Expr) -> tuple[Expr, Expr]:
    batch, heads, _, size = require_shape(q)
    _, _, length, _ = require_shape(k)
    k = agree(op, k, [batch, heads, length, size])
    return k, agree(op, v, [batch, heads, length, require_shape(v)[3]])


def _softmax(op: Operation, scores: Expr, sink: Expr | None) -> Expr:
    """Return the weights of keys; a sink's own weight is left out."""
    if sink is None:
        return op.emit(relax.op.nn.softmax(scores, -1))
    batch, heads, queries, keys = require_shape(scores)
    column: list[Dim] = [batch, heads, queries, 1]
    more = op.emit(relax.op.broadcast_to(sink, column))
    together = op.emit(relax.op.concat([scores, more], 3))
    shares = op.emit(relax.op.nn.softmax(together, -1))
    return op.emit(relax.op.strided_slice(shares, [3], [0], [keys], assume_inbound=True))
