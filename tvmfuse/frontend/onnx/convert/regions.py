"""Regions of images, each with the number of its image: no number reaches beside the images."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.required_dims import require_equal
from tvmfuse.frontend.onnx.convert.scatter import clamped
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import dtype_of


def check_roi_align(op: Operation) -> None:
    """Refuse what TVM's RoiAlign computes otherwise than ONNX's."""
    op.require(op.text("mode", "avg") == "avg", "TVM takes the maximum of other samples than ONNX")
    require_equal(op, *(require_shape(op.tensor(i))[0] for i in (1, 2)))


def image_numbers(op: Operation, numbers: Expr) -> Expr:
    """Return numbers of images, those that RoiAlign takes beside its regions, clamped."""
    return clamped(op, numbers, [require_shape(op.tensor(0))[0]])


def numbered_regions(op: Operation, regions: Expr) -> Expr:
    """Return MaxRoiPool's regions (n, 5), whose first column, the numbers of images, is clamped."""
    dtype = dtype_of(regions)
    column = op.emit(relax.op.strided_slice(regions, [1], [0], [1]))
    # As integers, since a NaN stays one when it is clamped.
    numbers = image_numbers(op, op.emit(relax.op.astype(column, "int64")))
    places = op.emit(relax.op.strided_slice(regions, [1], [1], [5]))
    return op.emit(relax.op.concat([op.emit(relax.op.astype(numbers, dtype)), places], 1))
