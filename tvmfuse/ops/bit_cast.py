"""`tvmfuse.bit_cast`: the same bits as numbers of another dtype of as many bits."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    dtype = str(node.attrs["dtype"])

    def compute(x: te.Tensor) -> te.Tensor:
        def element(*i: Expr) -> Expr:
            number = x(*i)
            # A truth value is a byte of 0 or 1.
            if str(x.dtype) == "bool":
                number = number.astype("uint8")
            if dtype == "bool":
                return tirx.reinterpret("uint8", number) != tirx.const(0, "uint8")
            if "bfloat16" in (dtype, str(x.dtype)) and dtype != str(x.dtype):
                return _through_float32(number, dtype)
            return tirx.reinterpret(dtype, number)

        return te.compute(x.shape, element, name="bit_cast", tag="elemwise")

    return bb.call_te(compute, *node.args, primfunc_name_hint="bit_cast")


def _through_float32(number: Expr, dtype: str) -> Expr:
    """Take the bits of a bfloat16, or for one: TVM takes none of vectors of them.

    They are the upper half of the same number in float32.
    """
    if dtype == "bfloat16":
        word = tirx.shift_left(number.astype("uint16").astype("uint32"), tirx.const(16, "uint32"))
        return tirx.reinterpret("float32", word).astype(dtype)
    word = tirx.reinterpret("uint32", number.astype("float32"))
    return tirx.shift_right(word, tirx.const(16, "uint32")).astype("uint16").astype(dtype)


BIT_CAST: Final = define(
    "tvmfuse.bit_cast",
    traits=Traits(kind=Kind.ELEMENTWISE),
    infer=lambda node: relax.TensorType(node.args[0].ty.shape, str(node.attrs["dtype"])),
    legalize=_legalize,
    doc="ONNX BitCast.",
)


def bit_cast(x: Expr, dtype: str) -> Call:
    """Take bits as they are for numbers of another dtype.

    Args:
        x: Of any shape.
        dtype: Of as many bits as that of `x`.
    """
    return call(BIT_CAST, [x], dtype=dtype)
