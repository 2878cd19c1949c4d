"""`tvmfuse.roi_align`: ONNX RoiAlign; each sample's corners are found out once for all channels."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Final, NamedTuple

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits

INT64: Final = "int64"

LANES: Final = 16
"""Channels that are computed at once."""


class _Axis(NamedTuple):
    """A region along an axis of its image.

    Attributes:
        begin: Where it begins, in pixels.
        step: How long a bin is.
        samples: How many there are in each.
        size: How many pixels the image has.
    """

    begin: Expr
    step: Expr
    samples: Expr
    size: Expr

    def sides(self, bin_: Expr, sample: Expr) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr], Expr]:
        """Return the pixels before and behind a sample with their weights, and whether it counts.

        Each is a pixel of the image, whatever the sample is.
        """
        dtype = self.begin.ty.dtype

        def number(index: Expr) -> Expr:
            return tirx.Cast(dtype, index)

        half, one, zero = (tirx.const(n, dtype) for n in (0.5, 1, 0))
        first = self.begin + number(bin_) * self.step
        at = first + (number(sample) + half) * self.step / number(self.samples)
        at = write.bind(at)
        counts = tirx.Not(tirx.Or(at < -one, at > number(self.size)))
        last = self.size - 1
        # Not `max`, which for NaN is either.
        inside = tirx.Select(at > zero, tirx.Select(at < number(last), at, number(last)), zero)
        inside = write.bind(inside)
        low = write.bind(tirx.Cast(INT64, inside))
        share = write.bind(inside - number(low))
        return (low, one - share), (tirx.min(low + 1, last), share), counts


def _infer(node: Call) -> Type:
    x, regions, attrs = node.args[0].ty, node.args[1].ty, node.attrs
    bins = [tirx.const(int(n), INT64) for n in attrs["bins"]]
    channels = x.shape.values[-1 if attrs["channels_last"] else 1]
    own = [*bins, channels] if attrs["channels_last"] else [channels, *bins]
    return relax.TensorType([regions.shape.values[0], *own], x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor, regions: te.Tensor, images: te.Tensor) -> te.Tensor:
        return te.extern(
            [node.ty.shape.values],
            [x, regions, images],
            lambda ins, outs: _kernel(node, *ins, *outs),
            dtype=[x.dtype],
            name="roi_align",
        )

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="roi_align",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _kernel(node: Call, x: Buffer, regions: Buffer, images: Buffer, result: Buffer) -> Stmt:
    attrs, dtype = node.attrs, x.dtype
    last, largest = bool(attrs["channels_last"]), bool(attrs["largest"])
    height, width = x.shape[1:3] if last else x.shape[2:4]
    channels = x.shape[3] if last else x.shape[1]
    zero, one = (tirx.const(n, dtype) for n in (0, 1))
    with IRBuilder() as builder:
        image, given, number = (write.buffer_proxy(b) for b in (x, regions, images))
        made = write.buffer_proxy(result)
        with write.parallel(0, regions.shape[0]) as r:

            def region(place: int, size: Expr, bins: int) -> _Axis:
                begin, end = (
                    write.bind(
                        given[r, p] * tirx.const(attrs["scale"], dtype)
                        - tirx.const(attrs["offset"], dtype)
                    )
                    for p in (place, place + 2)
                )
                length = write.bind(end - begin)
                if attrs["offset"] == 0:
                    length = tirx.Select(length < one, one, length)
                step = write.bind(length / tirx.const(bins, dtype))
                fixed = int(attrs["samples"])
                adaptive = tirx.Cast(INT64, tirx.ceil(step))
                count = tirx.const(fixed, INT64) if fixed else write.bind(adaptive)
                return _Axis(begin, step, count, size)

            rows, columns = (int(n) for n in attrs["bins"])
            down, across = region(1, height, rows), region(0, width, columns)
            count = tirx.Cast(dtype, tirx.max(down.samples * across.samples, 1))

            with write.serial(0, rows) as i, write.serial(0, columns) as j:

                def at(c: Expr) -> tuple[Expr, ...]:
                    return (r, i, j, c) if last else (r, c, i, j)

                def start(c: Expr) -> None:
                    made[at(c)] = zero

                _each(channels, start)
                with write.serial(0, down.samples) as p, write.serial(0, across.samples) as q:
                    *above_below, counts_down = down.sides(i, p)
                    *left_right, counts_across = across.sides(j, q)
                    counts = tirx.And(counts_down, counts_across)
                    shares = [
                        (h, w, write.bind(tirx.Select(counts, share_h * share_w, zero)))
                        for h, share_h in above_below
                        for w, share_w in left_right
                    ]

                    def add(c: Expr) -> None:
                        terms = [
                            image[(number[r], h, w, c) if last else (number[r], c, h, w)] * share
                            for h, w, share in shares
                        ]
                        if largest:
                            found = reduce(tirx.max, terms)
                            first = tirx.And(p == 0, q == 0)
                            made[at(c)] = tirx.Select(first, found, tirx.max(made[at(c)], found))
                        else:
                            made[at(c)] = reduce(operator.add, terms, made[at(c)])

                    _each(channels, add)

                def finish(c: Expr) -> None:
                    made[at(c)] = made[at(c)] / count

                if not largest:
                    _each(channels, finish)
        return builder.get()


def _each(channels: Expr, body: Callable[[Expr], None]) -> None:
    """Write a loop over channels, several at once."""
    blocks, rest = tirx.floordiv(channels, LANES), tirx.floormod(channels, LANES)
    with write.serial(0, blocks) as block, write.vectorized(0, LANES) as lane:
        body(block * LANES + lane)
    known = isinstance(channels, tirx.IntImm)
    if not known or int(channels) % LANES:
        with (write.vectorized if known else write.serial)(0, rest) as left:
            body(blocks * LANES + left)


ROI_ALIGN: Final = define(
    "tvmfuse.roi_align",
    traits=Traits(kind=Kind.OTHER, why="it reads samples of an image"),
    infer=_infer,
    legalize=_legalize,
    doc="ONNX RoiAlign.",
)


def roi_align(
    x: Expr,
    regions: Expr,
    images: Expr,
    *,
    bins: tuple[int, int],
    samples: int,
    scale: float,
    offset: float,
    largest: bool,
    channels_last: bool,
) -> Call:
    """Average samples, or take the largest, in the bins of regions of images.

    Args:
        x: Shape (N, C, H, W), or (N, H, W, C) with `channels_last`; no axis but C is empty.
        regions: Shape (R, 4), of the same floating-point dtype: left, top, right, bottom.
        images: Of which image each region is, shape (R,), int64, each below N.
        bins: Rows and columns of the result.
        samples: Along each axis of a bin; 0 for one for each pixel that it is long.
        scale: Pixels of `x` for each unit of the regions.
        offset: Pixels that are taken off; without it a region is one pixel long at least.
        largest: ONNX's mode "max": the largest of all corners times their weights.
        channels_last: Where the channels are, in the result as well.

    Returns:
        Shape (R, C, rows, columns), or (R, rows, columns, C).
    """
    return call(
        ROI_ALIGN,
        [x, regions, images],
        bins=list(bins),
        samples=samples,
        scale=float(scale),
        offset=float(offset),
        largest=largest,
        channels_last=channels_last,
    )
