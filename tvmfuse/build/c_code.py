"""Kernels in words that TVM's writer of C gets right.

It writes a variable's name as it is: a graph's value may be named ``0``, as the first ones of old
exports of torch are, and a size ``Slice_12/sizes_0``, which C takes for a quotient. An infinity or
NaN of bfloat16 it writes as ``inff`` and ``nanf``, which are nothing, and of a float64 15 digits
after the point, so that 1e-16 is 0.
"""

from __future__ import annotations

import math
import re
import struct
from typing import Final

import tvm_ffi
from tvm import IRModule, tirx
from tvm.ir import Expr, Var
from tvm.tirx import FloatImm, PrimFunc

from tvmfuse.build.kernels.exact_floats import with_exact_floats

#: What begins with a digit, or is no letter, digit or underscore.
FOREIGN: Final = re.compile(r"^(?=\d)|\W", re.ASCII)


def for_c(module: IRModule) -> IRModule:
    """Return a module with each kernel in such words; names that become the same TVM tells apart.

    Args:
        module: Stays as it is.
    """
    functions = {
        symbol: _for_c(with_exact_floats(function)) if isinstance(function, PrimFunc) else function
        for symbol, function in module.functions_items()
    }
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


def _for_c(kernel: PrimFunc) -> PrimFunc:
    new: dict[Var, Var] = {}

    def named(var: Var) -> Var:
        name = FOREIGN.sub("_", var.name)
        return var if name == var.name else new.setdefault(var, Var(name, var.ty))

    return tvm_ffi.structural_map(kernel, [(Var, named), (FloatImm, _number)])


def _number(constant: FloatImm) -> Expr:
    """Return a constant as its bits, in a call, for TVM folds what is cast."""
    dtype, value = str(constant.ty.dtype), constant.value
    if dtype == "bfloat16" and not math.isfinite(value):
        (bits,) = struct.unpack("<i", struct.pack("<f", value))
        return tirx.Cast(dtype, tirx.call_pure_extern("float32", "__int_as_float", bits))
    if dtype == "float64" and math.isfinite(value) and float(f"{value:.15f}") != value:
        (bits,) = struct.unpack("<q", struct.pack("<d", value))
        return tirx.call_pure_extern(dtype, "__longlong_as_double", tirx.const(bits, "int64"))
    return constant
