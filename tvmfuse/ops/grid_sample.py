"""`tvmfuse.grid_sample`: an image between its pixels, where a grid says; ONNX GridSample, linear.

Where the corners around each point are, and their weights, is found out once for all channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits


class _Side(NamedTuple):
    """Of the two pixels around each point along an axis, one.

    Attributes:
        place: Which pixel it is, int32; -1 where there is none.
        weight: Its share in the point.
    """

    place: te.Tensor
    weight: te.Tensor


def _infer(node: Call) -> Type:
    x, grid = node.args[0].ty, node.args[1].ty
    batch, *points, _ = grid.shape.values
    channels = [x.shape.values[-1 if node.attrs["channels_last"] else 1]]
    middle = [*points, *channels] if node.attrs["channels_last"] else [*channels, *points]
    return relax.TensorType([batch, *middle], x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    last = bool(node.attrs["channels_last"])

    def compute(x: te.Tensor, grid: te.Tensor) -> te.Tensor:
        sizes = x.shape[1:-1] if last else x.shape[2:]
        axes = [
            _sides(
                _positions(grid, axis, size, node), size, padded=node.attrs["padding"] == "zeros"
            )
            for axis, size in enumerate(sizes)
        ]
        corners = [_corner(sides, sizes) for sides in product(*axes)]
        shape = [*grid.shape[:-1], x.shape[-1]]
        if not last:
            shape = [shape[0], x.shape[1], *shape[1:-1]]

        def element(*i: Expr) -> Expr:
            n, c = i[0], i[-1] if last else i[1]
            point = i[:-1] if last else (n, *i[2:])

            def term(corner: _Side) -> Expr:
                place = corner.place(*point)
                at = _unflattened(tirx.Cast("int64", tirx.max(place, 0)), sizes)
                pixel = x(n, *at, c) if last else x(n, c, *at)
                zero = tirx.const(0, x.dtype)
                return tirx.Select(place < 0, zero, pixel) * corner.weight(*point)

            total = term(corners[0])
            for corner in corners[1:]:
                total = total + term(corner)
            return total

        return te.compute(shape, element, name="grid_sample")

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="grid_sample",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _positions(grid: te.Tensor, axis: int, size: Expr, node: Call) -> te.Tensor:
    """Return where each point lies along an axis, in pixels; NaN stays NaN."""
    padding, corners_aligned = str(node.attrs["padding"]), bool(node.attrs["align_corners"])
    place, dtype = int(grid.shape[-1]) - 1 - axis, grid.dtype
    zero, half, one, two = (tirx.const(n, dtype) for n in (0, 0.5, 1, 2))
    extent = tirx.Cast(dtype, size)
    first, last = (zero, extent - one) if corners_aligned else (-half, extent - half)

    def reflected(at: Expr) -> Expr:
        # Of a single pixel whose corners are aligned, all is that pixel.
        span = tirx.Cast(dtype, tirx.max(size - 1, 1)) if corners_aligned else extent
        beyond = tirx.Select(at < first, first - at, at - last)
        times = tirx.floor(beyond / span)
        rest = beyond - times * span
        odd = times - two * tirx.floor(times / two) > half
        from_first = tirx.Select(at < first, odd, tirx.Not(odd))
        turned = tirx.Select(from_first, last - rest, first + rest)
        return tirx.Select(at < first, turned, tirx.Select(at > last, turned, at))

    def element(*i: Expr) -> Expr:
        given = grid(*i, place) + one
        at = given / two * (extent - one) if corners_aligned else (given * extent - one) / two
        if padding == "reflection":
            at = reflected(at)
        if padding == "zeros":
            return at
        return tirx.Select(at < first, zero, tirx.Select(at > last, extent - one, at))

    return te.compute(grid.shape[:-1], element, name="position")


def _sides(positions: te.Tensor, size: Expr, *, padded: bool) -> tuple[_Side, _Side]:
    """Return the pixel at or before each point along an axis, and the next one."""
    dtype = positions.dtype
    zero, one = (tirx.const(n, dtype) for n in (0, 1))
    last = tirx.Cast(dtype, size) - one

    def side(offset: int) -> _Side:
        def place(*i: Expr) -> Expr:
            at = tirx.floor(positions(*i)) + tirx.const(offset, dtype)
            if padded:
                there = tirx.And(at >= zero, at <= last)
                return tirx.Cast("int32", tirx.Select(there, at, -one))
            # NaN is the first pixel.
            inside = tirx.Select(at > zero, tirx.Select(at < last, at, last), zero)
            return tirx.Cast("int32", inside)

        def weight(*i: Expr) -> Expr:
            share = positions(*i) - tirx.floor(positions(*i))
            return share if offset else one - share

        shape = positions.shape
        return _Side(te.compute(shape, place, "place"), te.compute(shape, weight, "weight"))

    return side(0), side(1)


def _corner(sides: Sequence[_Side], sizes: Sequence[Expr]) -> _Side:
    """Return a pixel around each point, its place counted over all axes."""

    def place(*i: Expr) -> Expr:
        flat, least = sides[0].place(*i), sides[0].place(*i)
        for side, size in zip(sides[1:], sizes[1:], strict=True):
            flat = flat * tirx.Cast("int32", size) + side.place(*i)
            least = tirx.min(least, side.place(*i))
        return tirx.Select(least < 0, least, flat)

    def weight(*i: Expr) -> Expr:
        share = sides[0].weight(*i)
        for side in sides[1:]:
            share = share * side.weight(*i)
        return share

    shape = sides[0].place.shape
    return _Side(te.compute(shape, place, "corner"), te.compute(shape, weight, "share"))


def _unflattened(place: Expr, sizes: Sequence[Expr]) -> list[Expr]:
    at: list[Expr] = []
    for size in reversed(sizes[1:]):
        at.insert(0, tirx.floormod(place, size))
        place = tirx.floordiv(place, size)
    return [place, *at]


GRID_SAMPLE: Final = define(
    "tvmfuse.grid_sample",
    traits=Traits(kind=Kind.OTHER, why="it reads samples of an image"),
    infer=_infer,
    legalize=_legalize,
    doc="ONNX GridSample of mode linear.",
)


def grid_sample(
    x: Expr, grid: Expr, *, padding: str, align_corners: bool, channels_last: bool
) -> Call:
    """Interpolate images at points.

    Args:
        x: Shape (N, C, D1..Dr), or (N, D1..Dr, C) with `channels_last`; no axis is empty.
        grid: Shape (N, P1..Pr, r), of the same floating-point dtype: each point's place along the
            axes, the last axis first, from -1 to 1.
        padding: ONNX's `padding_mode`.
        align_corners: Whether -1 and 1 are the centers of the outermost pixels, not their edges.
        channels_last: Where the channels are, in the result as well.

    Returns:
        Shape (N, C, P1..Pr), or (N, P1..Pr, C).
    """
    return call(
        GRID_SAMPLE,
        [x, grid],
        padding=padding,
        align_corners=align_corners,
        channels_last=channels_last,
    )
