"""Putting barriers into a function: marks that keep kernels apart."""

from __future__ import annotations

from collections.abc import Collection

from tvm import relax
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ops.markers import barrier


def insert_barriers(function: relax.Function, anchors: Collection[Var]) -> relax.Function:
    """Make the readers of each anchor read a `tvmfuse.barrier` of it instead."""
    return _Separate(anchors).visit_expr(function) if anchors else function


@mutator
class _Separate(PyExprMutator):
    def __init__(self, anchors: Collection[Var]) -> None:
        super().__init__()
        self.anchors = anchors

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var not in self.anchors:
            super().visit_var_binding_(binding)
            return
        value = self.builder_.emit(self.visit_expr(binding.value))
        super().visit_var_binding_(relax.VarBinding(binding.var, barrier(value)))
