"""Passes with a bug planted: from one of its rewrites on, a pass's results are wrong by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest
from tvm import IRModule, relax, tirx, topi
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.relax.op import add

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.kernels import calls_of
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.replace import replace
from tvmfuse.ir.types import is_float
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace

PLANTED: Final = "planted"


def plant(patch: pytest.MonkeyPatch, entry: GraphPass, *, at: int = 0) -> list[tuple[str, ...]]:
    """Break a pass: the rewrite at this place of a turn makes the numbers wrong.

    Returns a list that gets the nodes of the wrong rewrites, as they are done.
    """
    work, done = type(entry).__call__, []

    def wrong(self: GraphPass, module: IRModule, trace: Trace | None = None) -> IRModule:
        trace = Trace() if trace is None else trace
        result = work(self, module, trace)
        if len(trace.fired) <= at or PLANTED in (result["main"].attrs or {}):
            return result  # A pass that may rewrite what was planted would never come to an end.
        done.append(trace.fired[at])
        return _marked(break_one(result, trace.fired[at]))

    patch.setattr(type(entry), "__call__", wrong)
    return done


def _marked(module: IRModule) -> IRModule:
    functions = dict(module.functions_items())
    functions[module.get_global_var("main")] = module["main"].with_attr(PLANTED, 1)
    return IRModule(functions, attrs=module.attrs)


def break_one(module: IRModule, nodes: tuple[str, ...]) -> IRModule:
    """Add one to what computes these nodes; to what is computed last, if nothing does any more."""
    kernels = any(isinstance(f, tirx.PrimFunc) for f in module.functions.values())
    return _break_kernel(module, nodes) if kernels else _break_call(module, nodes)


def _break_call(module: IRModule, nodes: tuple[str, ...]) -> IRModule:
    main = module["main"]
    floats = [
        (var, value)
        for var, value in Dataflow.of(main).bindings
        if not isinstance(value, Var) and isinstance(value.ty, relax.TensorType) and is_float(value)
    ]
    var, value = _last(floats, lambda pair: nodes_of(pair[1]), nodes)
    broken = with_nodes(add(value, relax.const(1.0, str(value.ty.dtype))), nodes_of(value))
    functions = dict(module.functions_items())
    functions[module.get_global_var("main")] = replace(main, {var: broken})
    return IRModule(functions, attrs=module.attrs)


def _break_kernel(module: IRModule, nodes: tuple[str, ...]) -> IRModule:
    floats = [call for call in calls_of(module["main"]) if is_float(call[0])]
    var, _, _ = _last(floats, lambda call: nodes_of(call[1]), nodes)
    plus_one = _PlusOne(module, var)
    main = plus_one.visit_expr(module["main"])
    plus_one.builder_.update_func(module.get_global_var("main"), main)
    return plus_one.builder_.get()


@mutator
class _PlusOne(PyExprMutator):
    def __init__(self, module: IRModule, var: Var) -> None:
        super().__init__(module)
        self.var = var

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var == self.var:
            value = self.builder_.emit(self.visit_expr(binding.value))
            call = self.builder_.call_te(topi.add, value, tirx.const(1.0, "float32"))
            binding = relax.VarBinding(binding.var, with_nodes(call, nodes_of(binding.value)))
        super().visit_var_binding_(binding)


def _last(listed: list[Any], named: Callable[[Any], Iterable[str]], nodes: tuple[str, ...]) -> Any:
    about = [one for one in listed if not set(nodes).isdisjoint(named(one))]
    return (about or listed)[-1]
