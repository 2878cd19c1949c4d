"""`tvmfuse.conv_transpose`: ONNX ConvTranspose, bias included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, topi
from tvm.ir import Call, Expr, Type
from tvm.sym import Analyzer

from tvmfuse.ops.conv import with_bias
from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits

TRANSPOSED: Final = {
    1: topi.nn.group_conv1d_transpose_ncw,
    2: topi.nn.group_conv2d_transpose_nchw,
    3: topi.nn.group_conv3d_transpose_ncdhw,
}


def _infer(node: Call) -> Type:
    x, w, attrs = node.args[0].ty, node.args[1].ty, node.attrs
    if x.shape is None or w.shape is None:
        return relax.TensorType(dtype=x.dtype, ndim=x.ndim)
    rank = len(x.shape.values) - 2
    pads, analyzer = list(attrs["padding"]), Analyzer()
    spatial = [
        analyzer.simplify(
            (x.shape.values[2 + i] - 1) * attrs["strides"][i]
            + attrs["dilation"][i] * (w.shape.values[2 + i] - 1)
            + attrs["output_padding"][i]
            + 1
            - pads[i]
            - pads[i + rank]
        )
        for i in range(rank)
    ]
    channels = w.shape.values[1] * attrs["groups"]
    return relax.TensorType([x.shape.values[0], channels, *spatial], x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    attrs, rank = node.attrs, node.args[0].ty.ndim - 2

    def compute(x: te.Tensor, w: te.Tensor, *bias: te.Tensor) -> te.Tensor:
        if any(d != 1 for d in attrs["dilation"]):
            # A dilated transposed convolution is one with zeros between the kernel's elements.
            w = topi.nn.dilate(w, [1, 1, *attrs["dilation"]], name="kernel_dilate")
        y = TRANSPOSED[rank](
            x,
            w,
            list(attrs["strides"]),
            list(attrs["padding"]),
            x.dtype,
            list(attrs["output_padding"]),
            attrs["groups"],
        )
        return with_bias(y, *bias)

    return bb.call_te(compute, *node.args, primfunc_name_hint="conv_transpose")


CONV_TRANSPOSE: Final = define(
    "tvmfuse.conv_transpose",
    traits=Traits(kind=Kind.OTHER, why="a sum of products"),
    infer=_infer,
    legalize=_legalize,
    doc="ONNX ConvTranspose.",
)


def conv_transpose(
    x: Expr,
    weight: Expr,
    bias: Expr | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    groups: int = 1,
) -> Call:
    """Convolve backwards: ONNX ``ConvTranspose`` with explicit pads.

    Args:
        x: Shape (N, C, D1..Dr), r from 1 to 3.
        weight: Shape (C, O / groups, k1..kr), same dtype.
        bias: Shape (O,), or None.
        strides: r numbers.
        padding: 2 r numbers, all begins, then all ends.
        output_padding: r numbers, added at the ends.
        dilation: r numbers.
        groups: Divides C and O.
    """
    return call(
        CONV_TRANSPOSE,
        [x, weight, bias],
        strides=list(strides),
        padding=list(padding),
        output_padding=list(output_padding),
        dilation=list(dilation),
        groups=groups,
    )
