"""The passes of TVM that make what LLVM compiles of a scheduled kernel.

TVM's own list has as many again: for GPUs, and to make simple what LLVM makes simple anyway. All
of them took half of the time of a compilation, for the same instructions.
"""

from __future__ import annotations

from typing import Any, Final

import tvm
import tvm_ffi
from tvm import IRModule, s_tir, tirx
from tvm.ir import StringImm
from tvm.target import Target
from tvm.tirx import AssertStmt, Evaluate, PrimFunc, Stmt

#: What a function says that is called with other operands than it is compiled for.
FOREIGN: Final = "a kernel was called with operands that it is not compiled for"

#: The kinds of errors of checks that are ours, and stay as they are: the first is of what is fed.
OF_FEEDS: Final = "InputError"
OURS: Final = (OF_FEEDS, "MemoryError", "DamagedArtifactError")

#: What stands in TVM's words where a check is of what may differ from one run to another: a size,
#: or where the elements of a tensor that a caller made begin.
DIFFERS: Final = (".shape[", ".byte_offset")


def lowered(module: IRModule, target: Target, *, plan_memory: bool) -> IRModule:
    """Lower scheduled functions to what LLVM compiles, in TVM's calling convention.

    Args:
        module: PrimFuncs.
        target: Of kind ``llvm``.
        plan_memory: Whether temporaries may share memory.
    """
    blocks, simple = s_tir.transform, tirx.transform
    passes = [
        simple.BindTarget(target.with_host(target)),
        # Blocks become loops, and buffers are flat.
        blocks.LowerInitBlock(),
        blocks.PlanAndUpdateBufferAllocationLocation(),
        blocks.ConvertBlocksToOpaque(),
        blocks.LowerMatchBuffer(),
        blocks.StmtSimplify(),
        blocks.LowerOpaqueBlock(),
        simple.FlattenBuffer(),
        simple.BF16ComputeLegalize(),
        simple.NarrowDataType(32),
        # Loops become vectors, and lines of code.
        simple.VectorizeLoop(),
        *([simple.StorageRewrite()] if plan_memory else []),
        simple.UnrollLoop(),
        simple.StmtSimplify(),
        blocks.RewriteUnsafeSelect(),
        # Functions become C's, and their loops that run in threads functions of their own.
        simple.AnnotateEntryFunc(),
        simple.SplitHostDevice(),
        simple.MakePackedAPI(),
        needed_checks(),
        simple.BF16StorageLegalize(),
        simple.LowerTVMBuiltin(),
        simple.LowerIntrin(),
    ]
    # A context of our own: what the caller's says about passes is not ours to follow.
    with tvm.transform.PassContext(opt_level=3):
        return tvm.transform.Sequential(passes)(module)


def needed_checks() -> Any:
    """Return the pass that leaves of a function's checks of its operands those that can fail.

    A kernel's operands have the types that the graph gives them, and callers' tensors are checked
    before (`runtime.arguments`). All checks, each with words of its own, were half of the
    instructions of a model.
    """

    @tirx.transform.prim_func_pass(opt_level=0)
    def left(function: PrimFunc, _module: IRModule, _context: Any) -> PrimFunc:
        kind, words = StringImm("ValueError"), [StringImm(FOREIGN)]

        def check(node: AssertStmt) -> Stmt:
            if node.error_kind.value in OURS:
                return node
            said = "".join(part.value for part in node.message_parts)
            if not any(what in said for what in DIFFERS):
                return Evaluate(0)
            # Its constructor has these names the other way round (TVM 0.27).
            return AssertStmt(node.condition, kind, words)

        return function.with_body(tvm_ffi.structural_map(function.body, (AssertStmt, check)))

    return left
