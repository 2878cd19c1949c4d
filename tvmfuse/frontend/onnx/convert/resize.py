"""Resize and Upsample: interpolation along each axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_resize, runtime_shapes
from tvmfuse.frontend.onnx.convert.resampling import Table, weights_dtype
from tvmfuse.frontend.onnx.convert.runtime_numbers import sizes_of
from tvmfuse.frontend.onnx.convert.runtime_resize import SymbolicAxis
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.ops.resample import Taps

ROUNDING: Final[Mapping[str, Callable[[np.ndarray], np.ndarray]]] = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}
"""ONNX's nearest_mode -> which element is nearest."""

WHOLE: Final = 1e-4
"""Elements: so much may a float32 scale be off the quotient of two sizes."""

ALMOST: Final = 2.0**-10
"""So much may a number be below a whole one, and be truncated to that."""

MOST_TAPS: Final = 16
"""What is mixed from more elements is multiplied by a matrix, zeros and all."""

FINEST: Final = 4096
"""The largest denominator of a ratio that a scale of float32 stands for."""


@dataclass(frozen=True)
class Axis:
    """How one axis is resized.

    Attributes:
        place: Which axis.
        size: How many elements it has.
        result: How many it gets.
        scale: Elements of the result for each element; not always result / size.
    """

    place: int
    size: int
    result: int
    scale: float


def resize(op: Operation) -> Expr:
    """Convert Resize."""
    x = op.tensor(0)
    if runtime_resize.shows_as_it_runs(op):
        return runtime_resize.resized(op, x, _integers)
    return _resized(op, x, _axes(op, x))


def upsample(op: Operation) -> Expr:
    """Convert Upsample, Resize's name before opset 10."""
    x = op.tensor(0)
    if runtime_resize.shows_as_it_runs(op):
        return runtime_resize.resized(op, x, _integers)
    scales = op.value(1).elements if op.has(1) else op.attribute("scales")
    op.require(
        scales is not None and len(scales) == require_rank(x), "it gives no scale for each axis"
    )
    return _resized(op, x, _scaled(op, x, range(require_rank(x)), scales))


def _axes(op: Operation, x: Expr) -> list[SymbolicAxis]:
    rank = require_rank(x)
    scales_at, sizes_at = (2, 3) if op.opset >= 11 else (1, len(op))
    named = op.integers("axes")
    places = range(rank) if named is None else [require_axis(a, rank) for a in named]
    if op.has(scales_at) and op.value(scales_at).elements:
        return _scaled(op, x, places, op.value(scales_at).elements)
    op.require(op.has(sizes_at), "it has neither scales nor sizes")
    wanted = op.dims(sizes_at)
    positive = all(not isinstance(w, int) or w > 0 for w in wanted)
    op.require(positive, f"its sizes are {wanted}; expected 1 or more")
    if op.text("keep_aspect_ratio_policy", "stretch") != "stretch":
        return _in_proportion(op, x, places, op.known_integers(sizes_at))
    shape = require_shape(x)
    axes = [
        _sized(op, SymbolicAxis(p, shape[p], w, None))
        for p, w in zip(places, wanted, strict=True)
        if not op.symbols.equal(shape[p], w)
    ]
    op.require(all(shape[p] != 0 for p in places), "it resizes what has no elements")
    return axes


def _sized(op: Operation, axis: SymbolicAxis) -> SymbolicAxis:
    """Return an axis that has elements whenever the model runs, with its scale if that is known."""
    if isinstance(axis.size, int):
        known = isinstance(axis.result, int) and axis.size
        return replace(axis, scale=axis.result / axis.size) if known else axis
    if not op.same(axis.size, op.symbols.larger(axis.size, 1)):
        runtime_shapes.ensure(sizes_of(op, [axis.size]) > 0, "no axis is empty")
    return axis


def _in_proportion(
    op: Operation, x: Expr, places: Sequence[int], wanted: Sequence[int]
) -> list[SymbolicAxis]:
    """Return the axes with the one scale that keeps the aspect ratio."""
    sizes = require_static_shape(x, "a tensor that is resized in proportion", places)
    op.require(all(sizes), "it resizes what has no elements")
    scales = [w / size for size, w in zip(sizes, wanted, strict=True)]
    smallest = op.text("keep_aspect_ratio_policy", "stretch") == "not_larger"
    one = min(scales) if smallest else max(scales)
    return [
        SymbolicAxis(place, size, int(np.floor(one * size + 0.5)), one)
        for place, size in zip(places, sizes, strict=True)
    ]


def _scaled(
    op: Operation, x: Expr, places: Sequence[int], scales: Sequence[float]
) -> list[SymbolicAxis]:
    """Return the axes whose scale is not 1."""
    positive = all(s > 0 and np.isfinite(s) for s in scales)
    op.require(positive, f"its scales are {[*scales]}; expected more than 0")
    shape = require_shape(x)
    return [
        SymbolicAxis(place, shape[place], _times(op, shape[place], scale), float(scale))
        for place, scale in zip(places, scales, strict=True)
        if scale != 1
    ]


