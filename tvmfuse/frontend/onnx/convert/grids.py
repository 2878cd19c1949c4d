"""AffineGrid: where a transformed image's pixels lie."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import dims_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.ir.types import dtype_of


def affine_grid(op: Operation) -> Expr:
    """Convert AffineGrid: each pixel's position, from -1 to 1, times a matrix for each image.

    Positions are of pixels' centers, or with align_corners from the first center to the last one.
    """
    batch, _, *image = dims_of(op, 1)
    axes = len(image)
    op.require(axes in (2, 3), f"its size is of {axes + 2} dimensions; expected 4 or 5")
    matrix = Numbers(op, agree(op, op.tensor(0), [batch, axes, axes + 1]))
    dtype = dtype_of(matrix.expr)

    def column(place: int) -> Numbers:
        part = relax.op.strided_slice(matrix.expr, [2], [place], [place + 1])
        return Numbers(op, part).reshaped([batch, *[1] * axes, axes])

    grid = column(axes)
    for place, size in enumerate(image):
        at, count = counting(op, size).astype(dtype), sizes_of(op, [size]).astype(dtype)
        if op.flag("align_corners"):
            position = at * 2 / (count - 1).at_least(1) - 1
        else:
            position = (at * 2 + 1) / count - 1
        # The matrix has x first, and the image has it last.
        grid = position.beside(axes + 2, place + 1) * column(axes - 1 - place) + grid
    return relax.op.broadcast_to(grid.expr, [batch, *image, axes])
