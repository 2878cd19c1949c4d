"""Resize by scales, to sizes or of a region that the model computes, and of axes of any size.

Where each element of the result lies shows as it runs, and so do its taps and their weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.resampling import Table, resampled, weights_dtype
from tvmfuse.frontend.onnx.convert.runtime_numbers import (
    FLOAT64,
    INT64,
    Numbers,
    counting,
    sizes_of,
)
from tvmfuse.frontend.onnx.convert.runtime_shapes import as_int64, ensure, measured
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops.resample import Taps

CROP: Final = "tf_crop_and_resize"

COUNTING: Final = ("align_corners", "pytorch_half_pixel")
"""Where positions depend on how many elements the result has: ONNX's implementations disagree on
what a scale means that gives no whole number of them, and such a one is refused."""

WHOLE_SIZES: Final = "its scales give whole sizes"

WHOLE: Final = 1e-4
"""Elements: so much may a float32 scale be off the quotient of two sizes."""


@dataclass(frozen=True)
class FedAxis:
    """How one axis is resized; what shows as the model runs is float64, of one number.

    Attributes:
        place: Which axis.
        result: How many elements it gets.
        size: How many it has.
        scale: Elements of the result for each element.
        region: Where it begins and ends, as shares of the last element's place; None without one.
        ratio: The scale, where it is known before the model runs.
    """

    place: int
    result: Dim
    size: Numbers
    scale: Numbers
    region: tuple[Numbers, Numbers] | None
    ratio: float | None = None


@dataclass(frozen=True)
class SymbolicAxis:
    """How one axis is resized of which a size may be symbolic.

    Attributes:
        place: Which axis.
        size: How many elements it has.
        result: How many it gets.
        scale: Elements of the result for each element; None where it is result / size.
    """

    place: int
    size: Dim
    result: Dim
    scale: float | None


def along(
    op: Operation,
    x: Expr,
    axes: Sequence[SymbolicAxis],
    coordinates: str,
    tables: Sequence[Table] = (),
) -> Expr:
    """Resize some axes, and others of which the taps are known; what is mixed is floating-point."""
    fed = [_fed(op, axis, coordinates) for axis in axes]
    mode = op.text("mode", "nearest")
    if mode == "nearest":
        return _nearest(op, x, fed, coordinates)
    return _interpolated(op, x, fed, coordinates, tables, cubic=mode == "cubic")


def _fed(op: Operation, axis: SymbolicAxis, coordinates: str) -> FedAxis:
    size, result = (sizes_of(op, [dim]).astype(FLOAT64) for dim in (axis.size, axis.result))
    if axis.scale is None:
        return FedAxis(axis.place, axis.result, size, result / size, None)
    scale = Numbers(op, constant(np.array([axis.scale])))
    if coordinates in COUNTING and not axis.scale.is_integer():
        ensure(_exact(scale, size, result, coordinates), WHOLE_SIZES)
    return FedAxis(axis.place, axis.result, size, scale, None, axis.scale)


def _exact(scale: Numbers, size: Numbers, result: Numbers, coordinates: str) -> Numbers:
    """Return whether positions mean the same to all of ONNX's implementations."""
    exact = (scale * size - result).abs() < WHOLE
    return exact if coordinates == "align_corners" else exact | (result > 1)


def shows_as_it_runs(op: Operation) -> bool:
    """Whether how a node resizes shows as the model runs, or is to be computed as if it did."""
    fed = any(op.has(i) and op.known(i) is None for i in _operands(op))
    return fed or _mode(op) == CROP or _has_symbolic_proportions(op)


def _has_symbolic_proportions(op: Operation) -> bool:
    """Whether one scale for all axes follows from sizes of which some are symbolic."""
    if op.text("keep_aspect_ratio_policy", "stretch") == "stretch" or _given(op, 2) is not None:
        return False
    shape = require_shape(op.tensor(0))
    wanted = op.dims(3) if op.has(3) else []
    return not all(isinstance(dim, int) for dim in (*(shape[p] for p in _places(op)), *wanted))


def _places(op: Operation) -> list[int]:
    """Return the axes that the operands tell of."""
    rank, named = require_rank(op.tensor(0)), op.integers("axes")
    return [*range(rank)] if named is None else [require_axis(a, rank) for a in named]


