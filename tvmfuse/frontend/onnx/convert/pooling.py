"""Pooling over windows, and over everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.convolution import padding
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape

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
    return pools[rank - 1](
        x,
        kernel,
        strides,
        padding(op, require_shape(x)[2:], kernel, strides, dilation),
        dilation,
        op.flag("ceil_mode"),
        op.flag("count_include_pad"),
    )


def global_average_pool(op: Operation) -> Expr:
    """Convert GlobalAveragePool."""
    x = op.tensor(0)
    return relax.op.mean(x, list(range(2, require_rank(x))), keepdims=True)


def global_max_pool(op: Operation) -> Expr:
    """Convert GlobalMaxPool."""
    x = op.tensor(0)
    return relax.op.max(x, list(range(2, require_rank(x))), keepdims=True)
