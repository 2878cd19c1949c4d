"""`tvmfuse.conv_transpose`: ONNX ConvTranspose, bias included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Type
from tvm.sym import Analyzer

from tvmfuse.ops.conv import with_bias
from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits
from tvmfuse.ops.transposed_axes import Axis, axis_of


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
    attrs, results = node.attrs, node.ty.shape.values

    def compute(x: te.Tensor, w: te.Tensor, *bias: te.Tensor) -> te.Tensor:
        y = _sums(x, w, _axes(node), attrs["groups"])
        return with_bias(_interleaved(y, _axes(node), results), *bias)

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="conv_transpose",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _axes(node: Call) -> list[Axis]:
    x, w, attrs = node.args[0].ty.shape.values, node.args[1].ty.shape.values, node.attrs
    rank, pads = len(x) - 2, [int(p) for p in node.attrs["padding"]]
    axes = []
    for i in range(rank):
        kernel, dilation = int(w[2 + i]), int(attrs["dilation"][i])
        behind = dilation * (kernel - 1) + int(attrs["output_padding"][i]) - pads[i + rank]
        stride = int(attrs["strides"][i])
        axes.append(axis_of(x[2 + i], kernel, stride, dilation, pads[i], behind))
    return axes


def _sums(x: te.Tensor, w: te.Tensor, axes: Sequence[Axis], groups: int) -> te.Tensor:
    """Return the sums of products by phase: of shape (N, O, phases..., places...)."""
    before, behind = zip(*(axis.pixel_padding for axis in axes), strict=True)
    if not all(isinstance(zeros, int) and zeros == 0 for zeros in (*before, *behind)):
        fill = tirx.const(0, x.dtype)
        x = topi.nn.pad(x, [0, 0, *before], [0, 0, *behind], fill, name="padded")
    ins, outs = int(w.shape[0]) // groups, int(w.shape[1])
    channel = te.reduce_axis((0, ins), name="c")
    zero = tirx.const(0, "int64")  # Its dtype is that of the axes.
    terms = [te.reduce_axis((zero, zero + a.terms), name=f"k{i}") for i, a in enumerate(axes)]

    def element(n: Expr, o: Expr, *at: Expr) -> Expr:
        c = channel if groups == 1 else o // outs * ins + channel
        own = o if groups == 1 else o % outs
        read = [
            axis.reads(phase, place, term)
            for axis, phase, place, term in zip(axes, *_split(at, axes), terms, strict=True)
        ]
        pixels, taps = zip(*read, strict=True)
        return te.sum(x(n, c, *pixels) * w(c, own, *taps), axis=[channel, *terms])

    phases = [zero + axis.phases for axis in axes if axis.phases > 1]
    shape = (x.shape[0], outs * groups, *phases, *(axis.places for axis in axes))
    return te.compute(shape, element, name="conv_transpose", tag="conv_transpose")


def _split(at: Sequence[Expr], axes: Sequence[Axis]) -> tuple[list[Expr], Sequence[Expr]]:
    """Return the phase and the place along each axis."""
    phases = iter(at)
    own = [next(phases) if axis.phases > 1 else tirx.const(0, "int64") for axis in axes]
    return own, at[len(at) - len(axes) :]


def _interleaved(y: te.Tensor, axes: Sequence[Axis], shape: Sequence[Expr]) -> te.Tensor:
    """Return the elements of all phases in their places; between phases are zeros."""
    if not any(axis.interleaves for axis in axes):
        return y

    def element(n: Expr, o: Expr, *at: Expr) -> Expr:
        from_where = [axis.place_of(i) for axis, i in zip(axes, at, strict=True)]
        phases = [p for (p, _), axis in zip(from_where, axes, strict=True) if axis.phases > 1]
        value = y(n, o, *phases, *(place for _, place in from_where))
        for axis, i in zip(axes, at, strict=True):
            reached = axis.is_reached(i)
            if reached is not None:
                value = tirx.if_then_else(reached, value, tirx.const(0, y.dtype))
        return value

    return te.compute(shape, element, name="interleaved", tag="injective")


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
