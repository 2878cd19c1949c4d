"""`tvmfuse.conv`: ONNX Conv, bias included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, topi
from tvm.ir import Call, Expr, Type
from tvm.sym import Analyzer

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.epilogue import lowering_with_epilogue
from tvmfuse.ops.padded import padded
from tvmfuse.ops.summed_in import summed_in
from tvmfuse.ops.traits import Kind, Traits

LAYOUTS: Final = {1: ("NCW", "OIW"), 2: ("NCHW", "OIHW"), 3: ("NCDHW", "OIDHW")}


def _infer(node: Call) -> Type:
    x, w = node.args[0].ty, node.args[1].ty
    if x.shape is None or w.shape is None:
        return relax.TensorType(dtype=x.dtype, ndim=x.ndim)
    rank = len(x.shape.values) - 2
    pads, analyzer = list(node.attrs["padding"]), Analyzer()
    spatial = [
        analyzer.simplify((size + pads[i] + pads[i + rank] - dilation * (k - 1) - 1) // stride + 1)
        for i, (size, k, stride, dilation) in enumerate(
            zip(
                x.shape.values[2:],
                w.shape.values[2:],
                node.attrs["strides"],
                node.attrs["dilation"],
                strict=True,
            )
        )
    ]
    dtype = summed_in(str(x.dtype), str(w.dtype), wide=node.attrs["wide"])
    return relax.TensorType([x.shape.values[0], w.shape.values[0], *spatial], dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    data_layout, kernel_layout = LAYOUTS[node.args[0].ty.ndim - 2]
    attrs = node.attrs

    def compute(x: te.Tensor, w: te.Tensor, *bias: te.Tensor) -> te.Tensor:
        pads, value = list(attrs["padding"]), attrs["pad_value"]
        if value and any(pads):
            rank = len(pads) // 2
            x, pads = padded(x, pads[:rank], pads[rank:], value), [0] * len(pads)
        y = topi.nn.conv(
            x,
            w,
            list(attrs["strides"]),
            pads,
            list(attrs["dilation"]),
            attrs["groups"],
            data_layout,
            kernel_layout,
            summed_in(x.dtype, w.dtype, wide=attrs["wide"]),
        )
        return with_bias(y, *bias)

    return bb.call_te(compute, *node.args, primfunc_name_hint="conv")


def with_bias(y: te.Tensor, bias: te.Tensor | None = None) -> te.Tensor:
    """Add a bias for each channel: `y` of shape (N, C, ...), `bias` of shape (C,)."""
    if bias is None:
        return y
    return te.compute(
        y.shape,
        lambda n, c, *s: y(n, c, *s) + bias(c).astype(y.dtype),
        name="bias",
        tag="broadcast",
    )


CONV: Final = define(
    "tvmfuse.conv",
    traits=Traits(kind=Kind.OTHER, why="a sum of products", epilogue=True),
    infer=_infer,
    legalize=lowering_with_epilogue(_legalize),
    doc="ONNX Conv.",
)


def conv(
    x: Expr,
    weight: Expr,
    bias: Expr | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int = 1,
    pad_value: int = 0,
    wide: bool = False,
) -> Call:
    """Convolve: ONNX ``Conv`` with explicit pads.

    Numbers of one type have results of that type; uint8 times int8 or int16 is summed in int32.

    Args:
        x: Shape (N, C, D1..Dr), r from 1 to 3.
        weight: Shape (O, C / groups, k1..kr).
        bias: Shape (O,), or None.
        strides: r numbers.
        padding: 2 r numbers, all begins, then all ends.
        dilation: r numbers.
        groups: Divides C and O.
        pad_value: What `x` is padded with, as with the zero point of stored integers.
        wide: Whether sums of bfloat16 stay float32.
    """
    return call(
        CONV,
        [x, weight, bias],
        strides=list(strides),
        padding=list(padding),
        dilation=list(dilation),
        groups=groups,
        pad_value=pad_value,
        wide=wide,
    )
