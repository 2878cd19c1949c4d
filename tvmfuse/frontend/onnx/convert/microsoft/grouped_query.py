"""GroupQueryAttention: causal attention with a cache, whose heads neighbouring queries share."""

from __future__ import annotations

from typing import Final

from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.indices import clamped, from_front
from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.microsoft import masks
from tvmfuse.frontend.onnx.convert.microsoft.heads import (
    Scoring,
    attended,
    joined_heads,
    shared_heads,
    split_heads,
)
from tvmfuse.frontend.onnx.convert.microsoft.rotary import rotated
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers
from tvmfuse.frontend.onnx.convert.runtime_shapes import measured
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import append_rows

NO_KEY: Final = float("-inf")

UNKNOWN: Final = {
    12: "a scale of quantized keys",
    13: "a scale of quantized values",
    14: "a norm of queries",
    15: "a norm of keys",
}
"""Operands that are refused."""


def group_query_attention(op: Operation) -> list[Expr | None]:
    """Convert GroupQueryAttention.

    Sequences of a batch may have different lengths: `seqlens_k` has for each the number of its
    keys, less one. The last S of them are new, and are appended to what is past of this sequence.
    """
    _check(op)
    heads, own = op.integer("num_heads", 0), op.integer("kv_num_heads", 0)
    q, k, v = _projected(op, heads, own)
    batch, _, queries, _ = require_shape(q)
    ends = _ends(op, batch)
    starts = op.emit(
        relax.op.maximum(op.emit(relax.op.subtract(ends, _count(op, queries))), scalar(0, "int64"))
    )
    column = op.emit(relax.op.expand_dims(starts, [1, 2, 3]))
    places = op.emit(relax.op.add(column, masks.counted(op, queries, 2)))  # (B, 1, S, 1)
    if op.flag("do_rotary"):
        q, k = (_turned(op, x, places) for x in (q, k))
    k, v = _present(op, k, v, starts)
    keys = require_shape(k)[2]
    mask = _mask(op, places, ends, keys, dtype_of(q))
    sums, _ = attended(
        op,
        q,
        shared_heads(op, k, heads),
        shared_heads(op, v, heads),
        Scoring(
            scale=op.number("scale", 0.0),
            softcap=op.number("softcap", 0.0),
            addends=(*((_bias(op, keys),) if op.has(10) else ()), mask),
            sink=_sink(op, heads, dtype_of(q)),
        ),
    )
    return [joined_heads(op, sums), k, v]


def _check(op: Operation) -> None:
    for position, what in UNKNOWN.items():
        op.require(not op.has(position), f"its operand {position}, {what}, is not compiled")
    for name in ("k_quant_type", "v_quant_type"):
        kind = op.text(name, "NONE")
        op.require(kind == "NONE", f"{name} is {kind!r}: a quantized cache is not compiled")
    for name in ("qk_output", "sliding_window_cache", "kv_cache_bit_width"):
        op.require(not op.flag(name), f"{name} is not compiled")
    op.require(op.has(3) == op.has(4), "it has past keys, or past values, but not both")
    op.require(op.has(1) == op.has(2), "it has keys, or values, but not both")
    heads, own = op.integer("num_heads", 0), op.integer("kv_num_heads", 0)
    op.require(
        own > 0 and heads % own == 0, f"num_heads is {heads}, no multiple of kv_num_heads, {own}"
    )


def _projected(op: Operation, heads: int, own: int) -> tuple[Expr, Expr, Expr]:
    """Return queries (B, N, S, H), and keys and values (B, N', S, H)."""
    query = op.tensor(0)
    require_rank_of(op, 0, query, 3)
    if not op.has(1):
        together = split_heads(op, query, heads + 2 * own)
        parts = op.emit(relax.op.split(together, [heads, heads + own], 1))
        q, k, v = (op.emit(relax.TupleGetItem(parts, i)) for i in range(3))
        return q, k, v
    rows = require_shape(query)[:2]
    sides = []
    for position in (1, 2):
        x = op.tensor(position)
        require_rank_of(op, position, x, 3)
        sides.append(split_heads(op, agree(op, x, [*rows, require_shape(x)[2]]), own))
    return split_heads(op, query, heads), *sides


def _ends(op: Operation, batch: Dim) -> Expr:
    """Return how many keys each sequence has, (B,), in int64."""
    lengths = op.tensor(5)
    if require_rank(lengths) == 2:
        lengths = op.emit(in_shape(agree(op, lengths, [batch, 1]), [batch]))
    wide = op.emit(relax.op.astype(agree(op, lengths, [batch]), "int64"))
    return op.emit(relax.op.add(wide, scalar(1, "int64")))


