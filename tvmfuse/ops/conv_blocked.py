"""`tvmfuse.conv_blocked`: a convolution whose output channels come in blocks, as NCHW[x]c."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Type
from tvm.sym import Analyzer

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.epilogue import lowering_with_epilogue
from tvmfuse.ops.traits import Kind, Traits


def _spatial(node: Call) -> list[Expr]:
    w, attrs, analyzer = node.args[1].ty.shape.values, node.attrs, Analyzer()
    rank, pads = len(attrs["strides"]), list(attrs["padding"])
    sizes = zip(
        node.args[0].ty.shape.values[2:], w[2:-2], attrs["strides"], attrs["dilation"], strict=False
    )
    return [
        analyzer.simplify((size + pads[i] + pads[i + rank] - dilation * (k - 1) - 1) // stride + 1)
        for i, (size, k, stride, dilation) in enumerate(sizes)
    ]


def _infer(node: Call) -> Type:
    x, w = node.args[0].ty, node.args[1].ty
    blocks, block = w.shape.values[0], w.shape.values[-1]
    return relax.TensorType([x.shape.values[0], blocks, *_spatial(node), block], x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    attrs, rank = node.attrs, len(node.attrs["strides"])
    strides, dilation, pads = (list(attrs[k]) for k in ("strides", "dilation", "padding"))
    is_blocked = int(node.args[0].ty.ndim) == rank + 3

    def compute(x: te.Tensor, w: te.Tensor, *bias: te.Tensor) -> te.Tensor:
        if any(pads):
            inner = [0] * is_blocked
            begins, ends = [0, 0, *pads[:rank], *inner], [0, 0, *pads[rank:], *inner]
            x = topi.nn.pad(x, begins, ends, tirx.const(0, x.dtype), name="padded")
        window = [te.reduce_axis((0, k), name=f"k{i}") for i, k in enumerate(w.shape[2:-2])]
        chunk = te.reduce_axis((0, w.shape[1]), name="chunk")
        inner = te.reduce_axis((0, w.shape[-2]), name="inner")

        def element(n: Expr, o: Expr, *rest: Expr) -> Expr:
            *at, lane = rest
            places = [
                i * s + k * d for i, s, k, d in zip(at, strides, window, dilation, strict=True)
            ]
            if is_depthwise(node):
                terms = x(n, o, *places, lane) * w(o, 0, *window, 0, lane)
                return te.sum(terms, axis=window)
            weight = w(o, chunk, *window, inner, lane)
            if is_blocked:
                block, lanes_before = _block_of_group(node, o)
                value = x(n, block + chunk, *places, lanes_before + inner)
            else:
                value = x(n, chunk * w.shape[-2] + inner, *places)
            return te.sum(value * weight, axis=[chunk, *window, inner])

        y = te.compute(node.ty.shape.values, element, name="conv", tag="conv2d_nchwc")
        return with_bias(y, *bias)

    return bb.call_te(compute, *node.args, primfunc_name_hint="conv_blocked")


def is_depthwise(node: Call) -> bool:
    """Return whether each channel is convolved on its own."""
    groups, w = int(node.attrs["groups"]), node.args[1].ty.shape.values
    return groups > 1 and groups == int(w[0]) * int(w[-1])


def _block_of_group(node: Call, o: Expr) -> tuple[Expr, Expr]:
    """Return where the channels that a block of outputs sums up begin: their block, and lane."""
    groups, w = int(node.attrs["groups"]), node.args[1].ty.shape.values
    if groups == 1:
        return tirx.const(0, o.ty.dtype), tirx.const(0, o.ty.dtype)
    group = o // (int(w[0]) // groups)
    among = int(node.args[0].ty.shape.values[-1]) // int(w[-2])
    return group // among * int(w[1]), group % among * int(w[-2])


def with_bias(y: te.Tensor, bias: te.Tensor | None = None) -> te.Tensor:
    """Add a bias of shape (O / b, b) to a tensor in blocks."""
    if bias is None:
        return y
    return te.compute(
        y.shape, lambda n, o, *r: y(n, o, *r) + bias(o, r[-1]), name="bias", tag="broadcast"
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
) -> Call:
    """Convolve into blocks of channels.

    Args:
        x: Shape (N, I / a, D1..Dr, a), or, of one group, (N, I, D1..Dr).
        weight: Shape (O / b, I / groups / c, k1..kr, c, b), c being a, or all channels of a group
            where a is a multiple of them; depthwise (C / b, 1, k1..kr, 1, b), and a is b.
        bias: Shape (O / b, b), or None.
        strides: r numbers.
        padding: 2 r numbers, all begins, then all ends.
        dilation: r numbers.
        groups: Of channels; b divides the outputs of one, where each has more than one.

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
    )
