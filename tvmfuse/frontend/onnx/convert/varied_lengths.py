"""Batches of sequences, each with a length or a place of its own."""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import as_int64, ensure
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.ops import append_rows

FITS: Final = "the update fits into the cache"


def reverse_sequence(op: Operation) -> Expr:
    """Convert ReverseSequence: of each sequence as many elements as its length says.

    That a length is one that the sequence has is checked while the model runs.
    """
    time, batch = op.integer("time_axis", 0), op.integer("batch_axis", 1)
    op.require({time, batch} == {0, 1}, f"its axes are {time} and {batch}; expected 0 and 1")
    x = Numbers(op, op.tensor(0))
    rank, shape = require_rank(x.expr), require_shape(x.expr)
    op.require(rank > 1, "its input has no axis of time beside that of the batch")
    lengths = as_int64(op, agree(op, op.tensor(1), [shape[batch]]))
    within = (lengths >= 0) & (lengths <= sizes_of(op, [shape[time]]))
    ensure(within, "no length is beyond the axis of time")
    order = [batch, time, *range(2, rank)]
    places = counting(op, shape[time]).expanded(0)
    turned = (places < lengths.expanded(1)).where(lengths.expanded(1) - places - 1, places)
    return _gathered(x.transposed(order), turned).transposed(order).expr


def tensor_scatter(op: Operation) -> Expr:
    """Convert TensorScatter: an update is written into a cache from each row's place on."""
    cache, update = Numbers(op, op.tensor(0)), Numbers(op, op.tensor(1))
    rank, shape = require_rank(cache.expr), require_shape(cache.expr)
    axis = require_axis(op.integer("axis", -2), rank)
    op.require(axis, "its axis is that of the batch")
    size, count = shape[axis], require_shape(update.expr)[axis]
    wanted = [count if i == axis else dim for i, dim in enumerate(shape)]
    update = Numbers(op, agree(op, update.expr, wanted))
    if op.has(2):
        starts = as_int64(op, agree(op, op.tensor(2), [shape[0]]))
    else:
        starts = counting(op, shape[0]) * 0
    sizes, counts = sizes_of(op, [size]), sizes_of(op, [count])
    ensure((starts >= 0) & (counts <= sizes), FITS)
    if op.text("mode", "linear") == "linear":
        ensure(starts + counts <= sizes, FITS)
        return append_rows(cache.expr, update.expr, starts.expr, size, axis=axis, keeps_rest=True)
    passed = (counting(op, size).expanded(0) - starts.expanded(1)) % sizes
    order = [0, axis, *(i for i in range(1, rank) if i != axis)]
    taken = _gathered(update.transposed(order), passed.at_least(0).at_most(counts - 1))
    written = ((passed >= 0) & (passed < counts)).beside(rank, 0, 2)
    back = sorted(range(rank), key=order.__getitem__)
    return written.where(taken, cache.transposed(order)).transposed(back).expr


def _gathered(x: Numbers, places: Numbers) -> Numbers:
    """Return the elements of each row at its places: (batch, n, ...) by (batch, m)."""
    return Numbers(x.op, relax.op.gather_nd(x.expr, places.expanded(2).expr, 1))
