"""AffineGrid, where a transformed image's pixels lie, and GridSample, what is there."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, with_dim
from tvmfuse.frontend.onnx.convert.channels_last import (
    from_last,
    have_elements,
    many_channels,
    to_last,
)
from tvmfuse.frontend.onnx.convert.delegated import delegated, of_one_dtype
from tvmfuse.frontend.onnx.convert.required_dims import equal_dims
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import dims_of
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops.grid_sample import grid_sample as sample

_CHECK: Final = equal_dims(((0, 0), (1, 0)))
_OTHER: Final = delegated(_CHECK, {1: of_one_dtype})


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


def grid_sample(op: Operation) -> Expr | Sequence[Expr]:
    """Convert GridSample."""
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    linear = op.text("mode", "linear") in ("linear", "bilinear")
    if not linear or not is_float_dtype(dtype_of(x)) or rank not in (4, 5):
        return _OTHER(op)
    _CHECK(op)
    grid = with_dim(op, of_one_dtype(op, op.tensor(1)), -1, rank - 2)
    (_, channels, *image), (_, *points, axes) = require_shape(x), require_shape(grid)
    op.require(axes == len(points) == len(image), f"its points are of {axes} numbers")
    have_elements(op, image)
    last = many_channels(channels) and _as_many(op, points, image)
    y = sample(
        to_last(op, x) if last else x,
        grid,
        padding=op.text("padding_mode", "zeros"),
        align_corners=op.flag("align_corners"),
        channels_last=last,
    )
    return from_last(op, op.emit(y)) if last else y


def _as_many(op: Operation, points: Sequence[Dim], image: Sequence[Dim]) -> bool:
    """Whether so many corners are read that it pays to move the whole image before."""
    known = [d for d in (*points, *image) if isinstance(d, int)]
    if len(known) == 2 * len(image):
        return prod(known[: len(image)]) << len(image) >= prod(known[len(image) :])
    return all(op.symbols.equal(p, d) for p, d in zip(points, image, strict=True))
