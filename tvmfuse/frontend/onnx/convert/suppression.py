"""NonMaxSuppression."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.indexing import size_tensor
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import measured
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import bit_cast

LEAST: Final = float(np.finfo(np.float32).min)


def non_max_suppression(op: Operation) -> Expr:
    """Convert NonMaxSuppression; the number of boxes and the thresholds may be fed."""
    scores = op.tensor(1)
    batch, classes, count = require_shape(scores)
    boxes = agree(op, op.tensor(0), [batch, count, 4])
    if op.flag("center_point_box"):
        boxes = _corners(op, boxes)
    fed = op.has(2) and op.known(2) is None
    most = count if fed else int(op.value(2).array.item()) if op.has(2) else 0
    found = op.emit(
        relax.op.vision.all_class_non_max_suppression(
            boxes,
            scores,
            size_tensor(op, most, INT64),
            _above(_threshold(op, 3, 0.0)).expr,
            _threshold(op, 4, LEAST).expr,
            output_format="onnx",
        )
    )
    rows, total = (op.emit(relax.TupleGetItem(found, i)) for i in range(2))
    # TVM's type of the rows is of as many as there may be, and so are they as they are lowered.
    [kept] = measured(Numbers(op, total))
    selected = op.emit(relax.op.strided_slice(rows, [0], [0], [kept], assume_inbound=True))
    if not fed:
        return selected
    limit = Numbers(op, op.tensor(2)).reshaped([1]).at_least(0)
    return _first_of_each(Numbers(op, selected), batch, classes, limit)


def _threshold(op: Operation, position: int, default: float) -> Numbers:
    """Return a number as a tensor of no dimensions."""
    if not op.has(position):
        return Numbers(op, scalar(default, "float32"))
    return Numbers(op, op.tensor(position)).reshaped([])


def _above(overlap: Numbers) -> Numbers:
    """Return the next float32: its bits are the next integer.

    TVM drops a box whose overlap reaches the threshold, ONNX one whose overlap exceeds it.
    """
    bits = Numbers(overlap.op, bit_cast(overlap.at_least(0).expr, "int32"))
    return Numbers(overlap.op, bit_cast((bits + 1).expr, "float32"))


def _corners(op: Operation, boxes: Expr) -> Expr:
    """Return boxes of two corners, given their middles and sizes."""
    x, y, w, h = (op.emit(relax.op.strided_slice(boxes, [2], [i], [i + 1])) for i in range(4))
    half = scalar(0.5, dtype_of(boxes))
    w, h = (op.emit(relax.op.multiply(side, half)) for side in (w, h))
    corners = [
        op.emit(function(middle, side))
        for function in (relax.op.subtract, relax.op.add)
        for middle, side in ((y, h), (x, w))
    ]
    return op.emit(relax.op.concat(corners, 2))


def _first_of_each(rows: Numbers, images: Dim, classes: Dim, most: Numbers) -> Expr:
    """Return the first rows of each class of each image: the later ones suppressed none of them.

    Args:
        rows: Image, class and box; int64 of shape (found, 3), sorted by image and class.
        images: How many there are.
        classes: How many each of them has.
        most: How many rows of one class of one image there may be.
    """
    op = rows.op
    image, kind = (
        Numbers(op, relax.op.take(rows.expr, scalar(i, INT64), 1, mode="clip")) for i in range(2)
    )
    group = image * sizes_of(op, [classes]) + kind
    numbers = counting(op, op.symbols.product([images, classes]))
    sizes = group.expanded(1).equals(numbers.expanded(0)).astype(INT64).sum(0)
    kept = sizes.at_most(most)
    ends, skipped = (
        Numbers(op, relax.op.cumsum(e.expr, 0, exclusive=exclusive))
        for e, exclusive in ((kept, False), (sizes - kept, True))
    )
    [total] = measured(kept.sum().reshaped([1]))
    places = counting(op, total)
    passed = (ends.expanded(0) <= places.expanded(1)).astype(INT64).sum(1)
    # As many rows are left out as the groups before have too many.
    missing = Numbers(op, relax.op.take(skipped.expr, passed.expr, 0, mode="clip"))
    return relax.op.take(rows.expr, (places + missing).expr, 0, mode="clip")
