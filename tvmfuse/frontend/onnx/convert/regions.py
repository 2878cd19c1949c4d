"""Regions of images, each with the number of its image."""

from __future__ import annotations

from math import prod

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.channels_last import (
    from_last,
    have_elements,
    many_channels,
    to_last,
)
from tvmfuse.frontend.onnx.convert.required_dims import require_equal
from tvmfuse.frontend.onnx.convert.scatter import safe_indices
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops.roi_align import roi_align as align


def roi_align(op: Operation) -> Expr:
    """Convert RoiAlign; from opset 16 on half a pixel is taken off, of the scaled regions."""
    x, regions, numbers = op.tensor(0), op.tensor(1), op.tensor(2)
    require_equal(op, *(require_shape(r)[0] for r in (regions, numbers)))
    default = "half_pixel" if op.opset >= 16 else "output_half_pixel"
    aligned = op.text("coordinate_transformation_mode", default) == "half_pixel"
    (_, channels, *image), [count, _] = require_shape(x), require_shape(regions)
    have_elements(op, image)
    bins = (op.integer("output_height", 1), op.integer("output_width", 1))
    samples = op.integer("sampling_ratio", 0)
    most = op.limits.elements
    op.require(samples**2 <= most, f"a bin has {samples} x {samples} samples; at most {most}")
    read = _product(count, *bins, max(samples, 1), max(samples, 1), 4)
    last = many_channels(channels) and (read is None or read >= (_product(*image) or 0))
    y = align(
        to_last(op, x) if last else x,
        regions,
        op.emit(relax.op.astype(image_numbers(op, numbers), "int64")),
        bins=bins,
        samples=samples,
        scale=op.number("spatial_scale", 1.0),
        offset=0.5 if aligned else 0.0,
        largest=op.text("mode", "avg") == "max",
        channels_last=last,
    )
    return from_last(op, op.emit(y)) if last else y


def _product(*dims: Dim) -> int | None:
    """Return the product of sizes, None where one shows as the model runs."""
    known = [d for d in dims if isinstance(d, int)]
    return prod(known) if len(known) == len(dims) else None


def image_numbers(op: Operation, numbers: Expr) -> Expr:
    """Return numbers of images, those that RoiAlign takes beside its regions."""
    return safe_indices(op, numbers, [require_shape(op.tensor(0))[0]], from_back=False)


def numbered_regions(op: Operation, regions: Expr) -> Expr:
    """Return MaxRoiPool's regions (n, 5), whose first column are the numbers of images."""
    dtype = dtype_of(regions)
    column = op.emit(relax.op.strided_slice(regions, [1], [0], [1]))
    # As integers, of which a NaN is none that there is.
    numbers = image_numbers(op, op.emit(relax.op.astype(column, "int64")))
    places = op.emit(relax.op.strided_slice(regions, [1], [1], [5]))
    return op.emit(relax.op.concat([op.emit(relax.op.astype(numbers, dtype)), places], 1))
