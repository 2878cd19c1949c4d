"""Padding by widths, or with a number, that the model computes: each axis is gathered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_axes import fed_axes
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import as_int64, ensure, measured
from tvmfuse.frontend.onnx.operation import Operation, is_empty, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of

WIDEST: Final = 2**40
"""No tensor is padded by as much, and sums of a few such numbers do not wrap around."""


@dataclass(frozen=True)
class _Axis:
    """One padded axis, in vectors of int64.

    Attributes:
        at: Where each element of the result comes from, counted from the first one that is kept.
        first: The first element that is kept, one number.
        count: How many are, one number.
    """

    at: Numbers
    first: Numbers
    count: Numbers


def pad(op: Operation, mode: str) -> Expr:
    """Pad, or cut off where a width is below 0.

    What is mirrored or repeated more often than once is so as numpy does it.
    """
    x, shape = op.tensor(0), require_shape(op.tensor(0))
    begins, ends = _widths(op, len(shape))
    sizes, first = sizes_of(op, shape), (-begins).at_least(0)
    counts = sizes + ends.at_most(0) - first
    ensure(counts >= 0, "no more is cut off than there is")
    before = begins.at_least(0)
    added = before + ends.at_least(0)
    dims = measured(counts + added)
    if mode != "constant":
        ensure((counts > 0) | added.equals(0), "what it mirrors or repeats is not empty")
    fill = op.emit(in_shape(op.tensor(2), [])) if op.has(2) else scalar(0, dtype_of(x))
    if is_empty(shape):
        return relax.op.broadcast_to(fill, dims)
    if not all(isinstance(size, int) for size in shape):
        ensure(sizes > 0, "no axis is empty")
    for i, dim in enumerate(dims):
        axis = _Axis(counting(op, dim) - before[i], first[i], counts[i])
        places = (axis.at if mode == "constant" else _source(axis, mode)) + axis.first
        x = op.emit(relax.op.take(x, places.expr, i, mode="clip"))
        if mode == "constant":
            inside = ((axis.at >= 0) & (axis.at < axis.count)).beside(len(shape), i)
            x = op.emit(relax.op.where(inside.expr, x, fill))
    return x


def _widths(op: Operation, rank: int) -> tuple[Numbers, Numbers]:
    """Return what is added before and after each axis: int64 of shape (rank,)."""
    pads = as_int64(op, op.tensor(1)).at_least(-WIDEST).at_most(WIDEST)
    axes = fed_axes(op, op.tensor(3) if op.has(3) else constant(np.arange(rank)), rank)
    [length] = require_shape(pads.expr)
    count, none = axes.count, Numbers(op, constant(np.zeros(rank, "int64")))
    op.require(length == 2 * count, f"{count} axes need {2 * count} pads; found {length}")
    begins, ends = (
        Numbers(op, relax.op.strided_slice(pads.expr, [0], [start], [start + count]))
        for start in (0, count)
    )
    return axes.spread(begins, none), axes.spread(ends, none)


def _source(axis: _Axis, mode: str) -> Numbers:
    """Return which of the elements that are kept each element of the result is."""
    last = axis.count - 1
    if mode == "edge":
        return axis.at.at_least(0).at_most(last)
    if mode == "wrap":
        return axis.at % axis.count.at_least(1)
    walked = axis.at % (last * 2).at_least(1)
    return walked.at_most(last * 2 - walked)