def resized(op: Operation, x: Expr, integers: Callable[..., Expr]) -> Expr:
    """Convert a Resize or an Upsample.

    Args:
        op: The node.
        x: What it resizes.
        integers: Gives interpolated numbers the dtype of integers; see `resize`.
    """
    coordinates, mode = _mode(op), op.text("mode", "nearest")
    axes = _axes(op, x, _places(op))
    dtype = dtype_of(x)
    if mode == "nearest":
        op.require(not op.flag("antialias"), "antialias with mode nearest")
        x = _nearest(op, x, axes, coordinates)
    else:
        if not is_float_dtype(dtype):
            x = op.emit(relax.op.astype(x, "float32"))
        x = _interpolated(op, x, axes, coordinates, (), cubic=mode == "cubic")
        if not is_float_dtype(dtype):
            truncated = mode == "linear" and not op.flag("antialias")
            x = op.emit(integers(op, x, dtype, truncated=truncated))
    return _with_fill(op, x, axes) if coordinates == CROP else x


def _mode(op: Operation) -> str:
    """Return ONNX's coordinate_transformation_mode."""
    default = "half_pixel" if op.node.op == "Resize" and op.opset >= 11 else "asymmetric"
    return op.text("coordinate_transformation_mode", default)


def _operands(op: Operation) -> tuple[int, ...]:
    """Return the positions of the operands scales and sizes, as far as the opset has them."""
    return (2, 3) if op.opset >= 11 else (1,)


def _axes(op: Operation, x: Expr, places: Sequence[int]) -> list[FedAxis]:
    """Return how the axes are resized that the operands tell of, in their order."""
    shape, count = [require_shape(x)[p] for p in places], len(places)
    if not all(isinstance(dim, int) for dim in shape):
        ensure(sizes_of(op, shape) > 0, "no axis is empty")
    sizes = sizes_of(op, shape).astype(FLOAT64)
    scales, results = _scales(op, sizes)
    for vector in (scales, results):
        op.require(
            require_shape(vector.expr) == [count], "it does not give one number for each axis"
        )
    ensure(results > 0, "each size is 1 or more")
    if _mode(op) in COUNTING:
        exact = _exact(scales, sizes, results.astype(FLOAT64), _mode(op))
        ensure(exact, WHOLE_SIZES)
    dims = measured(results)
    region = _region(op, count) if _mode(op) == CROP else None
    return [
        FedAxis(
            place,
            dims[i],
            sizes[i],
            scales[i],
            None if region is None else (region[i], region[count + i]),
        )
        for i, place in enumerate(places)
    ]