def _count(op: Operation, size: Dim) -> Expr:
    """Return a dimension as a tensor of one number."""
    if isinstance(size, int):
        return scalar(size, "int64")
    return op.emit(relax.op.shape_to_tensor(relax.ShapeExpr([size])))


def _turned(op: Operation, x: Expr, places: Expr) -> Expr:
    batch, _, length, _ = require_shape(x)
    op.require(op.has(7) and op.has(8), "do_rotary needs tables of cosines and sines")
    if op.has(9):
        positions = agree(op, op.tensor(9), [batch, length])
    else:
        rows = require_shape(op.tensor(7))[:1]
        # Those of padding may be any: nobody reads what they are turned by.
        within = clamped(op, from_front(op, places, rows), rows)
        positions = op.emit(in_shape(within, [batch, length]))
    tables = (op.tensor(7), op.tensor(8))
    return rotated(
        op, x, positions, tables, heads_axis=1, interleaved=op.flag("rotary_interleaved")
    )


def _present(op: Operation, k: Expr, v: Expr, starts: Expr) -> tuple[Expr, Expr]:
    """Return keys and values, (B, N', T, H): T as in the cache, or as is asked for if more."""
    asked = _asked(op)
    batch, own, _, size = require_shape(k)
    if not op.has(3):
        return _appended(op, None, k, starts, asked), _appended(op, None, v, starts, asked)
    capacity = require_shape(op.tensor(3))[2]
    pasts = [agree(op, op.tensor(at), [batch, own, capacity, size]) for at in (3, 4)]
    total = op.symbols.larger(capacity, asked)
    first, second = (
        _appended(op, past, new, starts, total) for past, new in zip(pasts, (k, v), strict=True)
    )
    if isinstance(total, int | tirx.Var):
        return first, second
    # A symbol of its own: a maximum would stand in each index of all that is computed of them.
    rows = op.symbols.fresh(f"{op.name}_keys")
    ty = relax.TensorType([batch, own, rows, size], dtype_of(k))
    return op.match(first, ty), op.match(second, ty)


def _asked(op: Operation) -> Dim:
    """Return how many keys the result has at least: known, or measured while the model runs."""
    if op.known(6) is not None:
        return op.dims(6)[0]
    fed = Numbers(op, op.tensor(6)).reshaped([1]).astype(INT64)
    return measured(fed.at_least(0), of_one=False)[0]


def _appended(op: Operation, past: Expr | None, new: Expr, starts: Expr, total: Dim) -> Expr:
    return op.emit(append_rows(past, new, starts, total))


def _mask(op: Operation, places: Expr, ends: Expr, keys: Dim, dtype: str) -> Expr:
    """Return what is added to scores: nothing where a query at its place may look at a key."""
    at = masks.counted(op, keys, 3)
    if not op.flag("causal", default=True):
        ends = op.emit(relax.op.expand_dims(ends, [1, 2, 3]))
        return masks.addend(op, op.emit(relax.op.less(at, ends)), NO_KEY, dtype)
    allowed = op.emit(relax.op.less_equal(at, places))
    window = op.integer("local_window_size", -1)
    op.require(window, "its local_window_size is 0: no query looks at any key")
    if window > 0:
        first = op.emit(relax.op.subtract(places, scalar(window, "int64")))
        near = op.emit(relax.op.greater(at, first))
        allowed = op.emit(relax.op.logical_and(allowed, near))
    return masks.addend(op, allowed, NO_KEY, dtype)


def _bias(op: Operation, keys: Dim) -> Expr:
    """Return what is given to be added to scores; rows of a cache that are not past have none."""
    bias = op.tensor(10)
    require_rank_of(op, 10, bias, 4)
    *around, count = require_shape(bias)
    if op.symbols.equal(count, keys):
        return bias
    rest = op.symbols.simplify(keys - count)
    nothing = op.emit(relax.op.zeros([*around, rest], dtype_of(bias)))
    return agree(op, op.emit(relax.op.concat([bias, nothing], 3)), [*around, keys])


def _sink(op: Operation, heads: int, dtype: str) -> Expr | None:
    """Return each head's sink, (1, N, 1, 1); 0 for `smooth_softmax`."""
    if op.has(11):
        sink = agree(op, op.tensor(11), [heads])
        return op.emit(in_shape(sink, [1, heads, 1, 1]))
    if not op.flag("smooth_softmax"):
        return None
    return op.emit(relax.op.zeros([1, heads, 1, 1], dtype))
