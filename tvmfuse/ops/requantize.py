"""`tvmfuse.requantize`: sums of integers, rounded to the steps of a quantized tensor."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ir.types import numbers_of
from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering.broadcasting import broadcast
from tvmfuse.ops.traits import Kind, Traits

#: A scale up to which the product with any int32 still is one, as is the sum with a zero point.
SMALL: Final = 0.5


def _infer(node: Call) -> Type:
    return relax.TensorType(node.args[0].ty.shape, node.attrs["dtype"])


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    small = bool(node.attrs["small"])
    zero, low, high = (
        tirx.const(int(node.attrs[name]), "int32" if small else "float32")
        for name in ("zero_point", "low", "high")
    )

    def compute(sums: te.Tensor, addend: te.Tensor, scale: te.Tensor) -> te.Tensor:
        def element(*index: te.Var) -> Expr:
            whole = sums(*index) + addend(*broadcast(addend.shape, index))
            real = whole.astype("float32") * scale(*broadcast(scale.shape, index))
            nearest = tirx.round(real)
            steps = (nearest.astype("int32") if small else nearest) + zero
            return tirx.max(tirx.min(steps, high), low).astype(node.attrs["dtype"])

        return te.compute(sums.shape, element, name="requantized", tag="broadcast")

    return bb.call_te(compute, *node.args, primfunc_name_hint="requantize")


REQUANTIZE: Final = define(
    "tvmfuse.requantize",
    traits=Traits(kind=Kind.ELEMENTWISE),
    infer=_infer,
    legalize=_legalize,
    doc="The end of ONNX QLinearConv and QLinearMatMul.",
)


def requantize(
    sums: Expr, addend: Expr, scale: Expr, *, zero_point: int, low: int, high: int, dtype: str
) -> Call:
    """Add, scale and round: ``clip(round((sums + addend) * scale) + zero_point, low, high)``.

    Halves are rounded to even. Where the scale is known to be small, all rounded numbers fit int32,
    and are clipped there.

    Args:
        sums: int32.
        addend: int32; broadcasts to `sums`.
        scale: float32, finite; broadcasts to `sums`.
        zero_point: The step that is zero.
        low: The least result.
        high: The greatest.
        dtype: Of the result, an integer type that has both.
    """
    known = numbers_of(scale)
    return call(
        REQUANTIZE,
        [sums, addend, scale],
        zero_point=zero_point,
        low=low,
        high=high,
        dtype=dtype,
        small=known is not None and bool((abs(known) <= SMALL).all()),
    )
