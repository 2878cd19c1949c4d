"""Norms of sums, as they stand between a transformer's blocks and behind its embeddings."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.indices import indices_of
from tvmfuse.frontend.onnx.convert.broadcast import agree, broadcast_to
from tvmfuse.frontend.onnx.convert.indexing import gather
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.convert.microsoft.stored_weights import real
from tvmfuse.frontend.onnx.convert.normalization import layer_normalization, rms_normalization
from tvmfuse.frontend.onnx.convert.quantization import one_number
from tvmfuse.frontend.onnx.convert.stand_in import computed_by
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.types import dtype_of

EPSILON: float = 1e-12
"""What is added to a variance where the node does not say."""


def skip_layer_normalization(op: Operation) -> list[Expr | None]:
    """Convert SkipLayerNormalization: a norm of x + bias + skip, and this sum."""
    total = _residual(op, op.optional(4))
    return [_layer_norm(op, total, op.tensor(2), op.optional(3)), None, None, total]


def skip_simplified_layer_normalization(op: Operation) -> list[Expr | None]:
    """Convert SkipSimplifiedLayerNormalization: an RMS norm of x + bias + skip, and this sum."""
    total = _residual(op, op.optional(3))
    epsilon = op.number("epsilon", EPSILON)
    normal = computed_by(
        op, rms_normalization, "RMSNormalization", total, op.tensor(2), epsilon=epsilon
    )
    return [normal, None, None, total]


def _residual(op: Operation, bias: Expr | None) -> Expr:
    """Return x + bias + skip; one skip may do for all of a batch."""
    x, skip = op.tensor(0), op.tensor(1)
    shape = require_shape(x)
    op.require(require_rank(skip) <= len(shape), "its skip has more dimensions than its input")
    skip = agree(op, skip, broadcast_to(op, require_shape(skip), shape), sure=False)
    if bias is not None:
        x = op.emit(relax.op.add(x, agree(op, bias, shape[-1:])))
    return op.emit(relax.op.add(x, skip))


def _layer_norm(op: Operation, x: Expr, gamma: Expr, beta: Expr | None) -> Expr:
    epsilon = op.number("epsilon", EPSILON)
    return computed_by(
        op, layer_normalization, "LayerNormalization", x, gamma, beta, epsilon=epsilon
    )


def simplified_layer_normalization(op: Operation) -> list[Expr | None]:
    """Convert SimplifiedLayerNormalization, which is RMSNormalization, and what it divides by."""
    if not op.is_read(1):
        return [rms_normalization(op), None]
    x = op.tensor(0)
    rank = require_rank(x)
    axes = list(range(op.integer("axis", -1) % rank, rank))
    wide = x if dtype_of(x) == "float32" else op.emit(relax.op.astype(x, "float32"))
    squares = op.emit(relax.op.mean(op.emit(relax.op.multiply(wide, wide)), axes, keepdims=True))
    shifted = op.emit(relax.op.add(squares, scalar(op.number("epsilon", 1e-5), "float32")))
    return [op.emit(rms_normalization(op)), relax.op.rsqrt(shifted)]


def embed_layer_normalization(op: Operation) -> list[Expr | None]:
    """Convert EmbedLayerNormalization: the norm of a sum of embeddings, this sum, and lengths."""
    tables = op.tensor(2), op.tensor(3), op.optional(4)
    return _embedded(op, tables, op.tensor(5), op.tensor(6), op.optional(8))


def quantized_embed_layer_normalization(op: Operation) -> list[Expr | None]:
    """Convert QEmbedLayerNormalization: the same of tables that are stored in bytes."""
    words, positions, segments, gamma, beta = range(2, 7)
    of_segments = _stored(op, segments) if op.has(segments) else None
    tables = _stored(op, words), _stored(op, positions), of_segments
    return _embedded(op, tables, _stored(op, gamma), _stored(op, beta))[:2]


def _stored(op: Operation, position: int) -> Expr:
    """Return an operand's numbers; its scale is 6 operands behind it, its zero point 11."""
    for place in (position, position + 6, position + 11):
        op.require(op.has(place), f"its operand {place} is absent")
    parameters = [one_number(op, op.tensor(position + behind)) for behind in (6, 11)]
    return real(op, op.tensor(position), *parameters)


def _embedded(
    op: Operation,
    tables: tuple[Expr, Expr, Expr | None],
    gamma: Expr,
    beta: Expr | None,
    places: Expr | None = None,
) -> list[Expr | None]:
    """Return the norm of a sum of embeddings, lengths, and the sum.

    Args:
        op: Its operand 0 has words, 1 segments, 7 a mask.
        tables: Of words, positions and segments.
        gamma: The norm's scale.
        beta: The norm's bias.
        places: The positions of words.
    """
    words, (table, positions, of_segments) = op.tensor(0), tables
    require_rank_of(op, 0, words, 2)
    total = op.emit(relax.op.add(_rows(op, table, words), _positions(op, positions, words, places)))
    op.require(
        op.has(1) == (of_segments is not None),
        "it has segments, or their embedding, but not both",
    )
    if of_segments is not None:
        segments = agree(op, op.tensor(1), require_shape(words))
        total = op.emit(relax.op.add(total, _rows(op, of_segments, segments)))
    lengths = _lengths(op, words) if op.is_read(1) else None
    return [_layer_norm(op, total, gamma, beta), lengths, total]


def _rows(op: Operation, table: Expr, numbers: Expr) -> Expr:
    numbers = indices_of(op, numbers, require_shape(table)[:1], from_back=False).tensor
    return computed_by(op, gather, "Gather", table, numbers, axis=0)


def _positions(op: Operation, table: Expr, words: Expr, given: Expr | None) -> Expr:
    """Return the embeddings of positions, (1, S, N) or (B, S, N); they count from 0 by default."""
    shape = require_shape(words)
    if given is not None:
        return _rows(op, table, agree(op, given, broadcast_to(op, require_shape(given), shape)))
    count = op.emit(relax.op.arange(0, shape[1], 1, "int64"))
    rows = _rows(op, table, count)
    return op.emit(relax.op.expand_dims(rows, [0]))


def _lengths(op: Operation, words: Expr) -> Expr:
    """Return for each sequence how many elements of the mask are 1; 0 without a mask."""
    if not op.has(7):
        return relax.op.zeros(require_shape(words)[:1], "int32")
    ones = op.emit(relax.op.equal(op.tensor(7), scalar(1, dtype_of(op.tensor(7)))))
    return relax.op.sum(op.emit(relax.op.astype(ones, "int32")), [1])
