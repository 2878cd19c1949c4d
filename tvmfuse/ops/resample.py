"""`tvmfuse.resample`: elements along axes are mixed with weights, one axis after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits


class Taps(NamedTuple):
    """What each element along an axis of the result is mixed from.

    Attributes:
        axis: Which axis.
        places: Where the taps are, int32 of shape (taps, result), each inside the axis.
        weights: What they are multiplied by, of the same shape; of float32 for half precision.
    """

    axis: int
    places: Expr
    weights: Expr


def _infer(node: Call) -> Type:
    x, shape = node.args[0].ty, [*node.args[0].ty.shape.values]
    for axis, places in zip(node.attrs["axes"], node.args[1::2], strict=True):
        shape[int(axis)] = places.ty.shape.values[1]
    return relax.TensorType(shape, x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    axes, skips = [int(a) for a in node.attrs["axes"]], bool(node.attrs["skips_zeros"])

    def compute(x: te.Tensor, *tables: te.Tensor) -> te.Tensor:
        for axis, places, weights in zip(axes, tables[::2], tables[1::2], strict=True):
            x = _along(x, axis, places, weights, skips=skips)
        return x

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="resample",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _along(
    x: te.Tensor, axis: int, places: te.Tensor, weights: te.Tensor, *, skips: bool
) -> te.Tensor:
    taps, result = places.shape

    def element(*i: Expr) -> Expr:
        def term(tap: int) -> Expr:
            place, weight = tirx.Cast("int64", places(tap, i[axis])), weights(tap, i[axis])
            product = x(*i[:axis], place, *i[axis + 1 :]) * weight
            zero = tirx.const(0, x.dtype)
            return tirx.Select(weight == zero, zero, product) if skips else product

        total = term(0)
        for tap in range(1, int(taps)):
            total = total + term(tap)
        return total

    shape = [*x.shape[:axis], result, *x.shape[axis + 1 :]]
    return te.compute(shape, element, name="resample")


RESAMPLE: Final = define(
    "tvmfuse.resample",
    traits=Traits(
        kind=Kind.OTHER,
        why="it is alone in its class: the passes that know it name it",
    ),
    infer=_infer,
    legalize=_legalize,
    doc="Elements along axes are mixed with weights, one axis after the other.",
)


def resample(x: Expr, taps: Sequence[Taps], *, skips_zeros: bool) -> Call:
    """Mix the elements along some axes.

    Args:
        x: Of a floating-point dtype.
        taps: For each axis, in the order in which they are computed.
        skips_zeros: Whether a tap of weight zero adds nothing where it is NaN or infinite, too.
    """
    tables = [table for tap in taps for table in (tap.places, tap.weights)]
    axes = [tap.axis for tap in taps]
    return call(RESAMPLE, [x, *tables], axes=axes, skips_zeros=skips_zeros)
