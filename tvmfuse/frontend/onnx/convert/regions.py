"""Regions of images, each with the number of its image: no number reaches beside the images."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.required_dims import require_equal
from tvmfuse.frontend.onnx.convert.scatter import clamped
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import dtype_of


def roi_align(op: Operation) -> Expr:
    """Convert RoiAlign; from opset 16 on half a pixel is taken off, of the scaled regions."""
    x, regions, numbers = op.tensor(0), op.tensor(1), op.tensor(2)
    op.require(op.text("mode", "avg") == "avg", "TVM takes the maximum of other samples than ONNX")
    require_equal(op, *(require_shape(r)[0] for r in (regions, numbers)))
    default = "half_pixel" if op.opset >= 16 else "output_half_pixel"
    aligned = op.text("coordinate_transformation_mode", default) == "half_pixel"
    scale, dtype = op.number("spatial_scale", 1.0), dtype_of(regions)
    if aligned:
        half = scalar(0.5 / scale, dtype)  # which the operator scales with the rest
        regions = op.emit(relax.op.subtract(regions, half))
    column = op.emit(relax.op.expand_dims(image_numbers(op, numbers), [1]))
    numbered = [op.emit(relax.op.astype(column, dtype)), regions]
    return relax.op.vision.roi_align(
        x,
        op.emit(relax.op.concat(numbered, 1)),
        pooled_size=(op.integer("output_height", 1), op.integer("output_width", 1)),
        spatial_scale=scale,
        sample_ratio=op.integer("sampling_ratio", 0),
        aligned=aligned,
        layout="NCHW",
        mode="avg",
    )


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
