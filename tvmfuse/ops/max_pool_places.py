"""`tvmfuse.max_pool_places`: where in its image each window has its maximum, as torch says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering.extrema import is_float, least
from tvmfuse.ops.traits import Kind, Traits

NOWHERE: Final = np.iinfo("int32").max


def _infer(node: Call) -> Type:
    return relax.TensorType(node.args[1].ty.shape.values, "int64")


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    window, strides, padding, dilation = (
        [int(n) for n in node.attrs[name]] for name in ("kernel", "strides", "padding", "dilation")
    )

    def compute(x: te.Tensor, maxima: te.Tensor) -> te.Tensor:
        sizes, counts = x.shape[2:], maxima.shape[2:]
        padded = _padded(x, counts, window, strides, padding, dilation)
        taps = [te.reduce_axis((0, size), name=f"k{i}") for i, size in enumerate(window)]

        def element(n: Expr, c: Expr, *at: Expr) -> Expr:
            read = [
                i * s + tap * d for i, s, tap, d in zip(at, strides, taps, dilation, strict=True)
            ]
            # In vectors, numbers of 32 bits are cheaper than sizes.
            pixels = [
                tirx.Cast("int32", i) * s + tirx.Cast("int32", tap.var) * d - pad
                for i, s, tap, d, pad in zip(at, strides, taps, dilation, padding, strict=True)
            ]
            sizes32 = [tirx.Cast("int32", size) for size in sizes]
            inside = tirx.all(
                *(pixel >= 0 for pixel in pixels),
                *(pixel < size for pixel, size in zip(pixels, sizes32, strict=True)),
            )
            value, largest = padded(n, c, *read), maxima(n, c, *at)
            place = flat(pixels, sizes32)
            found = tirx.const(NOWHERE, "int32")
            found_here = tirx.Select(value == largest, place, found)
            if is_float(x.dtype):
                # torch's is the last of several NaN.
                unknown = tirx.all(*(tirx.isnan(n.astype("float32")) for n in (largest, value)))
                found_here = tirx.Select(unknown, -1 - place, found_here)
            return te.min(tirx.Select(inside, found_here, found), axis=taps)

        first = te.compute(maxima.shape, element, name="max_pool_places")
        return te.compute(
            maxima.shape,
            lambda *i: tirx.Cast("int64", tirx.Select(first(*i) < 0, -1 - first(*i), first(*i))),
            name="places",
            tag="injective",
        )

    return bb.call_te(compute, *node.args, primfunc_name_hint="max_pool_places")


def _padded(
    x: te.Tensor,
    counts: Sequence[Expr],
    window: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> te.Tensor:
    """Return an image with all that its windows reach."""
    after = [
        tirx.max((count - 1) * stride + (taps - 1) * apart + 1 - size - pad, 0)
        for count, stride, taps, apart, size, pad in zip(
            counts, strides, window, dilation, x.shape[2:], padding, strict=True
        )
    ]
    return topi.nn.pad(x, [0, 0, *padding], [0, 0, *after], least(x.dtype), name="padded")


def flat(pixels: Sequence[Expr], sizes: Sequence[Expr | int]) -> Expr:
    """Return a pixel's place in its image as a row: `pixels` along each axis, of these sizes."""
    found = pixels[0]
    for pixel, size in zip(pixels[1:], sizes[1:], strict=True):
        found = found * size + pixel
    return found


MAX_POOL_PLACES: Final = define(
    "tvmfuse.max_pool_places",
    traits=Traits(kind=Kind.OTHER, why="its windows are those of one layout"),
    infer=_infer,
    legalize=_legalize,
    doc="Where in its image each window has its maximum.",
)


def max_pool_places(
    x: Expr,
    maxima: Expr,
    *,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> Call:
    """Return the place of each window's first maximum, or last NaN, in its image, int64.

    Args:
        x: Shape (N, C, D1..Dr), r from 1 to 3; an image has fewer than 2**31 pixels.
        maxima: Shape (N, C, ...), of all windows.
        kernel: r numbers.
        strides: r numbers.
        padding: r numbers, before the image; behind it is what windows reach.
        dilation: r numbers.
    """
    return call(
        MAX_POOL_PLACES,
        [x, maxima],
        kernel=list(kernel),
        strides=list(strides),
        padding=list(padding),
        dilation=list(dilation),
    )
