"""Divisions of sizes by one that may be 0: x86 ends the process there.

The sizes of all that a function holds are computed as it begins, those of branches that are not
taken, too. What divides by 0 where it is needed has been refused by then, so any number will do;
it is 0, as in `tvmfuse.tensor_spec.SIGNS`.
"""

from __future__ import annotations

from typing import Any, Final

import tvm
import tvm_ffi
from tvm import IRModule, tirx
from tvm.ir import Expr

#: What says of a function that it computes sizes.
OF_SIZES: Final = "tirx.is_host_func"

DIVISIONS: Final = (tirx.FloorDiv, tirx.FloorMod, tirx.Div, tirx.Mod)


@tvm.transform.module_pass(opt_level=0, name="GuardSizeDivisions")
def guard_size_divisions(module: IRModule, _: Any) -> IRModule:
    """Let no division of sizes end the process.

    Args:
        module: After TVM's `VMShapeLower`.
    """
    functions = {
        name: guarded(f) if isinstance(f, tirx.PrimFunc) and f.attrs and OF_SIZES in f.attrs else f
        for name, f in module.functions_items()
    }
    return IRModule(functions, module.attrs, module.global_infos)


def guarded(function: tirx.PrimFunc) -> tirx.PrimFunc:
    """Return a function that computes sizes, of whose divisions none ends the process."""
    return function.with_body(tvm_ffi.structural_map(function.body, (DIVISIONS, _guarded)))


def _guarded(division: Any) -> Expr:
    divisor = division.b
    if isinstance(divisor, tirx.IntImm) and int(divisor) != 0:
        return division
    none = divisor.ty.dtype
    is_zero = tirx.EQ(divisor, tirx.const(0, none))
    safe = type(division)(division.a, tirx.Select(is_zero, tirx.const(1, none), divisor))
    return tirx.Select(is_zero, tirx.const(0, none), safe)
