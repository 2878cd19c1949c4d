"""Floats in kernels, handed over as their bits: TVM's simplifier leaves them, LLVM reads them."""

from __future__ import annotations

import numpy as np
from tvm import tirx
from tvm.ir import Call, Expr

from tvmfuse.ir.dataflow import op_name

#: The integers that have as many bits.
INTEGERS = {"float32": "int32", "float64": "int64"}


def as_bits(number: float, dtype: str) -> Expr:
    """Return a positive float32 or float64 as an expression that TVM takes for no number."""
    integer = INTEGERS[dtype]
    bits = np.array(number, dtype).view(integer).item()
    return tirx.reinterpret(dtype, tirx.IntImm(integer, bits))


def of_bits(expr: Expr) -> Expr:
    """Return an expression, as a number where it is one that was handed over as bits."""
    if not isinstance(expr, Call) or op_name(expr) != "tirx.reinterpret":
        return expr
    (bits,), dtype = expr.args, str(expr.ty.dtype)
    if dtype not in INTEGERS or not isinstance(bits, tirx.IntImm):
        return expr
    number = np.array(int(bits.value), INTEGERS[dtype]).view(dtype).item()
    return tirx.FloatImm(dtype, number)
