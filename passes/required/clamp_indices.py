"""On a GPU no kernel can raise an error: indices that are out of range are clamped there."""

from __future__ import annotations

from collections.abc import Container
from typing import ClassVar

from tvm import IRModule, relax
from tvm.ir import Call, Expr
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of, rank_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace


class ClampIndices(GraphPass):
    """Clamp indices that a CPU's kernels would look at.

    Before::

        i = checked_indices(j, sizes)

    After::

        k = where(j < 0, j + sizes, j)
        i = minimum(maximum(k, 0), sizes - 1)

    Pays because no memory but the tensor's is read or written, whatever the indices are.
    """

    name = "ClampIndices"
    required = True
    targets: ClassVar[Container[str]] = frozenset({"cuda"})

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module without such checks; it fires nothing that could be undone."""
        del trace
        return map_functions(module, lambda function: _Clamped().visit_expr(function))


@mutator
class _Clamped(PyExprMutator):
    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = binding.value
        if op_name(value) == "tvmfuse.checked_indices":
            value = self._clamped(value)
        super().visit_var_binding_(relax.VarBinding(binding.var, value))

    def _clamped(self, call: Call) -> Expr:
        indices, sizes = map(self.visit_expr, call.args[:2])
        dtype, nodes = dtype_of(indices), nodes_of(call)

        def emit(made: Expr) -> Expr:
            return self.builder_.emit(with_nodes(made, nodes))

        if dtype != "int64":
            sizes = emit(relax.op.astype(sizes, dtype))
        if rank_of(indices) == 0:
            sizes = emit(in_shape(sizes, []))
        zero, one = (relax.const(number, dtype) for number in (0, 1))
        if call.attrs["from_back"]:
            below, wrapped = emit(relax.op.less(indices, zero)), emit(relax.op.add(indices, sizes))
            indices = emit(relax.op.where(below, wrapped, indices))
        least, last = emit(relax.op.maximum(indices, zero)), emit(relax.op.subtract(sizes, one))
        return with_nodes(relax.op.minimum(least, last), nodes, values_of(call))
