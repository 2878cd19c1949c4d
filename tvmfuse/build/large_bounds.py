"""Tensors of which only a large bound is known: their memory is asked for as the model runs.

TVM plans memory for the largest size that a tensor may have. Of `min(64, n)` rows that is a few
bytes that never have to be asked for; of `min(2**31 - 1, n)`, as "all of them" is written, it is
more than there is, or more bytes than 64 bits count::

    alloc_tensor([min(2**31 - 1, n), 4])      alloc_tensor([n < 2**31 - 1 ? n : 2**31 - 1, 4])

TVM sees no bound in what is on the right.
"""

from __future__ import annotations

import math
from typing import Any, Final

import tvm
import tvm_ffi
from tvm import IRModule, relax, sym, tirx
from tvm.ir import Call, Expr
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import call_like
from tvmfuse.ir.map_functions import map_functions

ALLOCATE: Final = "relax.builtin.alloc_tensor"

LARGEST: Final = 1 << 26
"""Bytes that are planned by a bound."""


@tvm.transform.module_pass(opt_level=0, name="HideLargeBounds")
def hide_large_bounds(module: IRModule, _: Any) -> IRModule:
    """Let memory be planned by small bounds only.

    Args:
        module: Before TVM's `StaticPlanBlockMemory`.
    """
    return map_functions(module, _Hide().visit_expr)


@mutator
class _Hide(PyExprMutator):
    def visit_call_(self, op: Call) -> Expr:
        if op_name(op) == ALLOCATE and _is_large(op):
            shape = [tvm_ffi.structural_map(dim, (tirx.Min, _chosen)) for dim in op.args[0].values]
            return call_like(op, args=[relax.ShapeExpr(shape), *op.args[1:]])
        return super().visit_call_(op)


def _is_large(allocation: Call) -> bool:
    """Whether a tensor's size is not known, and what bounds it is large."""
    shape, dtype, *_ = allocation.args
    if not isinstance(shape, relax.ShapeExpr):
        return False
    if all(isinstance(dim, tirx.IntImm) for dim in shape.values):
        return False
    most = [int(sym.Analyzer().const_int_bound(dim).max_value) for dim in shape.values]
    bounded = math.prod(max(n, 1) for n in most if n != sym.ConstIntBound.POS_INF)
    return bounded * int(dtype.value.bits * dtype.value.lanes) > 8 * LARGEST


def _chosen(least: Any) -> Expr:
    return tirx.if_then_else(least.a < least.b, least.a, least.b)
