"""Vectors of bfloat16 or bytes, widened to float32 or int32 as they are read.

A bfloat16 is the upper half of a float32. TVM widens what is loaded whole; the type of a load under
a mask it takes for what it says.
"""

from __future__ import annotations

from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import BITS, Bits
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values
from tvmfuse.schedules.vector_accesses import filled_load

UPPER = 16
BYTES: Final = ("uint8", "int8")


def widened_vector(
    builder: LoopNestBuilder,
    bits: Bits,
    element: TensorLoad,
    lanes: int,
    at: Values,
    masked: tuple[Expr, Expr] | None = None,
) -> Expr:
    """Return so many elements of a buffer from one on: bfloat16 as float32, bytes as int32.

    Others are as they are.

    Args:
        builder: Of the function.
        bits: Gets the memory that is read as bits; its declarations have to be around the loops.
        element: The first.
        lanes: How many.
        at: The values of its axes.
        masked: The lanes that are read, and the number in all others: of bfloat16, 0.
    """
    if str(element.ty.dtype) in BYTES:
        return tirx.Cast(f"int32x{lanes}", builder.vector(element, lanes, at, masked))
    if str(element.ty.dtype) != BFLOAT16:
        return builder.vector(element, lanes, at, masked)
    read: Expr = bits.of(builder.vector(element, lanes, at))
    if masked is not None:
        mask, _ = masked
        read = filled_load(read.source, read.indices[0], mask, tirx.const(0, BITS))
    words = tirx.Cast(f"uint32x{lanes}", read)
    upper = tirx.shift_left(words, tirx.Broadcast(tirx.const(UPPER, "uint32"), lanes))
    return tirx.reinterpret(f"float32x{lanes}", upper)
