"""Numbers rounded to bfloat16, as float32.

TVM computes bfloat16 in float32, and rounds what is stored alone: fused with what reads it, a cast
to bfloat16 would be no cast at all. So what a model casts is rounded by an intrinsic.
"""

from __future__ import annotations

from typing import Final

from tvm import tirx
from tvm.ir import Call, Expr, Op
from tvm.tirx import Let, Select, Var

from tvmfuse.ir.intrinsics import register_intrinsic

BFLOAT16: Final = "bfloat16"

#: The intrinsic's name, without the dialect.
ROUND: Final = "round_to_bfloat16"


def cast_to_bfloat16(x: Expr) -> Expr:
    """Return the bfloat16 that is nearest to a number, by way of float32; ties to even."""
    wide = tirx.Cast("float32", x)
    rounded = Call(Op.get(f"tirx.{ROUND}"), [wide], ret_ty=wide.ty)
    return tirx.Cast(BFLOAT16, rounded)


def nearest(call: Call) -> Expr:
    """Return what a call of one float32, or a vector of them, rounds it to, by arithmetic."""
    (x,) = call.args
    lanes = x.ty.dtype.lanes

    def constant(value: int) -> Expr:
        one = tirx.const(value, "int32")
        return one if lanes == 1 else tirx.Broadcast(one, lanes)

    words = "int32" if lanes == 1 else f"int32x{lanes}"
    bits, upper = Var("bits", words), constant(-0x10000)
    odd = (bits >> constant(16)) & constant(1)
    rounded = (bits + constant(0x7FFF) + odd) & upper
    is_nan = (bits & constant(0x7FFFFFFF)) > constant(0x7F800000)
    # A carry out of a NaN's lower half would make it infinite, or 0.
    number = Select(is_nan, (bits | constant(0x400000)) & upper, rounded)
    return Let(bits, tirx.reinterpret(words, x), tirx.reinterpret(str(x.ty.dtype), number))


register_intrinsic(
    ROUND,
    "the bfloat16 nearest to a float32, as float32",
    {"llvm": nearest, "cuda": nearest},
)