def _times(op: Operation, size: Dim, scale: float) -> Dim:
    """Return how many elements become of so many.

    A scale is a float32, and onnxruntime multiplies in float32: 0.7 times 10 is 7, and not less.
    """
    if isinstance(size, int):
        return int(np.float32(scale) * np.float32(size))
    exact = ratio(scale)
    return op.symbols.quotient(op.symbols.product([size, exact.numerator]), exact.denominator)


def ratio(scale: float) -> Fraction:
    """Return the simple ratio that a float32 stands for, or what it is.

    >>> ratio(float(np.float32(4 / 3)))
    Fraction(4, 3)
    """
    simple = Fraction(scale).limit_denominator(FINEST)
    return simple if np.float32(float(simple)) == np.float32(scale) else Fraction(scale)


def _resized(op: Operation, x: Expr, axes: list[SymbolicAxis]) -> Expr:
    if not axes:
        return relax.op.broadcast_to(x, require_shape(x))
    mode = op.text("mode", "nearest")
    coordinates = op.text(
        "coordinate_transformation_mode",
        "half_pixel" if op.node.op == "Resize" and op.opset >= 11 else "asymmetric",
    )
    fixed = [found for axis in axes if (found := _fixed(axis)) is not None]
    symbolic = [axis for axis in axes if _fixed(axis) is None]
    for axis in fixed:
        op.makes(f"axis {axis.place}", [axis.result], "float64")
    op.require(
        all(_makes_whole(axis, coordinates) for axis in fixed),
        f"{coordinates} with a scale that gives no whole size; ONNX's implementations disagree "
        "on what it means",
    )
    antialias = op.flag("antialias") and any(a.scale is None or a.scale < 1 for a in axes)
    if mode == "nearest":
        op.require(not antialias, "antialias with mode nearest")
        return _of_nearest(op, x, fixed, symbolic, coordinates)
    dtype = dtype_of(x)
    whole, half = not is_float_dtype(dtype), bool(symbolic) and dtype in HALF
    if whole or half:
        x = op.emit(relax.op.astype(x, "float32"))
    narrow = [axis for axis in fixed if _taps_each(op, axis, mode) <= MOST_TAPS]
    tables = [_table(op, axis, mode, coordinates, dtype_of(x)) for axis in narrow]
    x = runtime_resize.along(op, x, symbolic, coordinates, tables)
    x = _mixed(op, x, [axis for axis in fixed if axis not in narrow], mode, coordinates)
    if whole:
        truncated = mode == "linear" and not antialias
        return _integers(op, op.emit(x), dtype, truncated=truncated)
    return relax.op.astype(op.emit(x), dtype) if half else x


def _fixed(axis: SymbolicAxis) -> Axis | None:
    """Return an axis as one of fixed sizes, if it is."""
    size, result, scale = axis.size, axis.result, axis.scale
    if scale is None or not isinstance(size, int) or not isinstance(result, int):
        return None
    return Axis(axis.place, size, result, scale)


def _makes_whole(axis: Axis, coordinates: str) -> bool:
    """Whether positions do not depend on a size of the result that is rounded."""
    return abs(axis.scale * axis.size - axis.result) < WHOLE or not _counts(axis, coordinates)


def _of_nearest(
    op: Operation,
    x: Expr,
    fixed: Sequence[Axis],
    symbolic: Sequence[SymbolicAxis],
    coordinates: str,
) -> Expr:
    default = "round_prefer_floor" if op.node.op == "Resize" and op.opset >= 11 else "floor"
    rounding = op.text("nearest_mode", default)
    op.require(rounding in ROUNDING, f"nearest_mode {rounding!r} is none of ONNX's")
    for axis in fixed:
        places = constant(_nearest(axis, coordinates, rounding))
        x = op.emit(relax.op.take(x, places, axis.place, mode="clip"))
    return runtime_resize.along(op, x, symbolic, coordinates)


def _mixed(op: Operation, x: Expr, axes: list[Axis], mode: str, coordinates: str) -> Expr:
    """Multiply each axis by a matrix of weights."""
    for axis in axes:
        x = _along(op, x, axis.place, _weights(op, axis, mode, coordinates).astype(dtype_of(x)))
    return x


def _integers(op: Operation, x: Expr, dtype: str, *, truncated: bool) -> Expr:
    """Return interpolated integers as such: truncated as in onnxruntime, or rounded.

    What is whole but for its rounding error stays what it is.
    """
    if truncated:
        away = op.emit(relax.op.multiply(op.emit(relax.op.sign(x)), scalar(ALMOST, "float32")))
        x = op.emit(relax.op.trunc(op.emit(relax.op.add(x, away))))
    else:
        x = op.emit(relax.op.round(x))
    bounds = np.iinfo(dtype)
    if bounds.bits < 32:  # the bounds of others are no float32
        x = op.emit(relax.op.clip(x, bounds.min, bounds.max))
    return relax.op.astype(x, dtype)


