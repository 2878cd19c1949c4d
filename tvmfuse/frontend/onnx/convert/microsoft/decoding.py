"""DecoderMaskedMultiHeadAttention: one step of a decoder, with its cache or an encoder's keys."""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.microsoft.attention import biased, masked_attention
from tvmfuse.frontend.onnx.convert.microsoft.heads import joined_heads, split_heads
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure, measured
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim

PAST_KEY, PAST_VALUE, PAST_LENGTH, BIAS = 5, 6, 7, 10

ROOM: Final = "the cache has room for the step"


def decoder_masked_multi_head_attention(op: Operation) -> list[Expr | None]:
    """Convert DecoderMaskedMultiHeadAttention of one beam."""
    for position, what in ((8, "a number of beams"), (9, "indirections of a cache")):
        op.require(not op.has(position), f"its operand {position}, {what}, is not compiled")
    op.require(op.has(1) and op.has(2), "packed queries, keys and values are not compiled")
    op.require(op.has(5) == op.has(6), "it has past keys, or past values, but not both")
    require_rank_of(op, 0, op.tensor(0), 3)
    return _of_itself(op) if op.has(PAST_KEY) else _of_an_encoder(op)


def _of_an_encoder(op: Operation) -> list[Expr | None]:
    """Attend to keys that an encoder has split into heads, and that stay as they are."""
    q = op.tensor(0)
    for position in (1, 2):
        require_rank_of(op, position, op.tensor(position), 4)
    if op.has(BIAS):
        hidden = require_shape(q)[2]
        op.require(isinstance(hidden, int), "its hidden size has to be a number")
        part = op.emit(relax.op.strided_slice(op.tensor(BIAS), [0], [0], [hidden]))
        q = op.emit(relax.op.add(q, part))
    q = split_heads(op, q, op.integer("num_heads", 0))
    sums, scores = masked_attention(op, q, op.tensor(1), op.tensor(2), 0, mask=3, bias=4)
    return [joined_heads(op, sums), None, None, scores if op.is_read(3) else None]


def _of_itself(op: Operation) -> list[Expr | None]:
    """Write a row of keys and values into a cache, and attend to all rows up to that one.

    The cache's other rows stay. That it has room for one more is checked while the model runs.
    """
    op.require(op.flag("past_present_share_buffer"), "a cache without past_present_share_buffer")
    op.require(op.has(PAST_LENGTH), "its operand 7, how many rows of the cache are past, is absent")
    heads = op.integer("num_heads", 0)
    for position in (1, 2):
        require_rank_of(op, position, op.tensor(position), 3)
    projected = biased(op, [op.tensor(i) for i in range(3)], BIAS)
    q, k, v = (split_heads(op, x, heads) for x in projected)
    batch, _, _, size = require_shape(k)
    require_rank_of(op, PAST_KEY, op.tensor(PAST_KEY), 4)
    capacity = require_shape(op.tensor(PAST_KEY))[2]
    place, total = _place(op, capacity)
    written = counting(op, capacity).beside(4, 2).equals(place)
    presents, seen = [], []
    for position, new in ((PAST_KEY, k), (PAST_VALUE, v)):
        past = agree(op, op.tensor(position), [batch, heads, capacity, size])
        row = Numbers(op, agree(op, new, [batch, heads, 1, size]))
        presents.append(written.where(row, Numbers(op, past)).expr)
        part = relax.op.strided_slice(presents[-1], [2], [0], [total], assume_inbound=True)
        seen.append(op.emit(part))
    keys, values = seen
    sums, scores = masked_attention(op, q, keys, values, 0, mask=3, bias=4)
    return [joined_heads(op, sums), *presents, scores if op.is_read(3) else None]


def _place(op: Operation, capacity: Dim) -> tuple[Numbers, Dim]:
    """Return which row is written, as a vector of one number, and how many there are with it."""
    if op.known(PAST_LENGTH) is not None:
        place, [past] = sizes_of(op, op.dims(PAST_LENGTH)), op.dims(PAST_LENGTH)
        ensure(place < sizes_of(op, [capacity]), ROOM)
        return place, past + 1
    place = Numbers(op, op.tensor(PAST_LENGTH)).reshaped([1]).astype(INT64)
    ensure((place >= 0) & (place < sizes_of(op, [capacity])), ROOM)
    [total] = measured(place + 1)
    return place, total
