"""Pooling over windows, and over everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr

from tvmfuse.frontend.onnx.convert.convolution import padding
from tvmfuse.frontend.onnx.convert.windows import Windows, clipped
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.types import shape_of

MAX_POOLS: Final = (relax.op.nn.max_pool1d, relax.op.nn.max_pool2d, relax.op.nn.max_pool3d)
AVERAGE_POOLS: Final = (relax.op.nn.avg_pool1d, relax.op.nn.avg_pool2d, relax.op.nn.avg_pool3d)


def max_pool(op: Operation) -> Expr:
    """Convert MaxPool."""
    op.require(not op.is_read(1), "its output Indices is not compiled")
    return _pool(op, MAX_POOLS)


def average_pool(op: Operation) -> Expr:
    """Convert AveragePool."""
    return _pool(op, AVERAGE_POOLS)


def _pool(op: Operation, pools: tuple[Callable[..., Expr], ...]) -> Expr:
    x = op.tensor(0)
    kernel = op.integers("kernel_shape") or []
    rank = require_rank(x) - 2
    op.require(1 <= rank <= 3, f"pooling over {rank} spatial dimensions is not compiled")
    op.require(len(kernel) == rank, f"kernel_shape {kernel} does not fit {rank} dimensions")
    strides = op.integers("strides") or [1] * rank
    dilation = op.integers("dilations") or [1] * rank
    pads = padding(op, require_shape(x)[2:], kernel, strides, dilation)
    counted = op.flag("count_include_pad")
    pool = pools[rank - 1]
    whole = pool(x, kernel, strides, pads, dilation, op.flag("ceil_mode"), counted)
    if counted and any(d > 1 for d in dilation):
        return whole
    given = _windows(whole)
    fewer = clipped(given)
    if len(given) < rank or fewer is None:
        return whole
    sides = [*(w.begin for w in fewer), *(w.end for w in fewer)]
    small = pool(x, [w.kernel for w in fewer], strides, sides, dilation, False, counted)  # noqa: FBT003
    if not counted:
        return small
    taps = [w.kernel / old.divisors() for w, old in zip(fewer, given, strict=True)]
    factors = np.asarray(reduce(np.multiply.outer, taps), str(x.ty.dtype))
    return relax.op.multiply(op.emit(small), relax.const(factors))


def _windows(pool: Call) -> list[Windows]:
    """Return the windows of a pool along its axes, as far as their sizes are known."""
    attrs, rank = pool.attrs, len(pool.attrs.pool_size)
    sizes = (shape_of(pool.args[0]) or ())[2:]
    counts = (shape_of(relax.BlockBuilder().normalize(pool)) or ())[2:]
    kernel, strides, dilation, pads = (
        [int(n) for n in each]
        for each in (attrs.pool_size, attrs.strides, attrs.dilation, attrs.padding)
    )
    return [
        Windows(size, kernel[i], strides[i], dilation[i], pads[i], pads[rank + i], count)
        for i, (size, count) in enumerate(zip(sizes, counts, strict=True))
        if isinstance(size, int) and isinstance(count, int)
    ]


def global_average_pool(op: Operation) -> Expr:
    """Convert GlobalAveragePool."""
    x = op.tensor(0)
    return relax.op.mean(x, list(range(2, require_rank(x))), keepdims=True)


def global_max_pool(op: Operation) -> Expr:
    """Convert GlobalMaxPool."""
    x = op.tensor(0)
    return relax.op.max(x, list(range(2, require_rank(x))), keepdims=True)