def _counts(axis: Axis, coordinates: str) -> bool:
    """Whether positions depend on how many elements the result has."""
    return coordinates == "align_corners" or (
        coordinates == "pytorch_half_pixel" and axis.result == 1
    )


def _along(op: Operation, x: Expr, place: int, weights: np.ndarray) -> Expr:
    """Multiply one axis by a matrix of shape (result, size)."""
    rank = require_rank(x)
    if place == rank - 2:
        return op.emit(relax.op.matmul(constant(weights), x))
    order = [i for i in range(rank) if i != place] + [place]
    last = x if place == rank - 1 else op.emit(relax.op.permute_dims(x, order))
    product = op.emit(relax.op.matmul(last, constant(np.ascontiguousarray(weights.T))))
    if place == rank - 1:
        return product
    return op.emit(relax.op.permute_dims(product, list(np.argsort(order))))


def _positions(axis: Axis, coordinates: str) -> np.ndarray:
    """Return where in the input each element of the result lies, float64 of shape (result,)."""
    at, scale = np.arange(axis.result, dtype=np.float64), axis.scale
    match coordinates:
        case "asymmetric":
            return at / scale
        case "align_corners":
            last = axis.result - 1
            return at * (axis.size - 1) / last if last else np.zeros_like(at)
        case "pytorch_half_pixel" if axis.result <= 1:
            return np.zeros_like(at)
        case "half_pixel_symmetric":
            adjusted = axis.result / (scale * axis.size)
            offset = axis.size / 2 * (1 - adjusted)
            return offset + (at + 0.5) / scale - 0.5
        case "tf_half_pixel_for_nn":
            return (at + 0.5) / scale
        case _:
            return (at + 0.5) / scale - 0.5


def _nearest(axis: Axis, coordinates: str, rounding: str) -> np.ndarray:
    # The positions are of float32 in ONNX's definition: 0.5 - 1e-12 is 0.5.
    found = ROUNDING[rounding](_positions(axis, coordinates).astype(np.float32))
    places: np.ndarray = np.clip(found, 0, axis.size - 1).astype(np.int64)
    return places


def _taps_each(op: Operation, axis: Axis, mode: str) -> int:
    return 2 * int(np.ceil(_reach(mode) / _stretch(op, axis)))


def _reach(mode: str) -> int:
    return 2 if mode == "cubic" else 1


def _stretch(op: Operation, axis: Axis) -> float:
    return min(axis.scale, 1.0) if op.flag("antialias") else 1.0


def _table(op: Operation, axis: Axis, mode: str, coordinates: str, dtype: str) -> Table:
    """Return the taps of an axis as constants."""
    places, shares = _shares(op, axis, mode, coordinates)
    used = (shares != 0).any(axis=0)
    weights = constant(np.ascontiguousarray(shares.T[used], weights_dtype(dtype)))
    taps = Taps(axis.place, constant(np.ascontiguousarray(places.T[used], "int32")), weights)
    return Table(taps, axis.result / axis.size)


def _weights(op: Operation, axis: Axis, mode: str, coordinates: str) -> np.ndarray:
    """Return how much each input element contributes, float64 of shape (result, size)."""
    op.makes(f"the matrix at axis {axis.place}", [axis.result, axis.size], "float64")
    places, shares = _shares(op, axis, mode, coordinates)
    weights = np.zeros((axis.result, axis.size))
    rows = np.broadcast_to(np.arange(axis.result)[:, None], places.shape)
    np.add.at(weights, (rows, places), shares)
    return weights


def _shares(
    op: Operation, axis: Axis, mode: str, coordinates: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the taps' places and weights, int64 and float64 of shape (result, taps)."""
    stretch, count = _stretch(op, axis), _taps_each(op, axis, mode)
    op.makes(f"the taps at axis {axis.place}", [axis.result, count], "float64")
    positions = _positions(axis, coordinates)[:, None]
    taps = np.floor(positions) + np.arange(1 - count // 2, count // 2 + 1)
    distance = np.abs(taps - positions) * stretch
    a = op.number("cubic_coeff_a", -0.75)
    share = _cubic(distance, a) if mode == "cubic" else np.maximum(1 - distance, 0)
    if op.flag("exclude_outside"):
        share = np.where((taps < 0) | (taps >= axis.size), 0, share)
    share /= share.sum(axis=1, keepdims=True)
    return np.clip(taps, 0, axis.size - 1).astype(np.int64), share


def _cubic(distance: np.ndarray, a: float) -> np.ndarray:
    """Keys, "Cubic convolution interpolation for digital image processing" (1981)."""
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = a * (((distance - 5) * distance + 8) * distance - 4)
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0))
