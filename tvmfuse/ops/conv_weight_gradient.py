"""`tvmfuse.conv_weight_gradient`: what a convolution's weights add to a sum of its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    x, g, attrs = node.args[0].ty, node.args[1].ty, node.attrs
    channels = x.shape.values[1] // attrs["groups"]
    outs = g.shape.values[1]
    if _is_blocked(node):
        outs *= g.shape.values[-1]
    return relax.TensorType([outs, channels, *attrs["kernel"]], x.dtype)


def _is_blocked(node: Call) -> bool:
    """Whether the gradient's channels come in blocks."""
    return int(node.args[1].ty.ndim) == len(node.attrs["kernel"]) + 3


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor, gradient: te.Tensor) -> te.Tensor:
        pads = [int(p) for p in node.attrs["padding"]]
        if any(pads):
            rank, fill = len(pads) // 2, tirx.const(0, x.dtype)
            x = topi.nn.pad(x, [0, 0, *pads[:rank]], [0, 0, *pads[rank:]], fill, name="padded")
        if _is_blocked(node):
            return _sums_of_blocks(x, gradient, node)
        return _depthwise(x, gradient, node) if _is_depthwise(node) else _sums(x, gradient, node)

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="conv_weight_gradient",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _is_depthwise(node: Call) -> bool:
    return int(node.attrs["groups"]) > 1 and int(node.ty.shape.values[1]) == 1


def _sums(x: te.Tensor, gradient: te.Tensor, node: Call) -> te.Tensor:
    """Sum up products for each tap: a product of matrices, with the gradient's channels last."""
    groups, (outs, ins, *kernel) = int(node.attrs["groups"]), node.ty.shape.values
    own = outs // groups
    rows = _channels_last(gradient, "gradient_rows")
    n, places = _places(gradient, len(kernel))

    def tap(group: Expr, c: Expr, *at: Expr) -> Expr:
        *taps, o = at
        pixels = _pixels(node, places, taps)
        return te.sum(
            rows(n, *places, group * own + o) * x(n, group * ins + c, *pixels), axis=[n, *places]
        )

    y = te.compute((groups, ins, *kernel, own), tap, name="conv_weight_gradient")
    return te.compute(
        (outs, ins, *kernel),
        lambda o, c, *taps: y(o // own, c, *taps, o % own),
        name="weights",
        tag="injective",
    )


def _sums_of_blocks(x: te.Tensor, gradient: te.Tensor, node: Call) -> te.Tensor:
    """Sum up products for each tap, of a gradient whose channels come in blocks."""
    outs, ins, *kernel = node.ty.shape.values
    n, places = _places(gradient, len(kernel))
    chunks, block = gradient.shape[1], gradient.shape[-1]

    def tap(chunk: Expr, c: Expr, *at: Expr) -> Expr:
        *taps, lane = at
        pixel = x(n, c, *_pixels(node, places, taps))
        return te.sum(gradient(n, chunk, *places, lane) * pixel, axis=[n, *places])

    y = te.compute((chunks, ins, *kernel, block), tap, name="conv_weight_gradient")
    return te.compute(
        (outs, ins, *kernel),
        lambda o, c, *taps: y(o // block, c, *taps, o % block),
        name="weights",
        tag="injective",
    )


def _depthwise(x: te.Tensor, gradient: te.Tensor, node: Call) -> te.Tensor:
    """Sum up products of channels that have one input channel each, side by side."""
    outs, _, *kernel = node.ty.shape.values
    own = outs // int(node.attrs["groups"])
    rows, pixels = _channels_last(gradient, "gradient_rows"), _channels_last(x, "pixel_rows")
    n, places = _places(gradient, len(kernel))

    def tap(*at: Expr) -> Expr:
        *taps, o = at
        found = pixels(n, *_pixels(node, places, taps), o if own == 1 else o // own)
        return te.sum(rows(n, *places, o) * found, axis=[n, *places])

    y = te.compute((*kernel, outs), tap, name="conv_weight_gradient")
    return te.compute(
        (outs, 1, *kernel), lambda o, _, *taps: y(*taps, o), name="weights", tag="injective"
    )


def _places(gradient: te.Tensor, rank: int) -> tuple[tirx.IterVar, list[tirx.IterVar]]:
    """Return the axes that are summed up: the batch, and the places of results."""
    n, sizes = gradient.shape[0], gradient.shape[2 : 2 + rank]
    places = [te.reduce_axis((0, size), name=f"p{i}") for i, size in enumerate(sizes)]
    return te.reduce_axis((0, n), name="n"), places


def _pixels(node: Call, places: Sequence[tirx.IterVar], taps: Sequence[Expr]) -> list[Expr]:
    strides, dilation = node.attrs["strides"], node.attrs["dilation"]
    return [
        place * stride + tap * apart
        for place, stride, tap, apart in zip(places, strides, taps, dilation, strict=True)
    ]


def _channels_last(x: te.Tensor, name: str) -> te.Tensor:
    n, c, *sizes = x.shape

    def element(n: Expr, *at: Expr) -> Expr:
        *place, c = at
        return x(n, c, *place)

    return te.compute((n, *sizes, c), element, name=name, tag="injective")


CONV_WEIGHT_GRADIENT: Final = define(
    "tvmfuse.conv_weight_gradient",
    traits=Traits(kind=Kind.OTHER, why="a sum of products"),
    infer=_infer,
    legalize=_legalize,
    doc="The gradient of a convolution's weights.",
)


def conv_weight_gradient(
    x: Expr,
    gradient: Expr,
    *,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int = 1,
) -> Call:
    """Return the gradient of the weights, of shape (O, C / groups, k1..kr).

    Args:
        x: What was convolved, of shape (N, C, D1..Dr), r from 1 to 3.
        gradient: Of the result, of shape (N, O, ...), same dtype; of one group also in blocks,
            (N, O / b, ..., b).
        kernel: r numbers: k1..kr.
        strides: r numbers.
        padding: 2 r numbers, all begins, then all ends.
        dilation: r numbers.
        groups: Divides C and O.
    """
    return call(
        CONV_WEIGHT_GRADIENT,
        [x, gradient],
        kernel=list(kernel),
        strides=list(strides),
        padding=list(padding),
        dilation=list(dilation),
        groups=groups,
    )
