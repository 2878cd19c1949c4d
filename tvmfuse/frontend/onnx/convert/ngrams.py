"""TfIdfVectorizer: how often n-grams of a pool stand in rows of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import constant

MODES: Final = ("TF", "IDF", "TFIDF")

MOST_DISTANCES: Final = 1_000
"""Each of them is computed by operators of its own."""


@dataclass(frozen=True, eq=False)
class Grams:
    """The n-grams of one length.

    Attributes:
        numbers: Shape (G, n), int64.
        columns: Where each is counted, (G,).
    """

    numbers: np.ndarray
    columns: np.ndarray


def tf_idf_vectorizer(op: Operation) -> Expr:
    """Convert TfIdfVectorizer of integers.

    Each n-gram is held against each place of a row, with each distance between its numbers.
    """
    op.require(not op.attribute("pool_strings"), "its pool are strings (pool_strings)")
    mode = op.text("mode", "")
    op.require(mode in MODES, f"its mode is {mode!r}; expected {', '.join(MODES)}")
    x = Numbers(op, op.tensor(0)).astype(INT64)
    rank = require_rank(x.expr)
    op.require(rank in (1, 2), f"its input has rank {rank}; expected 1 or 2")
    rows = x.expanded(0) if rank == 1 else x
    columns = op.integers("ngram_indexes") or [0]
    width = 1 + max(columns)
    size = require_shape(rows.expr)[1]
    counted = [
        (g.columns, _counts(rows, g, d)) for g in _grams(op) for d in _distances(op, g, size)
    ]
    counts = _scattered(op, rows, counted, width)
    weighted = _weighted(op, counts, mode, width)
    return weighted.reshaped([width]).expr if rank == 1 else weighted.expr


def _grams(op: Operation) -> Iterator[Grams]:
    """Yield the n-grams of each length that is asked for; the pool has those of all lengths."""
    pool = np.array(op.integers("pool_int64s") or [], np.int64)
    columns = np.array(op.integers("ngram_indexes") or [], np.int64)
    op.require(len(pool), "its pool is empty")
    begins = op.integers("ngram_counts") or []
    least, most = op.integer("min_gram_length", 1), op.integer("max_gram_length", 1)
    seen = 0
    for length, (begin, end) in enumerate(zip(begins, [*begins[1:], len(pool)], strict=True), 1):
        count, rest = divmod(end - begin, length)
        op.require(
            0 <= begin <= end <= len(pool) and not rest and seen + count <= len(columns),
            f"ngram_counts and ngram_indexes do not fit its pool of {len(pool)} numbers",
        )
        if least <= length <= most and count:
            numbers = pool[begin:end].reshape(count, length)
            yield Grams(numbers, columns[seen : seen + count])
        seen += count


def _distances(op: Operation, grams: Grams, size: Dim) -> range:
    """Return from how far to how far two numbers of an n-gram may stand apart in a row."""
    steps = grams.numbers.shape[1] - 1
    most = 1 + op.integer("max_skip_count", 0) if steps else 1
    if isinstance(size, int) and steps:
        most = min(most, (size - 1) // steps)
    op.require(most <= MOST_DISTANCES, f"its max_skip_count is more than {MOST_DISTANCES}")
    return range(1, most + 1)


def _counts(rows: Numbers, grams: Grams, distance: int) -> Numbers:
    """Return how often each n-gram stands in each row, (B, G), of float32."""
    op, length = rows.op, grams.numbers.shape[1]
    [size] = require_shape(rows.expr)[1:]
    begins = counting(op, size)
    met = (begins + distance * (length - 1) < sizes_of(op, [size])).beside(3, 1)
    for place in range(length):
        at = (begins + distance * place).expr
        found = Numbers(op, relax.op.take(rows.expr, at, 1, mode="clip")).expanded(2)
        met = met & found.equals(Numbers(op, constant(grams.numbers[:, place])))
    counts: Numbers = met.astype("float32").sum(1)
    return counts


def _scattered(
    op: Operation, rows: Numbers, counted: list[tuple[np.ndarray, Numbers]], width: int
) -> Numbers:
    """Add up counts, each at the column that it belongs to: (B, width)."""
    batch = require_shape(rows.expr)[0]
    total = Numbers(op, relax.op.full([batch, width], scalar(0, "float32"), "float32"))
    for columns, counts in counted:
        places = relax.op.broadcast_to(constant(columns[None]), [batch, len(columns)])
        added = relax.op.scatter_elements(total.expr, op.emit(places), counts.expr, 1, "add")
        total = Numbers(op, added)
    return total


def _weighted(op: Operation, counts: Numbers, mode: str, width: int) -> Numbers:
    """Weigh columns; each n-gram of the pool has a weight, which its column gets."""
    listed = op.attribute("weights")
    if mode == "TF" or (mode == "TFIDF" and not listed):
        return counts
    columns = op.integers("ngram_indexes") or []
    weights = np.array(listed or [1.0] * len(columns), np.float32)
    op.require(
        len(weights) == len(columns), f"it has {len(weights)} weights for {len(columns)} n-grams"
    )
    of_columns = np.zeros(width, np.float32)
    of_columns[columns] = weights
    each = Numbers(op, constant(of_columns))
    if mode == "TFIDF":
        return counts * each
    return (counts > 0).where(each, 0)
