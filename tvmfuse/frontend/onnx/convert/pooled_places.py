"""Where a max pool found its maxima: MaxPool's output Indices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.windows import Windows
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of


def places_of_maxima(
    op: Operation, windows: Sequence[Windows], begins: Sequence[Dim], counts: Sequence[Dim]
) -> Expr:
    """Return the place of each window's first maximum in the whole tensor, int64.

    With storage_order=1 an image's places count along its columns.

    Args:
        op: A MaxPool.
        windows: Along each axis of the image.
        begins: Pixels of padding before it along each axis.
        counts: How many they are along each axis.
    """
    x, product = Numbers(op, op.tensor(0)), op.symbols.product
    batch, channels, *sizes = require_shape(x.expr)
    rows, pixels, total = product([batch, channels]), product(sizes), product(counts)
    taps = product([w.kernel for w in windows])
    by_row, by_column, inside = _taps(op, windows, begins, sizes, counts)
    by_row, by_column, inside = (e.reshaped([total, taps]) for e in (by_row, by_column, inside))
    flat = x.reshaped([rows, pixels])
    read = _ranked(Numbers(op, relax.op.take(flat.expr, by_row.expr, 1, mode="clip")), inside)
    best = Numbers(op, relax.op.argmax(read.expr, 2))
    own = counting(op, total).expanded(0) * sizes_of(op, [taps]) + best
    numbers = (by_column if op.flag("storage_order") else by_row).reshaped([product([total, taps])])
    places = Numbers(op, relax.op.take(numbers.expr, own.expr, 0, mode="clip"))
    before = counting(op, rows).expanded(1) * sizes_of(op, [pixels])
    return (places + before).reshaped([batch, channels, *counts]).expr


def _taps(
    op: Operation,
    windows: Sequence[Windows],
    begins: Sequence[Dim],
    sizes: Sequence[Dim],
    counts: Sequence[Dim],
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the pixels of all taps, by rows and by columns, and whether they lie in the image.

    Each is of shape (*counts, *kernel).
    """
    rank = len(windows)
    zeros = relax.op.zeros([*counts, *(w.kernel for w in windows)], "int64")
    by_row = by_column = Numbers(op, zeros)
    inside = by_row.equals(0)
    axes = zip(windows, begins, sizes, counts, strict=True)
    for i, (window, begin, size, count) in enumerate(axes):
        tap = counting(op, window.kernel).beside(2 * rank, rank + i) * window.dilation
        at = counting(op, count).beside(2 * rank, i) * window.stride + tap - sizes_of(op, [begin])
        extent = sizes_of(op, [size])
        inside = inside & (at >= 0) & (at < extent)
        at = at.at_least(0).at_most(extent - 1)
        by_row = by_row * extent + at
        by_column = by_column + at * sizes_of(op, [op.symbols.product(sizes[:i])])
    return by_row, by_column, inside


def _ranked(taps: Numbers, inside: Numbers) -> Numbers:
    """Return taps of which those outside of the image are never the largest.

    TVM begins with the least finite number, and finds no place of what is not above it.
    """
    op, dtype = taps.op, dtype_of(taps.expr)
    if not is_float_dtype(dtype):
        wide = taps.astype("int32")
        return inside.where(wide, float(np.iinfo("int32").min))
    wide = taps.astype("float64" if dtype == "float64" else "float32")
    limits = np.finfo(dtype_of(wide.expr))
    least = float(np.nextafter(limits.min, limits.dtype.type(0)))
    outside = Numbers(op, scalar(-np.inf, dtype_of(wide.expr)))
    return inside.where(wide.at_least(least), outside)
