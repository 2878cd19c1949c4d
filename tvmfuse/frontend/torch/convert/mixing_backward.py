"""The backward pass of what mixes pixels along each axis: average pools and upsamplings.

Each is a matrix along each axis, with few numbers in a row. Backward goes its transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.resampling import weights_dtype
from tvmfuse.frontend.torch.convert.pooling import for_each_axis, image_axes
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import constant, dtype_of, rank_of, shape_of
from tvmfuse.ops import resample
from tvmfuse.ops.resample import Taps

#: More taps are better added up as a product of matrices.
MAX_TAPS: Final = 16

Matrix: TypeAlias = np.ndarray
"""What each result along an axis is mixed from, float64 of shape (results, pixels)."""


def average_pool_backward(node: TorchOperation) -> Expr:
    """Convert the backward pass of an average pool."""
    results, pixels = _sizes(node)
    kernel = for_each_axis(node, "kernel_size")
    strides, pads = for_each_axis(node, "stride") or kernel, for_each_axis(node, "padding")
    divisor = node.get("divisor_override")
    matrices = [
        _windows(*sizes, count_padding=bool(node["count_include_pad"]), sums=divisor is not None)
        for sizes in zip(results, pixels, kernel, strides, pads, strict=True)
    ]
    found = _backward(node, matrices)
    return (
        found
        if divisor is None
        else node.onnx("Div", found, node.number(float(divisor), dtype_of(found)))
    )


def _windows(
    results: int, pixels: int, kernel: int, stride: int, pad: int, *,
    count_padding: bool, sums: bool,
) -> Matrix:  # fmt: skip
    matrix = np.zeros((results, pixels))
    for place in range(results):
        start = place * stride - pad
        end = min(start + kernel, pixels + pad)
        inside = slice(max(start, 0), min(end, pixels))
        count = end - start if count_padding else inside.stop - inside.start
        matrix[place, inside] = 1 if sums else 1 / count
    return matrix


def adaptive_average_pool_backward(node: TorchOperation) -> Expr:
    """Convert the backward pass of an adaptive average pool."""
    matrices = []
    for results, pixels in zip(*_sizes(node), strict=True):
        matrix = np.zeros((results, pixels))
        for place in range(results):
            inside = slice(place * pixels // results, -(-(place + 1) * pixels // results))
            matrix[place, inside] = 1 / (inside.stop - inside.start)
        matrices.append(matrix)
    return _backward(node, matrices)


def upsample_backward(rows: Callable[..., Matrix], **settings: Any) -> Any:
    """Return the converter of the backward pass of an upsampling.

    Args:
        rows: Gives the matrix of an axis, from the results, the pixels and the factor, or None.
        settings: Of `rows`.
    """

    def convert(node: TorchOperation) -> Expr:
        results, pixels = _sizes(node)
        names = ("scales",) if len(pixels) == 1 else ("scales_d", "scales_h", "scales_w")
        factors = [node.get(name) for name in names[-len(pixels) :]]
        given = dict(settings)
        if (corners := node.get("align_corners")) is not None:
            given["corners"] = bool(corners)
        matrices = [rows(*sizes, **given) for sizes in zip(results, pixels, factors, strict=True)]
        return _backward(node, matrices)

    return convert


def nearest(results: int, pixels: int, factor: float | None, *, exact: bool = False) -> Matrix:
    """Return which pixel is the nearest one to each result; torch computes it in float32."""
    step = np.float32(1 / factor if factor else pixels / results)
    at = (np.arange(results, dtype=np.float32) + np.float32(0.5 if exact else 0)) * step
    matrix = np.zeros((results, pixels))
    matrix[np.arange(results), np.minimum(at.astype(np.int64), pixels - 1)] = 1
    return matrix


def linear(results: int, pixels: int, factor: float | None, *, corners: bool) -> Matrix:
    """Return the shares of the two pixels around each result; torch has them in float32."""
    one = np.float32(1)
    places = np.arange(results, dtype=np.float32)
    if corners:
        at = places * np.float32((pixels - 1) / (results - 1) if results > 1 else 0)
    else:
        step = np.float32(1 / factor if factor else pixels / results)
        at = np.maximum((places + one / 2) * step - one / 2, 0)
    first = np.minimum(at.astype(np.int64), pixels - 1)
    share = np.clip(at - first.astype(np.float32), 0, 1)
    matrix = np.zeros((results, pixels))
    np.add.at(matrix, (np.arange(results), first), 1 - share)
    np.add.at(matrix, (np.arange(results), np.minimum(first + 1, pixels - 1)), share)
    return matrix


def _sizes(node: TorchOperation) -> tuple[list[int], list[int]]:
    """Return the sizes of the result's image and of the input's."""
    axes = image_axes(node)
    shapes = (shape_of(node.tensor(node["grad_output"])) or (), node.shape())
    found = [list(shape)[-axes:] for shape in shapes]
    known = all(isinstance(size, int) for sizes in found for size in sizes)
    node.require(known, "its image is symbolic")
    results, pixels = ([int(size) for size in sizes] for sizes in found)
    return results, pixels


def _backward(node: TorchOperation, matrices: Sequence[Matrix]) -> Expr:
    gradient = node.tensor(node["grad_output"])
    first, dtype = (rank_of(gradient) or 0) - len(matrices), dtype_of(gradient)
    for axis, matrix in enumerate(matrices, first):
        most = int((matrix != 0).sum(axis=0).max(initial=0))
        if most <= MAX_TAPS:
            taps = [_taps(axis, matrix.T, max(most, 1), dtype)]
            gradient = node.emit(resample(gradient, taps, skips_zeros=True))
        else:
            node.require(dtype == weights_dtype(dtype), "it mixes many pixels of half precision")
            gradient = _product(node, gradient, axis, matrix.astype(dtype))
    return gradient


def _taps(axis: int, rows: Matrix, count: int, dtype: str) -> Taps:
    """Return the places and weights of a matrix without its zeros."""
    places, weights = np.zeros((count, len(rows)), np.int32), np.zeros((count, len(rows)))
    for at, row in enumerate(rows):
        used = np.flatnonzero(row)
        places[: len(used), at], weights[: len(used), at] = used, row[used]
    return Taps(axis, constant(places), constant(weights.astype(weights_dtype(dtype))))


def _product(node: TorchOperation, x: Expr, axis: int, matrix: Matrix) -> Expr:
    order = list(range(rank_of(x) or 0))
    order[axis], order[-1] = order[-1], order[axis]
    turned = node.emit(relax.op.permute_dims(x, order))
    product = node.onnx("MatMul", turned, constant(matrix))
    return node.emit(relax.op.permute_dims(product, order))
