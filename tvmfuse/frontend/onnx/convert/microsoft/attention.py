"""Attention and MultiHeadAttention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, with_dim
from tvmfuse.frontend.onnx.convert.matrix import product
from tvmfuse.frontend.onnx.convert.microsoft import masks
from tvmfuse.frontend.onnx.convert.microsoft.activations import with_bias
from tvmfuse.frontend.onnx.convert.microsoft.heads import (
    Scoring,
    attended,
    joined_heads,
    split_heads,
)
from tvmfuse.frontend.onnx.convert.microsoft.quantized_products import scaled_product
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of

SHARED: Final = "past_present_share_buffer is not compiled"
NONE: Final = 10**6
"""The position of an operand that an operator does not have."""


def attention(op: Operation) -> list[Expr | None]:
    """Convert Attention: one product makes queries, keys and values of the input."""
    op.require(not op.flag("do_rotary"), "do_rotary is not compiled")
    op.require(not op.flag("past_present_share_buffer"), SHARED)
    op.require(not op.has(6), "its operand 6, a length of what is past, is not compiled")
    x = op.tensor(0)
    require_rank_of(op, 0, x, 3)
    packed = with_bias(op, op.emit(product(op, x, op.tensor(1))), 2)
    return _self_attention(op, packed, cache=4, mask=3, bias=5)


def quantized_attention(op: Operation) -> list[Expr | None]:
    """Convert QAttention: the same, of an input and weights that are quantized."""
    op.require(not op.flag("do_rotary"), "do_rotary is not compiled")
    op.require(not op.flag("past_present_share_buffer"), SHARED)
    require_rank_of(op, 0, op.tensor(0), 3)
    packed = scaled_product(op, (0, 3, 6), (1, 4, 7), bias=2)
    return _self_attention(op, packed, cache=8, mask=5)


def _self_attention(
    op: Operation, packed: Expr, *, cache: int, mask: int, bias: int = NONE
) -> list[Expr | None]:
    """Return the attention of packed projections, and its cache; the numbers are positions."""
    heads = op.integer("num_heads", 0)
    q, k, v = (split_heads(op, part, heads) for part in _parts(op, packed))
    past: Dim = 0
    present: Expr | None = None
    if op.has(cache):
        require_rank_of(op, cache, op.tensor(cache), 5)
        both_past = with_dim(op, op.tensor(cache), 0, 2)
        past = require_shape(both_past)[3]
        before = op.emit(relax.op.split(both_past, 2, 0))
        k, v = (
            _behind(op, op.emit(relax.op.squeeze(relax.TupleGetItem(before, i), [0])), new)
            for i, new in enumerate((k, v))
        )
    if op.is_read(1):
        both = [op.emit(relax.op.expand_dims(part, [0])) for part in (k, v)]
        present = relax.op.concat(both, 0)
    sums, _ = masked_attention(op, q, k, v, past, mask=mask, bias=bias)
    return [joined_heads(op, sums), present]


def _parts(op: Operation, packed: Expr) -> Sequence[Expr]:
    """Return the queries, keys and values that lie side by side."""
    [width] = require_static_shape(packed, "its projections", [2])
    sizes = op.integers("qkv_hidden_sizes") or [width // 3] * 3
    op.require(
        len(sizes) == 3 and sum(sizes) == width,
        f"projections of {width} elements are no queries, keys and values of {sizes}",
    )
    if len(set(sizes)) == 1:
        split = op.emit(relax.op.split(packed, 3, 2))
    else:
        split = op.emit(relax.op.split(packed, [sizes[0], sizes[0] + sizes[1]], 2))
    return [op.emit(relax.TupleGetItem(split, i)) for i in range(3)]


def _behind(op: Operation, past: Expr, new: Expr) -> Expr:
    """Return keys or values (B, N, P + L, H) of what is past and what is new."""
    batch, heads, _, size = require_shape(new)
    past = agree(op, past, [batch, heads, require_shape(past)[2], size])
    return op.emit(relax.op.concat([past, new], 2))


def masked_attention(
    op: Operation, q: Expr, k: Expr, v: Expr, past: Dim, *, mask: int, bias: int
) -> tuple[Expr, Expr]:
    """Return sums and scores; `mask` and `bias` are the positions of operands that are added."""
    batch, _, queries, _ = require_shape(q)
    keys, dtype = require_shape(k)[2], dtype_of(q)
    addends = []
    if op.has(bias):
        require_rank_of(op, bias, op.tensor(bias), 4)
        addends.append(op.tensor(bias))
    if op.has(mask):
        addends.append(masks.padding(op, op.tensor(mask), batch, queries, keys, dtype=dtype))
    if op.flag("unidirectional") and queries != 1:
        op.require(
            isinstance(queries, int) or op.symbols.equal(keys, past + queries),
            "unidirectional attention to keys of another number than queries is not compiled where "
            "that of queries is symbolic",
        )
        addends.append(masks.causal(op, past, queries, keys, dtype=dtype))
    return attended(op, q, k, v, Scoring(scale=op.number("scale", 0.0), addends=tuple(addends)))


def multi_head_attention(op: Operation) -> list[Expr | None]:
    """Convert MultiHeadAttention of separate or packed queries, keys and values."""
    for position, what in ((8, "a length of what is past"), (9, "indirections of a cache")):
        op.require(not op.has(position), f"its operand {position}, {what}, is not compiled")
    op.require(op.has(6) == op.has(7), "it has past keys, or past values, but not both")
    q, k, v = _projected(op)
    past: Dim = 0
    if op.has(6):
        past = require_shape(op.tensor(6))[2]
        k, v = (_behind(op, op.tensor(at), new) for at, new in ((6, k), (7, v)))
    sums, scores = masked_attention(op, q, k, v, past, mask=4, bias=5)
    return [joined_heads(op, sums), k, v, scores if op.is_read(3) else None]


def _projected(op: Operation) -> tuple[Expr, Expr, Expr]:
    """Return queries, keys and values, each (B, N, S, H), of the forms that operands may have."""
    heads, query = op.integer("num_heads", 0), op.tensor(0)
    if require_rank(query) == 5:  # (B, S, N, 3, H)
        op.require(not (op.has(1) or op.has(2) or op.has(3)), "packed queries stand alone")
        q, k, v = _unpacked(op, query, 3)
        return q, k, v
    require_rank_of(op, 0, query, 3)
    op.require(op.has(1), "its keys are absent, and its queries are not packed")
    key = op.tensor(1)
    if require_rank(key) == 5:  # (B, L, N, 2, H)
        op.require(not (op.has(2) or op.has(3)), "packed keys and values have no bias")
        k, v = _unpacked(op, key, 2)
        return split_heads(op, query, heads), k, v
    value = op.tensor(2)
    if require_rank(key) == 4:  # (B, N, L, H)
        op.require(not op.has(3), "a bias of keys that are split into heads is not compiled")
        op.require(
            not op.has(6), "past keys beside keys that are split into heads are not compiled"
        )
        require_rank_of(op, 2, value, 4)
        return split_heads(op, query, heads), key, value
    require_rank_of(op, 1, key, 3)
    require_rank_of(op, 2, value, 3)
    q, k, v = (split_heads(op, x, heads) for x in biased(op, [query, key, value]))
    return q, k, v


def _unpacked(op: Operation, packed: Expr, count: int) -> list[Expr]:
    """Return the parts (B, N, S, H) of (B, S, N, count, H)."""
    split = op.emit(relax.op.split(packed, count, 3))
    parts = [op.emit(relax.op.squeeze(relax.TupleGetItem(split, i), [3])) for i in range(count)]
    return [op.emit(relax.op.permute_dims(part, [0, 2, 1, 3])) for part in parts]


def biased(op: Operation, tensors: Sequence[Expr], position: int = 3) -> Sequence[Expr]:
    """Return projections plus their parts of one vector, where there is one."""
    bias = op.optional(position)
    if bias is None:
        return tensors
    widths = [require_static_shape(t, "its hidden size", [2])[0] for t in tensors]
    bias, start, found = agree(op, bias, [sum(widths)]), 0, []
    for x, width in zip(tensors, widths, strict=True):
        end = start + width
        part = op.emit(relax.op.strided_slice(bias, [0], [start], [end], assume_inbound=True))
        found.append(op.emit(relax.op.add(x, part)))
        start = end
    return found
