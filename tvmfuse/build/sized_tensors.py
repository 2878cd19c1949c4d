"""A tensor in one call, where a run needs sizes for nothing but that tensor.

So it is where a model is one kernel, which may take less time than these calls::

    h = tvmfuse_size_heap(3, match_shape, computed, x, ...)
    s = tvmfuse_shape(h, ...)
    m = alloc_storage(s, ...)
    t = alloc_tensor(m, 0, s, ...)

    t = tvmfuse_sized_tensor(alloc_storage, alloc_tensor, ..., 3, match_shape, computed, x, ...)

See ``native/sizes.c``. For fixed sizes, `alloc_storage` and `alloc_tensor` in one take no less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Call, Expr, Op
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, PyExprVisitor, mutator, visitor

from tvmfuse.build.native import HEAP, SHAPE, SIZED_TENSOR
from tvmfuse.build.needless_calls import ALLOC_TENSOR, KILL, callee
from tvmfuse.build.size_calls import WITH_CONTEXT
from tvmfuse.build.tensor_storages import ALLOC_STORAGE
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.runtime.virtual_machine import ALLOCATES

#: What allocates memory.
ALLOCATES_MEMORY: Final = "vm.builtin.alloc_storage"


def with_sized_tensors(module: IRModule) -> IRModule:
    """Return the module with such calls.

    Args:
        module: After `with_own_size_calls`, and before `with_large_pages`.
    """
    return map_functions(module, _changed)


def _changed(function: relax.Function) -> relax.Function:
    seen = _Seen()
    seen.visit_expr(function)
    made = {var: call for var in seen.values if (call := seen.in_one(var)) is not None}
    return _Write(made, seen.gone).visit_expr(function) if made else function


@visitor
class _Seen(PyExprVisitor):
    """What variables are, and how often each is used.

    Attributes:
        values: Of variables.
        gone: The variables that are needed no more.
    """

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[Expr, Expr] = {}
        self.gone: set[Var] = set()
        self._uses = Counter[Expr]()
        self._kills: dict[Expr, Var] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        self.values[binding.var] = binding.value
        if op_name(binding.value) == KILL:
            self._kills[binding.value.args[0]] = binding.var
        else:
            super().visit_var_binding_(binding)

    def visit_var_(self, op: Var) -> None:
        self._uses[op] += 1

    def in_one(self, tensor: Var) -> Call | None:
        """Return the call that makes a tensor, and all that it needs; None if there is none."""
        value = self.values[tensor]
        if op_name(value) != ALLOC_TENSOR:
            return None
        storage, place, shape, dtype, _ = value.args
        memory, sizes = (self.values.get(var) for var in (storage, shape))
        if memory is None or op_name(memory) != ALLOC_STORAGE or int(place) != 0:
            return None
        if sizes is None or callee(sizes) != SHAPE or not memory.args[0].same_as(shape):
            return None
        heap, axes = sizes.args
        found = self.values[heap]
        uses = self._uses[storage], self._uses[shape], self._uses[heap]
        if callee(found) != HEAP or uses != (1, 2, 1):
            return None
        self.gone |= {storage, shape, heap}
        if storage in self._kills:
            self.gone.add(self._kills[storage])
        builtins = map(relax.ExternFunc, (ALLOCATES_MEMORY, ALLOCATES))
        _, device, _, scope = memory.args
        args = [*builtins, device, dtype, scope, axes, *found.args]
        call = [relax.ExternFunc(SIZED_TENSOR), relax.Tuple(args)]
        return Call(Op.get(WITH_CONTEXT), call, ty_args=[tensor.ty])


@mutator
class _Write(PyExprMutator):
    def __init__(self, made: Mapping[Var, Call], gone: set[Var]) -> None:
        super().__init__()
        self._made, self._gone = made, gone

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var in self._gone:
            return
        if binding.var in self._made:
            binding = relax.VarBinding(binding.var, self._made[binding.var])
        super().visit_var_binding_(binding)
