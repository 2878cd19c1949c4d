"""Calls with which a run finds out sizes, keeps them, and makes shapes of them.

Those of TVM's virtual machine become calls of code of ours, which takes a third of the time, and
what a function begins with is one of them (``native/sizes.c``)::

    h = alloc_shape_heap(vm, 3)         h = tvmfuse_size_heap(3, match_shape, computed, x, ...)
    match_shape(x, h, 2, ...)
    shape_func(h)
    s = make_shape(h, 2, ...)           s = tvmfuse_shape(h, ...)
    match_shape(y, h, 2, ...)           tvmfuse_fits(match_shape, h, y, ...)

There, `computed` is `shape_func`, which computes sizes from others, for sizes that lie anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Call, Expr, GlobalVar, PointerType, PrimType
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.tirx import DeclBuffer, PrimFunc, Var

from tvmfuse.build.native import FITS, HEAP, SHAPE
from tvmfuse.build.needless_calls import MAKE, callee
from tvmfuse.build.operand_checks import MATCH
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import call_like
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.schedules.loop_nests import sequence

#: What calls a builtin that is given the machine, too; and such a builtin.
WITH_CONTEXT: Final = "relax.call_builtin_with_ctx"
ALLOC_HEAP: Final = "vm.builtin.alloc_shape_heap"

#: What the names of those functions begin with.
PREFIX: Final = "tvmfuse_"


def with_own_size_calls(module: IRModule) -> IRModule:
    """Return the module with such calls.

    Args:
        module: After `without_needless_calls`; its kernels run on the CPU.
    """
    write = _Write(module)
    changed = map_functions(module, write.visit_expr)
    left = {name: f for name, f in changed.functions_items() if name not in write.replaced()}
    return IRModule({**left, **write.computed}, module.attrs, module.global_infos)


@mutator
class _Write(PyExprMutator):
    """Writes the calls.

    Attributes:
        computed: The functions that compute sizes.
    """

    def __init__(self, module: IRModule) -> None:
        super().__init__()
        self._module = module
        self._of: dict[GlobalVar, GlobalVar] = {}
        self._called: set[Expr] = set()
        self.computed: dict[GlobalVar, PrimFunc] = {}

    def replaced(self) -> set[GlobalVar]:
        """Return the functions that nobody calls any more."""
        return {*self._of} - self._called

    def visit_binding_block_(self, block: relax.BindingBlock) -> relax.BindingBlock:
        bindings = [*block.bindings]
        for place, binding in enumerate(bindings):
            if _allocates(binding.value):
                bindings[place:] = self._in_one(binding, bindings[place + 1 :])
                break
        return super().visit_binding_block_(relax.BindingBlock(bindings))

    def visit_call_(self, op: Call) -> Expr:
        self._called.add(op.op)
        if callee(op) == MAKE:
            heap, _, *axes = op.args
            return call_like(op, op=relax.ExternFunc(SHAPE), args=[heap, relax.ShapeExpr(axes)])
        if callee(op) == MATCH:
            args = [op.op, op.args[1], *_checked(op)]
            return call_like(op, op=relax.ExternFunc(FITS), args=args)
        return super().visit_call_(op)

    def _in_one(
        self, heap: relax.Binding, rest: Sequence[relax.Binding]
    ) -> Sequence[relax.Binding]:
        """Return the allocation of sizes, which finds them out, too, and what is left to do."""
        (count,) = heap.value.args[1]
        checks = list(takewhile(lambda binding: callee(binding.value) == MATCH, rest))
        rest = rest[len(checks) :]
        computed: Expr = relax.op.null_value()
        if rest and self._computes(rest[0].value, heap.var):
            computed, rest = self._for_any_memory(rest[0].value.op), rest[1:]
        checked = [part for check in checks for part in _checked(check.value)]
        args = [count, relax.ExternFunc(MATCH), computed, *checked]
        made = Call(relax.ExternFunc(HEAP), args, ty_args=heap.value.ty_args, span=heap.value.span)
        return [relax.VarBinding(heap.var, made), *rest]

    def _computes(self, call: Expr, heap: relax.Var) -> bool:
        return (
            isinstance(call, Call)
            and isinstance(call.op, GlobalVar)
            and isinstance(self._module[call.op], PrimFunc)
            and [*call.args] == [heap]
        )

    def _for_any_memory(self, name: GlobalVar) -> Expr:
        """Return the function of a name for sizes that lie anywhere, aligned."""
        if name not in self._of:
            function = self._module[name]
            (heap,) = function.params
            memory = Var("memory", PointerType(PrimType("int64")))
            body = sequence([DeclBuffer(heap, data=memory), function.body])
            self._of[name] = GlobalVar(f"{PREFIX}{name.name_hint}")
            self.computed[self._of[name]] = PrimFunc([memory], body, attrs=function.attrs)
        return relax.ExternFunc(self._of[name].name_hint)


def _allocates(value: Expr) -> bool:
    return op_name(value) == WITH_CONTEXT and value.args[0].global_symbol == ALLOC_HEAP


def _checked(match: Call) -> Sequence[Expr]:
    """Return what is checked, words and rules."""
    tensor, _, _, *rules, words = match.args
    return tensor, words, relax.ShapeExpr(rules)