def _scales(op: Operation, sizes: Numbers) -> tuple[Numbers, Numbers]:
    """Return the scales, float64, and the sizes that they give, int64."""
    scales_at, *sizes_at = _operands(op)
    given = _given(op, scales_at)
    if given is not None:
        # A scale is a float32, and onnxruntime multiplies in float32.
        result = (given * sizes.astype("float32")).floor()
        return given.astype(FLOAT64), _finite(result).astype(INT64)
    asked = _given(op, sizes_at[0]) if sizes_at else None
    if asked is None:
        op.refuse("it has neither scales nor sizes")
    wanted = as_int64(op, asked.expr)
    scales = wanted.astype(FLOAT64) / sizes
    policy = op.text("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return scales, wanted
    extreme = relax.op.min if policy == "not_larger" else relax.op.max
    alike = scales * 0 + Numbers(op, extreme(scales.expr, None))
    return alike, _finite((alike * sizes + 0.5).floor()).astype(INT64)


def _given(op: Operation, position: int) -> Numbers | None:
    """Return an operand that is there and not empty."""
    if not op.has(position) or require_shape(op.tensor(position)) == [0]:
        return None
    return Numbers(op, op.tensor(position))


def _region(op: Operation, count: int) -> Numbers:
    region = _given(op, 1)
    if region is None or require_shape(region.expr) != [2 * count]:
        op.refuse(f"{CROP} needs a roi of {2 * count} numbers")
    return region.astype(FLOAT64)


def _finite(numbers: Numbers) -> Numbers:
    """Return numbers as they are up to more than any tensor has; NaN is as many."""
    most = Numbers(numbers.op, scalar(2.0 * numbers.op.limits.size, dtype_of(numbers.expr)))
    return (numbers < most).where(numbers, most)


def _nearest(op: Operation, x: Expr, axes: Sequence[FedAxis], mode: str) -> Expr:
    """Take the nearest element along each axis."""
    new = op.node.op == "Resize" and op.opset >= 11
    rounding = op.text("nearest_mode", "round_prefer_floor" if new else "floor")
    for axis in axes:
        # The positions are of float32 in ONNX's definition: 0.5 - 1e-12 is 0.5.
        at = _positions(op, axis, mode).astype("float32")
        if rounding == "round_prefer_floor":
            found = (at - 0.5).ceil()
        elif rounding == "round_prefer_ceil":
            found = (at + 0.5).floor()
        else:
            found = at.floor() if rounding == "floor" else at.ceil()
        places = _within(found.astype(FLOAT64), axis)
        x = op.emit(relax.op.take(x, places.expr, axis.place, mode="clip"))
    return x


def _interpolated(
    op: Operation,
    x: Expr,
    axes: Sequence[FedAxis],
    mode: str,
    known: Sequence[Table],
    *,
    cubic: bool,
) -> Expr:
    """Mix the taps around each position, one axis after the other."""
    tables = [*known]
    for axis in axes:
        places, weights = _taps(op, axis, mode, cubic=cubic)
        shares = weights.astype(weights_dtype(dtype_of(x)))
        if isinstance(require_shape(places.expr)[0], int):
            taps = Taps(axis.place, places.astype("int32").expr, shares.expr)
            tables.append(Table(taps, axis.ratio))
        else:
            x = _read(op, x, axis, places, shares).expr
    skips = op.flag("antialias") or op.flag("exclude_outside")
    return resampled(op, x, tables, skips_zeros=skips)


def _read(op: Operation, x: Expr, axis: FedAxis, places: Numbers, weights: Numbers) -> Numbers:
    """Return the sums of elements at places times their weights, each of shape (taps, result)."""
    columns, shares = (n.transposed([1, 0]) for n in (places, weights))
    taken = Numbers(op, relax.op.take(x, columns.expr, axis.place, mode="clip"))
    shares = shares.astype(dtype_of(x)).beside(require_rank(x) + 1, axis.place, 2)
    # A tap of no weight adds nothing, even where it is infinite.
    mixed = (shares < 0) | (shares > 0)
    return mixed.where(taken * shares, 0).sum(axis.place + 1)


def _with_fill(op: Operation, x: Expr, axes: Sequence[FedAxis]) -> Expr:
    """Fill what a region has outside of the tensor."""
    number = Numbers(op, scalar(op.number("extrapolation_value", 0.0), dtype_of(x)))
    for axis in axes:
        at = _positions(op, axis, CROP)
        outside = ((at < 0) | (at > axis.size - 1)).beside(require_rank(x), axis.place)
        x = outside.where(number, Numbers(op, x)).expr
    return x


def _positions(op: Operation, axis: FedAxis, mode: str) -> Numbers:
    """Return where in the input each element of the result lies, float64 of shape (result,)."""
    at, last = counting(op, axis.result).astype(FLOAT64), axis.size - 1
    count = sizes_of(op, [axis.result]).astype(FLOAT64)
    steps = (count - 1).at_least(1)
    match mode:
        case "asymmetric":
            return at / axis.scale
        case "align_corners":
            return at * last / steps
        case "tf_half_pixel_for_nn":
            return (at + 0.5) / axis.scale
        case "pytorch_half_pixel":
            return (count > 1).where((at + 0.5) / axis.scale - 0.5, 0)
        case "half_pixel_symmetric":
            short = axis.size - count / axis.scale
            return (at + 0.5) / axis.scale + short / 2 - 0.5
        case _ if axis.region is not None:
            start, end = (bound * last for bound in axis.region)
            return (count > 1).where(at * (end - start) / steps + start, (start + end) / 2)
        case _:
            return (at + 0.5) / axis.scale - 0.5


def _within(places: Numbers, axis: FedAxis) -> Numbers:
    """Return places, float64, as indices of the axis; NaN is its last one."""
    low, last = places.at_least(0), axis.size - 1
    return (low < last).where(low, last).astype(INT64)


def _taps(op: Operation, axis: FedAxis, mode: str, *, cubic: bool) -> tuple[Numbers, Numbers]:
    """Return indices and weights, int64 and float64 of shape (taps, result).

    With antialias they reach further where the axis gets smaller.
    """
    radius = 2 if cubic else 1
    count: Dim = 2 * radius
    reach = stretch = Numbers(op, constant(np.array([1.0])))
    reach = reach * radius
    if op.flag("antialias"):
        stretch = axis.scale.at_most(1)
        reach = (reach / stretch).ceil()
        [count] = measured(_finite(reach * 2).astype(INT64))
    positions = _positions(op, axis, mode).expanded(0)
    taps = positions.floor() + (counting(op, count).astype(FLOAT64) - reach + 1).expanded(1)
    distance = (taps - positions).abs() * stretch
    share = _cubic(op, distance) if cubic else (-distance + 1).at_least(0)
    if op.flag("exclude_outside"):
        share = ((taps >= 0) & (taps < axis.size)).where(share, 0)
    return _within(taps, axis), share / share.sum(0).expanded(0)


def _cubic(op: Operation, distance: Numbers) -> Numbers:
    """Keys, "Cubic convolution interpolation for digital image processing" (1981)."""
    a = op.number("cubic_coeff_a", -0.75)
    near = (distance * (a + 2) - (a + 3)) * distance * distance + 1
    far = (((distance - 5) * distance + 8) * distance - 4) * a
    return (distance <= 1).where(near, (distance < 2).where(far, 0))
