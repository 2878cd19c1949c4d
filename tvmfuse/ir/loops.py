"""Loops: Relax functions beside `main`, each of which `tvmfuse.loop` runs again and again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tvm import IRModule, relax
from tvm.ir import GlobalVar

from tvmfuse.ir.dataflow import Dataflow

#: The operator: its first operand is the function.
LOOP: Final = "tvmfuse.loop"

#: The attribute of such a function. Others beside `main` are groups of kernels.
BODY: Final = "tvmfuse.loop_body"


def is_body(function: object) -> bool:
    """Whether a function of a module is a loop's body."""
    return isinstance(function, relax.Function) and BODY in (function.attrs or {})


def callers(module: IRModule) -> list[GlobalVar]:
    """Return what computes and is no group of kernels: `main`, and the bodies of loops."""
    bodies = [name for name, function in module.functions_items() if is_body(function)]
    return [module.get_global_var("main"), *sorted(bodies, key=lambda name: name.name_hint)]


def bodies_in(function: relax.Function) -> Iterator[GlobalVar]:
    """Yield the body of each loop that a function runs."""
    flow = Dataflow.of(function)
    for var in flow.calls(LOOP):
        yield flow.values[var].args[0]
