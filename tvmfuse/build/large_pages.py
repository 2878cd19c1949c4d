"""Memory of megabytes is asked for in pages of megabytes, where its first tensor is made.

::

    s = alloc_storage([8000000], uint8)       s = alloc_storage([8000000], uint8)
    a = alloc_tensor(s, 0, [1000, 2000])      a = tvmfuse_tensor(alloc_tensor, 8000000, s, 0, ...)

Kernels whose lines lie far apart take fewer entries of the TLB; see ``native/pages.c``.
"""

from __future__ import annotations

import math
from typing import Final

import tvm_ffi
from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.build.native import TENSOR
from tvmfuse.build.needless_calls import ALLOC_TENSOR
from tvmfuse.build.tensor_storages import ALLOC_STORAGE
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import call_like
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.runtime.virtual_machine import ALLOCATES

#: Bytes from which on memory has a large page, wherever it begins: those of two.
LARGE: Final = 1 << 22

#: Bytes that only a run knows.
UNKNOWN: Final = 0


def with_large_pages(module: IRModule) -> IRModule:
    """Return the module with such calls.

    Args:
        module: After TVM's `VMShapeLower`; its kernels run on the CPU.
    """
    return map_functions(module, lambda f: _Asking().visit_expr(f))


@mutator
class _Asking(PyExprMutator):
    def __init__(self) -> None:
        super().__init__()
        self._empty: dict[Var, int] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = binding.value
        if op_name(value) == ALLOC_STORAGE:
            self._empty[binding.var] = _bytes(value)
        elif op_name(value) == ALLOC_TENSOR:
            size = self._empty.pop(value.args[0], 1)
            if size >= LARGE or size == UNKNOWN:
                binding = relax.VarBinding(binding.var, _asking(value, size))
        super().visit_var_binding_(binding)


def _bytes(storage: Call) -> int:
    shape, _, dtype, _ = storage.args
    sizes = shape.values if isinstance(shape, relax.ShapeExpr) else [None]
    if not all(isinstance(size, tirx.IntImm) for size in sizes):
        return UNKNOWN
    return math.prod(map(int, sizes)) * -(-tvm_ffi.dtype(dtype.value).bits // 8)


def _asking(tensor: Call, size: int) -> Expr:
    storage, place, shape, dtype, _ = tensor.args
    made = [relax.ExternFunc(ALLOCATES), tirx.const(size, "int64")]
    args = [*made, storage, place, shape, dtype]
    return call_like(tensor, op=relax.ExternFunc(TENSOR), args=args)
