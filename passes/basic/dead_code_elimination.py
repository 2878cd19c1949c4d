"""What nobody reads is not computed."""

from __future__ import annotations

from tvm import IRModule, relax
from tvm.ir import Expr, TupleGetItem
from tvm.relax import Var
from tvm.relax.analysis import contains_impure_call

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.liveness import unused
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.replace import remove, replace
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace


class DeadCodeElimination(GraphPass):
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

    name = "DeadCodeElimination"
    aliases = ("Dead Code Elimination", "DCE")

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

    return remove(function, unused(function, may_go))


def _without_dead_elements(function: relax.Function, trace: Trace) -> relax.Function:
    """Let each access of a tuple that has a dead element read the element itself."""
    flow = Dataflow.of(function)
    plan: dict[Var, Expr] = {}
    tuples: set[Var] = set()
    for var, value in flow.bindings:
        if trace.exhausted or not isinstance(value, relax.Tuple):
            continue
        read = _elements_read(flow, var, value)
        if read and len({flow.values[r].index for r in read}) < len(value.fields):
            plan.update(read)
            tuples.add(var)
            trace.fire(nodes_of(value))
    return replace(function, plan, drop=tuples) if plan else function


def _elements_read(flow: Dataflow, var: Var, value: relax.Tuple) -> dict[Var, Expr]:
    """Return what each access of a tuple could read instead; nothing if one has to stay."""
    read: dict[Var, Expr] = {}
    for reader in flow.users(var):
        access = None if reader is None else flow.values.get(reader)
        if not isinstance(access, TupleGetItem) or reader in flow.outputs:
            return {}
        read[reader] = value.fields[access.index]
    return read if all(flow.visible(f, at=r) for r, f in read.items()) else {}
