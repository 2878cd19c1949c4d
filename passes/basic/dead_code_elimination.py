"""What nobody reads is not computed."""

from __future__ import annotations

from typing import ClassVar

from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.analysis import contains_impure_call

from tvmfuse.passes.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.passes.liveness import unread
from tvmfuse.passes.replace import remove, replace
from tvmfuse.passes.rewrite import map_functions
from tvmfuse.passes.trace import Trace
from tvmfuse.provenance import nodes_of


class DeadCodeElimination:
    """Drop the bindings that no output depends on.

    Before::

        a = exp(x)
        b = log(a)
        return relu(x)

    After::

        return relu(x)

    An element of a tuple that no access asks for is dead, too. What has an effect beside its value
    stays, and so does a `match_cast`, which checks a shape.

    Pays because each dead call would be a kernel that runs, and whose operands are kept in memory.
    """

    name: ClassVar[str] = "DeadCodeElimination"
    aliases: ClassVar[tuple[str, ...]] = ("Dead Code Elimination", "DCE")
    default: ClassVar[bool] = True

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Drop what is dead in every function."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()

        def change(function: relax.Function) -> relax.Function:
            return _without_dead_bindings(_without_dead_elements(function, trace), trace)

        return map_functions(module, change)


def _without_dead_bindings(function: relax.Function, trace: Trace) -> relax.Function:
    def may_go(var: Var, value: Expr) -> bool:
        del var
        if contains_impure_call(value):
            trace.decline("the call has no effect beside its value", nodes_of(value))
            return False
        if trace.exhausted:
            return False
        trace.fire(nodes_of(value))
        return True

    return remove(function, unread(function, may_go))


def _without_dead_elements(function: relax.Function, trace: Trace) -> relax.Function:
    """Let each access of a tuple that has a dead element read the element itself."""
    flow = Dataflow.of(function)
    plan: dict[Var, Expr] = {}
    tuples: set[Var] = set()
    for var, value in flow.bindings:
        if trace.exhausted or not isinstance(value, relax.Tuple):
            continue
        accesses = [(r, flow.values.get(r)) for r in flow.read_by(var)]
        if not all(r is not None and op_name(a) == TUPLE_GET_ITEM for r, a in accesses):
            continue
        read = {access.index for _, access in accesses}
        seen = all(flow.visible(f, at=r) for f in value.fields for r, _ in accesses)
        if accesses and seen and len(read) < len(value.fields):
            plan.update({r: value.fields[access.index] for r, access in accesses})
            tuples.add(var)
            trace.fire(nodes_of(value))
    return replace(function, plan, drop=tuples) if plan else function
