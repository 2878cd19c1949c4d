"""Memory that is allocated by the shape of a tensor that fills it.

TVM asks for bytes, whose number a function of its own computes in each run where it is symbolic::

    s = alloc_storage([n * m * 4], uint8)      s = alloc_storage([n, m], float32)
    t = alloc_tensor(s, [n, m], float32)       t = alloc_tensor(s, [n, m], float32)

On the right the shape is one that is needed anyway.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, TypeAlias

from tvm import IRModule, relax, sym, tirx
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, PyExprVisitor, mutator, visitor

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import call_like
from tvmfuse.ir.map_functions import map_functions

ALLOC_STORAGE: Final = "relax.vm.alloc_storage"
ALLOC_TENSOR: Final = "relax.vm.alloc_tensor"

Extent: TypeAlias = tuple[Expr, Expr]
"""A shape and a dtype."""


def with_tensor_storages(module: IRModule) -> IRModule:
    """Return the module with symbolic sizes of memory given so, where a tensor fills it.

    Args:
        module: After TVM's `LowerRuntimeBuiltin`, and before `VMShapeLower`.
    """
    return map_functions(module, _changed)


def _changed(function: relax.Function) -> relax.Function:
    seen = _Extents()
    seen.visit_expr(function)
    return _Allocate(seen.extents).visit_expr(function) if seen.extents else function


@visitor
class _Extents(PyExprVisitor):
    """Finds for each storage of symbolic size the first tensor that fills it."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes: dict[Var, Expr] = {}
        self.extents: dict[Var, Extent] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        var, value = binding.var, binding.value
        if op_name(value) == ALLOC_STORAGE:
            (size,) = value.args[0].values
            if not isinstance(size, tirx.IntImm):
                self._bytes[var] = size
        elif op_name(value) == ALLOC_TENSOR and value.args[0] in self._bytes:
            storage, (shape, dtype) = value.args[0], value.args[2:4]
            if storage not in self.extents and _fills(self._bytes[storage], shape, dtype):
                self.extents[storage] = shape, dtype
        super().visit_var_binding_(binding)


@mutator
class _Allocate(PyExprMutator):
    def __init__(self, extents: Mapping[Var, Extent]) -> None:
        super().__init__()
        self._extents = extents

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if (extent := self._extents.get(binding.var)) is not None:
            (shape, dtype), (_, device, _, scope) = extent, binding.value.args
            call = call_like(binding.value, args=[shape, device, dtype, scope])
            binding = relax.VarBinding(binding.var, call)
        super().visit_var_binding_(binding)


def _fills(size: Expr, shape: Expr, dtype: Expr) -> bool:
    """Whether a tensor has just so many bytes."""
    bits = dtype.value.bits * dtype.value.lanes
    if not isinstance(shape, relax.ShapeExpr) or bits % 8:
        return False
    count = math.prod(shape.values, start=tirx.const(bits // 8, "int64"))
    return bool(sym.Analyzer().can_prove_equal(size, count))
