"""Rotary position embeddings (Su et al., "RoFormer", 2021), from tables of cosines and sines."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.indices import indices_of
from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.indexing import gather
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.convert.stand_in import computed_by
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape


def rotary_embedding(op: Operation) -> Expr:
    """Convert RotaryEmbedding of (B, S, N H) or (B, N, S, H).

    No provider of onnxruntime reads the attribute `scale`, and nor does this.
    """
    op.require(not op.flag("is_packed_batching"), "is_packed_batching is not compiled")
    x = op.tensor(0)
    require_rank_of(op, 0, x, 3, 4)
    shape = require_shape(x)
    if len(shape) == 4:
        batch, _, length, _ = shape
        return _rotated(op, x, batch, length, heads_axis=1)
    batch, length, _ = shape
    heads, size = _heads(op, x)
    parted = op.emit(in_shape(x, [batch, length, heads, size]))
    turned = op.emit(_rotated(op, parted, batch, length, heads_axis=2))
    return in_shape(turned, shape)


def _heads(op: Operation, x: Expr) -> tuple[int, int]:
    """Return the number of heads that lie side by side, and their size."""
    [hidden] = require_static_shape(x, "its hidden size", [2])
    [half] = require_static_shape(op.tensor(2), "its table of cosines", [1])
    heads = op.integer("num_heads", 0)
    if not op.integer("rotary_embedding_dim", 0):
        heads = hidden // (2 * half) if half else 0
    op.require(heads and hidden % heads == 0, f"a hidden size of {hidden} are no {heads} heads")
    return heads, hidden // heads


def _rotated(op: Operation, x: Expr, batch: Dim, length: Dim, *, heads_axis: int) -> Expr:
    positions = op.tensor(1)
    require_rank_of(op, 1, positions, 1, 2)
    if require_rank(positions) == 2:
        positions = agree(op, positions, [batch, length])
    else:
        first = agree(op, positions, [1])
        steps = op.emit(relax.op.arange(0, length, 1, "int64"))
        places = op.emit(relax.op.add(steps, op.emit(relax.op.astype(first, "int64"))))
        positions = op.emit(relax.op.expand_dims(places, [0]))
    tables = (op.tensor(2), op.tensor(3))
    rows = require_shape(tables[0])[:1]
    positions = indices_of(op, positions, rows, from_back=False).tensor
    return rotated(op, x, positions, tables, heads_axis, interleaved=op.flag("interleaved"))


def rotated(
    op: Operation,
    x: Expr,
    positions: Expr,
    tables: tuple[Expr, Expr],
    heads_axis: int,
    *,
    interleaved: bool,
) -> Expr:
    """Return heads whose first elements are turned by their positions' angles.

    Args:
        op: For whose sake.
        x: Heads, (B, N, S, H) or (B, S, N, H).
        positions: (B, S) or (1, S).
        tables: Of cosines and of sines, (M, R / 2): as many elements of each head are turned.
        heads_axis: Which axis of `x` is that of the heads.
        interleaved: Whether neighbours are turned together, or elements of both halves.
    """
    cos, sin = (computed_by(op, gather, "Gather", t, positions, axis=0) for t in tables)
    cos, sin = (op.emit(relax.op.expand_dims(t, [heads_axis])) for t in (cos, sin))
    [size] = require_static_shape(x, "its head size", [3])
    [half] = require_static_shape(tables[0], "its table of cosines", [1])
    op.require(2 * half <= size, f"tables of {half} angles turn more than {size} elements")
    first, second = _pairs(op, x, half, interleaved=interleaved)

    def times(part: Expr, table: Expr) -> Expr:
        return op.emit(relax.op.multiply(part, table))

    turned = [
        op.emit(relax.op.subtract(times(first, cos), times(second, sin))),
        op.emit(relax.op.add(times(second, cos), times(first, sin))),
    ]
    if interleaved:
        apart = [op.emit(relax.op.expand_dims(t, [4])) for t in turned]
        pairs = op.emit(relax.op.concat(apart, 4))
        turned = [op.emit(in_shape(pairs, [*require_shape(x)[:3], 2 * half]))]
    if 2 * half < size:
        turned.append(_part(op, x, 2 * half, size))
    return op.emit(relax.op.concat(turned, 3)) if len(turned) > 1 else turned[0]


def _pairs(op: Operation, x: Expr, half: int, *, interleaved: bool) -> tuple[Expr, Expr]:
    """Return the elements that are turned: the first ones of all pairs, and the second ones."""
    if not interleaved:
        return _part(op, x, 0, half), _part(op, x, half, 2 * half)
    part = _part(op, x, 0, 2 * half)
    pairs = op.emit(in_shape(part, [*require_shape(x)[:3], half, 2]))
    first, second = (
        op.emit(relax.op.strided_slice(pairs, [4], [at], [at + 1], assume_inbound=True))
        for at in (0, 1)
    )
    return op.emit(relax.op.squeeze(first, [4])), op.emit(relax.op.squeeze(second, [4]))


def _part(op: Operation, x: Expr, start: int, end: int) -> Expr:
    return op.emit(relax.op.strided_slice(x, [3], [start], [end], assume_inbound=True))
