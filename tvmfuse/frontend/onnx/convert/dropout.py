"""Dropout, in inference and in training."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.draws import FLOAT32, uniform
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import dropout as tvmfuse_dropout

RANGE = "expected 0 or more, and less than 1"


def dropout(op: Operation) -> list[Expr | None]:
    """Convert Dropout: in inference its mask is all ones.

    What training drops is drawn as `convert.draws` says: the same elements in each run. Whether it
    is training, and the ratio, may be fed.
    """
    x, training, ratio = op.tensor(0), _training(op), _ratio(op)
    dtype = "bool" if op.opset >= 10 else dtype_of(x)
    if training is False or ratio == 0.0:
        mask = None
        if op.is_read(1):
            mask = relax.op.full(require_shape(x), scalar(1, dtype), dtype)
        known = ratio if isinstance(ratio, float) else 0.5
        return [tvmfuse_dropout(x, ratio=known, training=training is True), mask]
    result, kept = _dropped(op, x, training=training, ratio=ratio)
    return [result.expr, kept.astype(dtype).expr if op.is_read(1) else None]


def _training(op: Operation) -> bool | Numbers:
    """Before opset 7 an attribute tells; then there is none until opset 12."""
    if op.opset < 12:
        return op.opset < 7 and not op.flag("is_test")
    if not op.has(2):
        return False
    known = op.known(2)
    return Numbers(op, op.tensor(2)).reshaped([]) if known is None else bool(known.array.item())


def _ratio(op: Operation) -> float | Numbers:
    if op.opset < 12:
        return op.number("ratio", 0.5)
    if not op.has(1):
        return 0.5
    known = op.known(1)
    if known is None:
        return Numbers(op, op.tensor(1)).reshaped([]).astype(FLOAT32)
    return float(known.array.item())


def _dropped(
    op: Operation, x: Expr, *, training: bool | Numbers, ratio: float | Numbers
) -> tuple[Numbers, Numbers]:
    """Return ``x * kept / (1 - ratio)``, and which elements are kept.

    That a ratio which is fed is one is checked while the model runs.
    """
    if not isinstance(ratio, Numbers):
        op.require(0 <= ratio < 1, f"its ratio is {ratio}; {RANGE}")
        ratio = Numbers(op, scalar(ratio, FLOAT32))
    else:
        ensure((ratio >= 0) & (ratio < 1), "its ratio is 0 or more and below 1")
    kept = uniform(op, require_shape(x), FLOAT32) >= ratio
    scale = Numbers(op, scalar(1, FLOAT32)) / (-ratio + 1)
    if isinstance(training, Numbers):
        kept = kept | ~training
        scale = training.where(scale, 1)
    dtype = dtype_of(x)
    return Numbers(op, x) * kept.astype(dtype) * scale.astype(dtype), kept
