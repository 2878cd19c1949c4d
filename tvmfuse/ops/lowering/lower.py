"""Relax operators become calls of kernels: TIR PrimFuncs, one for each operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, Op, TupleGetItem, Type
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.errors import CompilationError
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.kernels import CALL_TIR, call_like
from tvmfuse.ir.loops import LOOP, callers
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, span_of, values_of
from tvmfuse.ir.replace import drop_unused, replace
from tvmfuse.ir.size_variables import with_one_variable_a_size
from tvmfuse.manifest import StoredValue
from tvmfuse.ops.definition import OPAQUE
from tvmfuse.ops.lowering.operators import LEGALIZE
from tvmfuse.ops.lowering.values import with_values_of_results, with_values_of_views

BARRIER = "tvmfuse.barrier"

Origin: TypeAlias = tuple[tuple[str, ...], tuple[StoredValue, ...]]
"""The ONNX nodes that an expression computes, and the ONNX values that it is."""


@dataclass(frozen=True)
class Lowered:
    """A module that computes nothing but by PrimFuncs, called through `R.call_tir`.

    Attributes:
        module: Each call's span names the ONNX nodes that it computes.
    """

    module: IRModule


def lower(module: IRModule) -> Lowered:
    """Lower every operator to a kernel.

    Raises:
        CompilationError: An operator has no lowering.
    """
    module = map_functions(module, _without_computing_nothing)
    module = map_functions(module, with_values_of_views)
    named, origins = _with_unique_names(module)
    lowered = relax.transform.LegalizeOps(LEGALIZE, skip_ops=[BARRIER, LOOP])(named)
    lowered = map_functions(lowered, lambda function: _stamped(function, origins))
    lowered = map_functions(lowered, _without_tuples)
    lowered = map_functions(lowered, with_values_of_results)
    lowered = with_one_variable_a_size(lowered)
    lowered = _without_barriers(lowered)
    _check(lowered)
    return Lowered(lowered)


def _without_computing_nothing(function: relax.Function) -> relax.Function:
    """Make anew what has no elements, whatever operator gives it.

    TVM reads a 0 in the shape of a view as the operand's dimension there, and divides by the
    dimensions of what it pads or scatters.
    """
    flow, plan, read = Dataflow.of(function), {}, set()
    for var, value in flow.bindings:
        if isinstance(value, Call | TupleGetItem) and flow.num_uses(var):
            read.add(var)
        if isinstance(value, Call) and isinstance(value.op, Op) and _is_empty(var.ty):
            made = relax.op.zeros(var.ty.shape, var.ty.dtype)
            plan[var] = call_like(made, span=value.span)
    return replace(function, plan, drop=read) if plan else function


def _is_empty(result: Type) -> bool:
    shape = result.shape if isinstance(result, relax.TensorType) else None
    dims = shape.values if isinstance(shape, relax.ShapeExpr) else ()
    return any(isinstance(dim, tirx.IntImm) and dim.value == 0 for dim in dims)


def _with_unique_names(module: IRModule) -> tuple[IRModule, Mapping[str, Origin]]:
    """Name each variable differently: a name, unlike a span, comes through TVM's lowering."""
    origins: dict[str, Origin] = {}

    def rename(function: relax.Function) -> relax.Function:
        return _UniqueNames(origins).visit_expr(function)

    return map_functions(module, rename), origins


@mutator
class _UniqueNames(PyExprMutator):
    def __init__(self, origins: dict[str, Origin]) -> None:
        super().__init__()
        self.origins = origins

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = self.builder_.normalize(self.visit_expr(binding.value))
        kind = DataflowVar if isinstance(binding.var, DataflowVar) else Var
        var = kind(f"v{len(self.origins) + 1}", value.ty)
        self.origins[var.name] = nodes_of(binding.value), values_of(binding.value)
        self.builder_.emit_normalized(relax.VarBinding(var, value))
        self.set_var_remap(binding.var, var)


def _stamped(function: relax.Function, origins: Mapping[str, Origin]) -> relax.Function:
    return _Stamp(_with_helpers(function, origins)).visit_expr(function)


@mutator
class _Stamp(PyExprMutator):
    """Says again what each variable comes from, by its name."""

    def __init__(self, origins: Mapping[str, Origin]) -> None:
        super().__init__()
        self.origins = origins

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value, name = binding.value, binding.var.name
        if op_name(value) == CALL_TIR:
            value = call_like(value, span=span_of(*self.origins[name]))
        elif isinstance(value, TupleGetItem) and name in self.origins:
            value = TupleGetItem(value.tuple_value, value.index, span_of(*self.origins[name]))
        super().visit_var_binding_(relax.VarBinding(binding.var, value))


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


def _with_helpers(function: relax.Function, origins: Mapping[str, Origin]) -> Mapping[str, Origin]:
    """Name the variables that a lowering in several steps bound just before its result.

    They are of the same nodes, but are no ONNX value.
    """
    complete, helpers = dict(origins), list[str]()
    for var, _ in Dataflow.of(function).bindings:
        if var.name in origins:
            complete |= dict.fromkeys(helpers, (origins[var.name][0], ()))
            helpers.clear()
        else:
            helpers.append(var.name)
    return complete


def _without_barriers(module: IRModule) -> IRModule:
    """Make the kernels before barriers unfusable, and let readers read them directly."""
    flows = {caller: Dataflow.of(module[caller]) for caller in callers(module)}
    with_barriers = {caller: flow for caller, flow in flows.items() if flow.calls(BARRIER)}
    if not with_barriers:
        return module
    builder = relax.BlockBuilder(module)
    for caller, flow in with_barriers.items():
        plan = dict(_barriers(flow, module, builder))
        builder.update_func(caller, replace(module[caller], plan))
    return builder.get()


def _barriers(
    flow: Dataflow, module: IRModule, builder: relax.BlockBuilder
) -> Iterator[tuple[Var, Expr]]:
    """Yield what takes the place of each barrier, and of what computes its operand."""
    for barrier in flow.calls(BARRIER):
        var = flow.values[barrier].args[0]
        call = flow.values.get(var)
        yield barrier, var
        if call is not None and op_name(call) == CALL_TIR:
            callee = call.args[0]
            opaque = module[callee].with_attr("op_pattern", OPAQUE)
            # The builder gives equal kernels one name.
            apart = builder.add_func(opaque, f"{callee.name_hint}_apart")
            yield var, call_like(call, args=[apart, *call.args[1:]])


def _check(module: IRModule) -> None:
    left = {
        name: nodes_of(value)
        for caller in callers(module)
        for _, value in Dataflow.of(module[caller]).bindings
        if (name := op_name(value)) and name != LOOP and _has_lowering(name)
    }
    if left:
        found = "; ".join(f"{op} (from {', '.join(ns) or 'a pass'})" for op, ns in left.items())
        raise CompilationError(
            f"no lowering for: {found}. TVM does not know the shape of what it computes, "
            "a defect of tvmfuse: please report it with the model"
        )


def _has_lowering(name: str) -> bool:
    """Whether calls of an operator are to become kernels, and none may be left."""
    if name in LEGALIZE or name.startswith(("relax.nn.", "tvmfuse.")):
        return True
    return name.startswith("relax.") and Op.get(name).get_attr("FLegalize") is not None
