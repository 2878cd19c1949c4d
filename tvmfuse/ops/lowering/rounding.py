"""An ONNX node that takes several calls in float16 or bfloat16 rounds its result, and only that.

ReduceL2 of 700 twenties is 529; the sum of their squares is more than float16 holds.
"""

from __future__ import annotations

from collections.abc import Collection

from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import TensorType, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ir.types import constant, known_array
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.ops.traits import traits_of


def round_once(function: relax.Function) -> relax.Function:
    """Compute in float32 what the calls of one ONNX node hand to each other in half precision."""
    flow = Dataflow.of(function)
    handed = {
        var
        for var, value in flow.bindings
        if _follows(value) and any(_inside(flow, var, reader) for reader in flow.users(var))
    }
    last = {r for var in handed for r in flow.users(var) if _inside(flow, var, r)}
    return _Rounding(flow, handed | last).visit_expr(function) if handed else function


def _follows(value: Expr | None) -> bool:
    return value is not None and traits_of(value).keeps_dtype and _is_half(value)


def _is_half(expr: Expr) -> bool:
    return isinstance(expr.ty, TensorType) and str(expr.ty.dtype) in HALF


def _inside(flow: Dataflow, var: Var, reader: Var | None) -> bool:
    """Whether a value and its reader belong to one node.

    A call without a name is part of another call's node.
    """
    if reader is None or not flow.same_block(var, reader):
        return False
    read_by = flow.values.get(reader)
    if not _follows(read_by):
        return False
    nodes, later = nodes_of(flow.values[var]), nodes_of(read_by)
    return not nodes or not later or nodes == later


@mutator
class _Rounding(PyExprMutator):
    def __init__(self, flow: Dataflow, widened: Collection[Var]) -> None:
        super().__init__()
        self.flow = flow
        self.widened = widened
        self.wide: dict[Var, Expr] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        var, value = binding.var, binding.value
        if var not in self.widened:
            super().visit_var_binding_(binding)
            return
        args = {arg: self._operand(var, arg) for arg in dict.fromkeys(value.args)}
        call = Call(value.op, [args[arg] for arg in value.args], attrs=value.attrs)
        self.wide[var] = self.builder_.emit(with_nodes(call, nodes_of(value)))
        if not all(_inside(self.flow, var, reader) for reader in self.flow.users(var)):
            rounded = relax.op.astype(self.wide[var], value.ty.dtype)
            rounded = with_nodes(rounded, nodes_of(value), values_of(value))
            super().visit_var_binding_(relax.VarBinding(var, rounded))

    def _operand(self, reader: Var, operand: Expr) -> Expr:
        if not _is_half(operand):
            return self.visit_expr(operand)
        if operand in self.wide and _inside(self.flow, operand, reader):
            return self.wide[operand]
        if isinstance(operand, GenericConst):
            return constant(known_array(operand).astype("float32"))
        cast = relax.op.astype(self.visit_expr(operand), "float32")
        return self.builder_.emit(with_nodes(cast, nodes_of(self.flow.values[reader])))
