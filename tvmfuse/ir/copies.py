"""Whether TVM can copy a function with new variables."""

from __future__ import annotations

import tvm_ffi
from tvm import relax
from tvm.ir import Call

from tvmfuse.ir.dataflow import op_name

#: A choice between two numbers, of which one is computed.
CHOICE = "prim.if_then_else"


def can_be_copied(function: relax.Function) -> bool:
    """Whether `copy_with_new_vars` takes it: it takes such choices, in sizes, for operators."""
    calls: list[Call] = []
    tvm_ffi.structural_walk(function, (Call, calls.append))
    return all(op_name(call) != CHOICE for call in calls)
