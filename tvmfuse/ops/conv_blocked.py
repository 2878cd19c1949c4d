"""`tvmfuse.conv_blocked`: a convolution whose output channels come in blocks, as NCHW[x]c."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.sym import Analyzer

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.epilogue import lowering_with_epilogue
from tvmfuse.ops.padded import padded
from tvmfuse.ops.summed_in import BOUNDED, summed_in
from tvmfuse.ops.traits import Kind, Traits


def _spatial(node: Call) -> list[Expr]:
    w, attrs, analyzer = node.args[1].ty.shape.values, node.attrs, Analyzer()
    rank, pads = len(attrs["strides"]), list(attrs["padding"])
    window = w[2 : 2 + rank]
    sizes = zip(
        node.args[0].ty.shape.values[2:], window, attrs["strides"], attrs["dilation"], strict=False
    )
    return [
        analyzer.simplify((size + pads[i] + pads[i + rank] - dilation * (k - 1) - 1) // stride + 1)
        for i, (size, k, stride, dilation) in enumerate(sizes)
    ]


def _infer(node: Call) -> Type:
    x, w = node.args[0].ty, node.args[1].ty
    blocks, block = w.shape.values[0], w.shape.values[len(node.attrs["strides"]) + 3]
    dtype = summed_in(str(x.dtype), str(w.dtype), wide=node.attrs["wide"])
    return relax.TensorType([x.shape.values[0], blocks, *_spatial(node), block], dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    attrs, rank = node.attrs, len(node.attrs["strides"])
    strides, dilation, pads = (list(attrs[k]) for k in ("strides", "dilation", "padding"))
    is_blocked = int(node.args[0].ty.ndim) == rank + 3

    def compute(x: te.Tensor, w: te.Tensor, *bias: te.Tensor) -> te.Tensor:
        dtype, near = summed_in(x.dtype, w.dtype, wide=attrs["wide"]), list[Expr]()
        if any(pads):
            x = padded(x, pads[:rank], pads[rank:], attrs["pad_value"])
        window = [te.reduce_axis((0, k), name=f"k{i}") for i, k in enumerate(w.shape[2 : 2 + rank])]
        chunk = te.reduce_axis((0, w.shape[1]), name="chunk")
        inner = te.reduce_axis((0, w.shape[2 + rank]), name="inner")
        if len(w.shape) > rank + 4:
            near.append(te.reduce_axis((0, w.shape[-1]), name="near"))

        def product(a: Expr, b: Expr) -> Expr:
            return a.astype(dtype) * b.astype(dtype)

        def element(n: Expr, o: Expr, *rest: Expr) -> Expr:
            *at, lane = rest
            places = [
                i * s + k * d for i, s, k, d in zip(at, strides, window, dilation, strict=True)
            ]
            if is_depthwise(node):
                terms = product(x(n, o, *places, lane), w(o, 0, *window, 0, lane))
                return te.sum(terms, axis=window)
            weight = w(o, chunk, *window, inner, lane, *near)
            channel = inner * w.shape[-1] + near[0] if near else inner
            if is_blocked:
                block, first = _begin_of_group(node, o)
                pixel = x(n, block + chunk, *places, first + channel)
            else:
                pixel = x(n, chunk * w.shape[2 + rank] + inner, *places)
            return te.sum(product(pixel, weight), axis=[chunk, *window, inner, *near])

        name = BOUNDED if attrs["bounded"] else "conv"
        y = te.compute(node.ty.shape.values, element, name=name, tag="conv2d_nchwc")
        return with_bias(y, *bias)

    return bb.call_te(compute, *node.args, primfunc_name_hint="conv_blocked")


def is_depthwise(node: Call) -> bool:
    """Return whether each channel is convolved on its own."""
    groups, outputs = int(node.attrs["groups"]), node.ty.shape.values
    return groups > 1 and groups == int(outputs[1]) * int(outputs[-1])


def _begin_of_group(node: Call, o: Expr) -> tuple[Expr, Expr]:
    """Return where the channels that a block of outputs sums up begin: their block, and lane."""
    groups, (blocks, chunks, *sizes) = int(node.attrs["groups"]), node.args[1].ty.shape.values
    if groups == 1:
        return tirx.const(0, o.ty.dtype), tirx.const(0, o.ty.dtype)
    rank = len(node.attrs["strides"])
    summed = math.prod(int(size) for size in (sizes[rank], *sizes[rank + 2 :]))
    group, among = o // (int(blocks) // groups), int(node.args[0].ty.shape.values[-1]) // summed
    return group // among * int(chunks), group % among * summed


def with_bias(y: te.Tensor, bias: te.Tensor | None = None) -> te.Tensor:
    """Add a bias of shape (O / b, b) to a tensor in blocks."""
    if bias is None:
        return y
    return te.compute(
        y.shape,
        lambda n, o, *r: y(n, o, *r) + bias(o, r[-1]).astype(y.dtype),
        name="bias",
        tag="broadcast",
    )


CONV_BLOCKED: Final = define(
    "tvmfuse.conv_blocked",
    traits=Traits(kind=Kind.OTHER, why="a sum of products", epilogue=True),
    infer=_infer,
    legalize=lowering_with_epilogue(_legalize),
    doc="Conv in NCHW[x]c.",
)


def conv_blocked(
    x: Expr,
    weight: Expr,
    bias: Expr | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int = 1,
    pad_value: int = 0,
    bounded: bool = False,
    wide: bool = False,
) -> Call:
    """Convolve into blocks of channels.

    Numbers of one type have results of that type; uint8 times int8 or int16 is summed in int32.

    Args:
        x: Shape (N, I / a, D1..Dr, a), or, of one group, (N, I, D1..Dr).
        weight: Shape (O / b, I / groups / c, k1..kr, c, b), c being a, or all channels of a group
            where a is a multiple of them; depthwise (C / b, 1, k1..kr, 1, b), and a is b. Of `x` in
            blocks, too, with g neighbouring channels side by side, as dot products take them:
            (O / b, I / groups / c, k1..kr, c / g, b, g).
        bias: Shape (O / b, b), or None.
        strides: r numbers.
        padding: 2 r numbers, all begins, then all ends.
        dilation: r numbers.
        groups: Of channels; b divides the outputs of one, where each has more than one.
        pad_value: What `x` is padded with.
        bounded: Whether the weights, multiplied by bytes, are `bounded`.
        wide: Whether sums of bfloat16 stay float32.

    Returns:
        Shape (N, O / b, E1..Er, b).
    """
    return call(
        CONV_BLOCKED,
        [x, weight, bias],
        strides=list(strides),
        padding=list(padding),
        dilation=list(dilation),
        groups=groups,
        pad_value=pad_value,
        bounded=bounded,
        wide=wide,
    )
