"""Launches of no blocks, which CUDA refuses: where a size is 0 as the model runs, there is none.

That is asked last of all. In a kernel's own loops the question would stand around barriers of
threads, which TVM refuses.
"""

from __future__ import annotations

from typing import Any, Final

import tvm
import tvm_ffi
from tvm import IRModule, s_tir, tirx
from tvm.ir.transform import Sequential
from tvm.tirx import Evaluate, IfThenElse, IntImm, PrimFunc, Stmt

from tvmfuse.ir.dataflow import op_name

#: How the CPU launches a kernel: its name, its operands, and the threads of each kind.
LAUNCH: Final = "tirx.call_ffi_kernel"
BLOCKS: Final = "blockIdx"

#: The name that `relax.build` knows TVM's passes, with this one, by.
PIPELINE: Final = "tvmfuse_cuda"


def without_empty_launches(module: IRModule) -> IRModule:
    """Ask before each launch whether it has blocks, unless they are a constant.

    Args:
        module: Functions of the CPU, as TVM leaves them that split them from the GPU's.
    """
    functions = {
        symbol: f.with_body(tvm_ffi.structural_map(f.body, (Evaluate, _asked)))
        if isinstance(f, PrimFunc)
        else f
        for symbol, f in module.functions_items()
    }
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


def _asked(statement: Evaluate) -> Stmt:
    call = statement.value
    if op_name(call) != LAUNCH:
        return statement
    kinds = [*call.attrs.launch_params]
    extents = zip(kinds, call.args[-len(kinds) :], strict=True)
    blocks = [extent for kind, extent in extents if str(kind).startswith(BLOCKS)]
    unsure = [n > 0 for n in blocks if not (isinstance(n, IntImm) and n.value > 0)]
    return IfThenElse(tirx.all(*unsure), statement, None) if unsure else statement


@tvm.transform.module_pass(opt_level=0, name="WithoutEmptyLaunches")
def _asks(module: IRModule, _: Any) -> IRModule:
    return without_empty_launches(module)


def _pipeline() -> tuple[Any, Any, Any]:
    passes, host, device = s_tir.pipeline.default_s_tir_pipeline()
    return passes, lambda: Sequential([_asks, host()]), device


tirx.register_tir_pipeline(PIPELINE, _pipeline)
