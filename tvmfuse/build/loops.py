"""The loops of a module that is compiled: `tvmfuse.loop` calls its body again and again."""

from __future__ import annotations

from collections.abc import Mapping

from tvm import IRModule, relax
from tvm.ir import GlobalVar
from tvm.target import Target

from tvmfuse.errors import CompilationError
from tvmfuse.ir.loops import is_body


def bodies_of(module: IRModule) -> Mapping[GlobalVar, relax.Function]:
    """Return the functions that run again and again."""
    return {name: f for name, f in module.functions_items() if is_body(f)}


def check_loops(module: IRModule, target: Target) -> None:
    """Refuse loops on a GPU.

    Raises:
        CompilationError: There are some, and the target is one.
    """
    if target.kind.name != "llvm" and bodies_of(module):
        raise CompilationError(
            "a loop whose number of iterations shows as the model runs is compiled for the CPU "
            f"alone, and the target is {target.kind.name}: compile for llvm"
        )
