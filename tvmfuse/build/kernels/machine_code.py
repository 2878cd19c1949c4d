"""TVM's code generator: scheduled PrimFuncs become an LLVM module, and that an object file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import tvm
import tvm_ffi
from tvm import IRModule, tirx
from tvm.error import InternalError
from tvm.ir import GlobalVar
from tvm.s_tir import SBlock
from tvm.target import Target
from tvm.tirx import AttrStmt, PrimFunc, Stmt

from tvmfuse import _tvm
from tvmfuse.build.kernels.constant_stores import with_stored_constants
from tvmfuse.build.kernels.exact_floats import with_exact_floats
from tvmfuse.build.kernels.instructions import digest_of_code
from tvmfuse.build.kernels.lowering import lowered
from tvmfuse.build.kernels.memory_of_branches import branches_ask
from tvmfuse.build.kernels.selected_truths import with_selected_truths
from tvmfuse.build.kernels.wrapping_addresses import has_wrapping_addresses, without_vectorizer

#: The pragma of `T.seq_scope`.
SCOPE: Final = "pragma_scope"


@dataclass(frozen=True)
class KernelCode:
    """A kernel's machine code.

    Attributes:
        symbol: What `object_file` calls it; kernels that are the same have one.
        object_file: LLVM's.
    """

    symbol: str
    object_file: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """Of the instructions, without names: unlike kernels may become the same code."""
        return digest_of_code(self.object_file, self.symbol)


def llvm_module(functions: Mapping[str, PrimFunc], target: Target) -> Any:
    """Compile functions, each under its symbol, to one LLVM module."""
    named = {
        GlobalVar(symbol): _legal(function).with_attr("global_symbol", symbol)
        for symbol, function in functions.items()
    }
    if any(map(has_wrapping_addresses, named.values())):
        target = without_vectorizer(target)
    # TVM's planner of temporaries takes one of truth values that is read in vectors for a tensor of
    # vectors of bits, and LLVM is then given bytes and bits.
    apart = any(_keeps_truths(f) or branches_ask(f) for f in named.values())
    try:
        functions = lowered(IRModule(named), target, plan_memory=not apart)
        return _tvm.llvm_module(functions, target)
    except InternalError:
        # Of some quotients of quotients `LowerIntrin` makes what TVM refuses itself, one name for
        # two values. Its own list looks for common subexpressions first, and leaves it none.
        plan = {"tirx.disable_storage_rewrite": apart}
        off = ["s_tir.CompactBufferAllocation"]
        with tvm.transform.PassContext(opt_level=3, config=plan, disabled_pass=off):
            return tirx.build(IRModule(named), target=target)


def _legal(function: PrimFunc) -> PrimFunc:
    """Return a kernel that TVM compiles to what it says, and says nothing of."""
    exact = with_exact_floats(_without_scopes(function))
    return with_selected_truths(with_stored_constants(exact))


def _without_scopes(function: PrimFunc) -> PrimFunc:
    """Drop what `T.seq_scope` leaves around statements: the code generator warns of each."""

    def inner(node: AttrStmt) -> Stmt:
        return node.body if node.attr_key == SCOPE else node

    body = tvm_ffi.structural_map(function.body, (AttrStmt, inner))
    return function if body.same_as(function.body) else function.with_body(body)


def _keeps_truths(function: PrimFunc) -> bool:
    """Whether a function has a temporary of truth values."""
    temporaries: list[tirx.Var] = []
    tvm_ffi.structural_walk(
        function.body, (SBlock, lambda block: temporaries.extend(block.alloc_buffers))
    )
    return any(str(buffer.ty.dtype) == "bool" for buffer in temporaries)


def object_file(module: Any) -> bytes:
    """Return LLVM's object file, made in memory: LLVM ends the process when a disk is full."""
    with os.fdopen(os.memfd_create("object"), "rb") as file:
        module.write_to_file(f"/proc/self/fd/{file.fileno()}", "o")
        return file.read()
