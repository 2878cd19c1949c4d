"""Relax operators become calls of kernels: TIR PrimFuncs, one for each operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.errors import CompilationError
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.kernels import CALL_TIR, call_like, change_calls
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, span_of
from tvmfuse.ir.replace import drop_unused, replace
from tvmfuse.ops.definition import OPAQUE
from tvmfuse.ops.lowering.operators import LEGALIZE

BARRIER = "tvmfuse.barrier"


@dataclass(frozen=True)
class Lowered:
    """A module whose `main` calls PrimFuncs through `R.call_tir`, and nothing else that computes.

    Attributes:
        module: Each call's span names the ONNX nodes that it computes.
    """

    module: IRModule


def lower(module: IRModule) -> Lowered:
    """Lower every operator to a kernel.

    Raises:
        CompilationError: An operator has no lowering.
    """
    named, nodes = _with_unique_names(module)
    lowered = relax.transform.LegalizeOps(LEGALIZE, skip_ops=[BARRIER])(named)
    nodes = _with_helpers(lowered, nodes)
    lowered = map_functions(lowered, _without_tuples)
    lowered = change_calls(
        lowered, lambda var, call: call_like(call, span=span_of(nodes[var.name]))
    )
    lowered = _without_barriers(lowered)
    _check(lowered)
    return Lowered(lowered)


def _with_unique_names(module: IRModule) -> tuple[IRModule, Mapping[str, tuple[str, ...]]]:
    """Name each variable differently: a name, unlike a span, comes through TVM's lowering."""
    nodes: dict[str, tuple[str, ...]] = {}

    def rename(function: relax.Function) -> relax.Function:
        names = _UniqueNames()
        renamed = names.visit_expr(function)
        nodes.update(names.nodes)
        return renamed

    return map_functions(module, rename), nodes


@mutator
class _UniqueNames(PyExprMutator):
    def __init__(self) -> None:
        super().__init__()
        self.nodes: dict[str, tuple[str, ...]] = {}
        self.count = 0

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = self.builder_.normalize(self.visit_expr(binding.value))
        kind = DataflowVar if isinstance(binding.var, DataflowVar) else Var
        self.count += 1
        var = kind(f"v{self.count}", value.ty)
        self.nodes[var.name] = nodes_of(binding.value)
        self.builder_.emit_normalized(relax.VarBinding(var, value))
        self.set_var_remap(binding.var, var)


def _without_tuples(function: relax.Function) -> relax.Function:
    """Let the readers of a tuple's elements read them directly.

    TVM's `CanonicalizeBindings` does so, too, but drops each `match_cast` between two symbols: the
    check that their sizes are the same, and kernels that know one symbol are then given the other.
    """
    flow = Dataflow.of(function)
    plan = {
        var: read for var, value in flow.bindings if (read := _element(flow, value)) is not None
    }
    tuples = {v for v, e in flow.bindings if isinstance(e, relax.Tuple)}
    return drop_unused(replace(function, plan), tuples)


def _element(flow: Dataflow, value: Expr) -> Expr | None:
    """Return what a binding only gives another name, or None."""
    if isinstance(value, Var):
        return value
    if not isinstance(value, relax.TupleGetItem):
        return None
    origin = flow.resolve(value.tuple_value)
    return origin.fields[value.index] if isinstance(origin, relax.Tuple) else None


def _with_helpers(
    module: IRModule, nodes: Mapping[str, tuple[str, ...]]
) -> Mapping[str, tuple[str, ...]]:
    """Name the variables that a lowering in several steps bound just before its result."""
    complete, helpers = dict(nodes), list[str]()
    for var, _ in Dataflow.of(module["main"]).bindings:
        if var.name in nodes:
            complete |= dict.fromkeys(helpers, nodes[var.name])
            helpers.clear()
        else:
            helpers.append(var.name)
    return complete


def _without_barriers(module: IRModule) -> IRModule:
    """Make the kernels before barriers unfusable, and let readers read them directly."""
    main = module["main"]
    flow = Dataflow.of(main)
    barriers = flow.calls(BARRIER)
    if not barriers:
        return module
    builder = relax.BlockBuilder(module)
    plan: dict[Var, Expr] = {}
    for barrier in barriers:
        var = flow.values[barrier].args[0]
        call = flow.values.get(var)
        plan[barrier] = var
        if call is not None and op_name(call) == CALL_TIR:
            callee = call.args[0]
            opaque = module[callee].with_attr("op_pattern", OPAQUE)
            # The builder gives equal kernels one name.
            apart = builder.add_func(opaque, f"{callee.name_hint}_apart")
            plan[var] = call_like(call, args=[apart, *call.args[1:]])
    builder.update_func(module.get_global_var("main"), replace(main, plan))
    return builder.get()


def _check(module: IRModule) -> None:
    left = {
        name: nodes_of(value)
        for _, value in Dataflow.of(module["main"]).bindings
        if (name := op_name(value)) and name.startswith(("relax.nn.", "tvmfuse."))
    }
    if left:
        found = "; ".join(f"{op} (from {', '.join(ns) or 'a pass'})" for op, ns in left.items())
        raise CompilationError(f"no lowering for: {found}")
