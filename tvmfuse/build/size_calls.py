"""Calls with which a run finds out sizes, keeps them, and makes shapes of them.

Those of TVM's virtual machine become calls of code of ours, which takes a third of the time
(``native/sizes.c``)::

    h = alloc_shape_heap(vm, 2)         h = tvmfuse_size_heap(2)
    match_shape(x, h, 2, ...)           tvmfuse_fits(match_shape, x, h, 2, ...)
    s = make_shape(h, 2, ...)           s = tvmfuse_shape(h, 2, ...)
"""

from __future__ import annotations

from typing import Final

from tvm import IRModule, relax
from tvm.ir import Call, Expr
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.build.native import FITS, HEAP, SHAPE
from tvmfuse.build.needless_calls import MAKE, callee
from tvmfuse.build.operand_checks import MATCH
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import call_like
from tvmfuse.ir.map_functions import map_functions

#: What calls a builtin that is given the machine, too; and such a builtin.
WITH_CONTEXT: Final = "relax.call_builtin_with_ctx"
ALLOC_HEAP: Final = "vm.builtin.alloc_shape_heap"


def with_own_size_calls(module: IRModule) -> IRModule:
    """Return the module with such calls.

    Args:
        module: After `without_needless_calls`; its kernels run on the CPU.
    """
    return map_functions(module, lambda f: _Rename().visit_expr(f))


@mutator
class _Rename(PyExprMutator):
    def visit_call_(self, op: Call) -> Expr:
        if callee(op) == MAKE:
            return call_like(op, op=relax.ExternFunc(SHAPE))
        if callee(op) == MATCH:
            return call_like(op, op=relax.ExternFunc(FITS), args=[op.op, *op.args])
        if op_name(op) == WITH_CONTEXT and op.args[0].global_symbol == ALLOC_HEAP:
            (sizes,) = op.args[1]
            return Call(relax.ExternFunc(HEAP), [sizes], ty_args=op.ty_args, span=op.span)
        return super().visit_call_(op)
