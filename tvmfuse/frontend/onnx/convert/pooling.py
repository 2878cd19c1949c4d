"""Pooling over windows, and over everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.convolution import padding
from tvmfuse.frontend.onnx.convert.p_norm import powers, root
from tvmfuse.frontend.onnx.convert.pooled_places import places_of_maxima
from tvmfuse.frontend.onnx.convert.same_padding import Padded, padded_before
from tvmfuse.frontend.onnx.convert.windows import Windows, clipped, windows_of
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.sizes import LARGEST
from tvmfuse.ir.types import constant, dtype_of, is_float

MAX_POOLS: Final = (relax.op.nn.max_pool1d, relax.op.nn.max_pool2d, relax.op.nn.max_pool3d)
AVERAGE_POOLS: Final = (relax.op.nn.avg_pool1d, relax.op.nn.avg_pool2d, relax.op.nn.avg_pool3d)


def max_pool(op: Operation) -> list[Expr]:
    """Convert MaxPool; where its maxima were is computed where it is read."""
    x = op.tensor(0)
    least = -np.inf if is_float(x) else float(np.iinfo(dtype_of(x)).min)
    padded = padded_before(op, x, *_taps(op), least)
    given = _windows(op, padded)
    windows = clipped(given) or [w.even for w in given]
    pooled = _pool(x if padded is None else padded.image, windows, MAX_POOLS)
    if not op.is_read(1):
        return [pooled]
    pooled = op.emit(pooled)
    begins = [w.begin for w in given] if padded is None else padded.begins
    return [pooled, places_of_maxima(op, given, begins, require_shape(pooled)[2:])]


def average_pool(op: Operation) -> Expr:
    """Convert AveragePool."""
    x, counted = op.tensor(0), op.flag("count_include_pad")
    padded = padded_before(op, x, *_taps(op), 0.0)
    if padded is not None:
        mean = _counted_mean(op, padded)
        return mean if counted else relax.op.multiply(mean, _taps_by_those_inside(op))
    given = _windows(op)
    if counted and any(w.size is None and w.rounds_up for w in given):
        # What is padded counts, but not what windows reach behind that.
        sides = [(0, 0), (0, 0), *((w.begin, w.end) for w in given)]
        x = op.emit(relax.op.nn.pad(x, [n for side in sides for n in side]))
        return _pool(x, [w.within_padding for w in given], AVERAGE_POOLS)
    fewer = clipped(given)
    if not counted:
        return _pool(x, fewer or [w.even for w in given], AVERAGE_POOLS)
    if fewer is None:
        return _pool(x, given, AVERAGE_POOLS, counted=True)
    small = _pool(x, fewer, AVERAGE_POOLS, counted=True)
    taps = [new.kernel / old.divisors() for new, old in zip(fewer, given, strict=True)]
    return _times(op, small, taps)


def _counted_mean(op: Operation, padded: Padded) -> Expr:
    """Return the mean of each window of what is padded before, padding included."""
    windows = [w.even for w in _windows(op, padded)]
    return op.emit(_pool(padded.image, windows, AVERAGE_POOLS, counted=True))


def _taps_by_those_inside(op: Operation) -> Expr:
    """Return, for each window, its taps by those of them that lie in the image.

    Returns:
        Of shape (1, 1, *windows).
    """
    x, taps = op.tensor(0), float(np.prod(_taps(op)[0]))
    ones = op.emit(relax.op.ones([1, 1, *require_shape(x)[2:]], dtype_of(x)))
    padded = padded_before(op, ones, *_taps(op), 0.0)
    assert padded is not None, "as many axes as those of the image are padded by their sizes"
    all_taps = scalar(taps, dtype_of(x))
    inside = op.emit(relax.op.multiply(_counted_mean(op, padded), all_taps))
    whole = op.emit(relax.op.round(inside))
    return op.emit(relax.op.divide(all_taps, whole))


def lp_pool(op: Operation) -> Expr:
    """Convert LpPool: the p-norm of each window."""
    p = op.integer("p", 2)
    x = op.emit(powers(op, op.tensor(0), p))
    padded = padded_before(op, x, *_taps(op), 0.0)
    x, given = (x, _windows(op)) if padded is None else (padded.image, _windows(op, padded))
    # Every tap of these counts, so that an average times the taps is a sum.
    windows = [w.clipped for w in given]
    mean = _pool(x, windows, AVERAGE_POOLS, counted=True)
    total = _times(op, mean, [np.array([w.kernel]) for w in windows])
    return root(op, total, p)


def _taps(op: Operation) -> tuple[list[int], list[int], list[int]]:
    """Return a pool's kernel, strides and dilation along each axis of the image."""
    kernel, rank = op.integers("kernel_shape") or [], require_rank(op.tensor(0)) - 2
    op.require(1 <= rank <= 3, f"pooling over {rank} spatial dimensions is not compiled")
    op.require(len(kernel) == rank, f"kernel_shape {kernel} does not fit {rank} dimensions")
    ones = [1] * rank
    strides, dilations = op.integers("strides") or ones, op.integers("dilations") or ones
    op.require(min(*kernel, *strides, *dilations) > 0, "a tap, a stride or a dilation is below 1")
    return kernel, strides, dilations


def _windows(op: Operation, padded: Padded | None = None) -> list[Windows]:
    """Return a pool's windows along each axis of the image, or of what it was padded to."""
    kernel, strides, dilation = _taps(op)
    sizes = require_shape(op.tensor(0) if padded is None else padded.image)[2:]
    pads = [0] * (2 * len(kernel))
    if padded is None:
        pads = padding(op, sizes, kernel, strides, dilation)
    found = windows_of(sizes, kernel, strides, dilation, pads, rounds_up=op.flag("ceil_mode"))
    for window in found:
        fits = window.reach <= LARGEST if window.count is None else window.count >= 0
        op.require(fits, f"its windows of {window.kernel} taps do not fit, pads included")
    return found


def _pool(
    x: Expr,
    windows: Sequence[Windows],
    pools: tuple[Callable[..., Expr], ...],
    *,
    counted: bool = False,
) -> Expr:
    return pools[len(windows) - 1](
        x,
        [w.kernel for w in windows],
        [w.stride for w in windows],
        [*(w.begin for w in windows), *(w.end for w in windows)],
        [w.dilation for w in windows],
        windows[0].rounds_up,
        counted,
    )


def _times(op: Operation, pooled: Expr, factors: Sequence[np.ndarray]) -> Expr:
    """Multiply by the product of a factor for each axis, at each of its windows or for all."""
    pooled = op.emit(pooled)
    product = np.asarray(reduce(np.multiply.outer, factors), dtype_of(pooled))
    return relax.op.multiply(pooled, constant(product))


def global_average_pool(op: Operation) -> Expr:
    """Convert GlobalAveragePool."""
    x = op.tensor(0)
    return relax.op.mean(x, list(range(2, require_rank(x))), keepdims=True)


def global_max_pool(op: Operation) -> Expr:
    """Convert GlobalMaxPool."""
    x = op.tensor(0)
    return relax.op.max(x, list(range(2, require_rank(x))), keepdims=True)


def global_lp_pool(op: Operation) -> Expr:
    """Convert GlobalLpPool: the p-norm of each channel."""
    x, p = op.tensor(0), op.integer("p", 2)
    axes = list(range(2, require_rank(x)))
    return root(op, relax.op.sum(op.emit(powers(op, x, p)), axes, keepdims=True), p)
