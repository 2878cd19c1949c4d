"""Convolutions and pools of images whose channels come last."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.pooling import max_pool
from tvmfuse.frontend.onnx.convert.quantized import qlinear_conv
from tvmfuse.frontend.onnx.convert.stand_in import computed_by
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank


def channels_first(op: Operation, x: Expr) -> Expr:
    """Return (N, C, ...) of (N, ..., C)."""
    rank = require_rank(x)
    return op.emit(relax.op.permute_dims(x, [0, rank - 1, *range(1, rank - 1)]))


def channels_last(op: Operation, x: Expr) -> Expr:
    """Return (N, ..., C) of (N, C, ...)."""
    rank = require_rank(x)
    return op.emit(relax.op.permute_dims(x, [0, *range(2, rank), 1]))


def quantized_convolution(op: Operation) -> Expr:
    """Convert QLinearConv, whose weights are laid out as ONNX's in either case."""
    said = {key: value for key, value in op.node.attributes.items() if key != "channels_last"}
    x, *others = (op.optional(position) for position in range(9))
    op.require(x is not None, "its operand 0 is absent")
    assert x is not None
    last = op.flag("channels_last")
    y = computed_by(
        op, qlinear_conv, "QLinearConv", channels_first(op, x) if last else x, *others, **said
    )
    return channels_last(op, y) if last else y


def nhwc_max_pool(op: Operation) -> Expr:
    """Convert NhwcMaxPool."""
    x = channels_first(op, op.tensor(0))
    return channels_last(op, computed_by(op, max_pool, "MaxPool", x, **op.node.attributes))
