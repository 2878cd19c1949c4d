"""Calls of the virtual machine that a run can do without.

TVM makes each shape where it needs one, looks at what is returned as if it did not know it, and
frees memory as soon as it can::

    s = make_shape(heap, n)              s = make_shape(heap, n)
    a = alloc_tensor(m, s)               a = alloc_tensor(m, s)
    t = make_shape(heap, n)              b = alloc_tensor(o, s)
    b = alloc_tensor(o, t)               kernel(a, b)
    kill(o)                              return b
    kernel(a, b)
    match_shape(b, heap, n)
    return b

Each takes 40 to 100 ns of each run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, GlobalVar
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.build.operand_checks import MATCH
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.map_functions import map_functions

ALLOC_TENSOR: Final = "relax.vm.alloc_tensor"
KILL: Final = "relax.vm.kill_object"
MAKE: Final = "vm.builtin.make_shape"

#: TVM's kUseImm and kLoadShape: a size is the number beside it, or stands in that place.
USES_NUMBER: Final = 0
LOADS: Final = 1
#: Its kAssertEqualToImm and kAssertEqualToLoad: a size has to be such.
CHECKED_AS: Final = {0: USES_NUMBER, 3: LOADS}

Shape: TypeAlias = tuple[tuple[int, int], ...]
"""For each axis how its size is found, and the number or place."""


def without_needless_calls(module: IRModule) -> IRModule:
    """Return the module without such calls.

    Args:
        module: After TVM's `VMShapeLower`.
    """
    kernels = {name for name, f in module.functions_items() if isinstance(f, tirx.PrimFunc)}
    return map_functions(module, lambda f: _without(f, kernels))


def _without(function: relax.Function, kernels: Collection[GlobalVar]) -> relax.Function:
    body = function.body
    if not isinstance(body, relax.SeqExpr):
        return function
    bindings = [binding for block in body.blocks for binding in block.bindings]
    return _Drop({*_last_kills(bindings, kernels)}).visit_expr(function)


def _last_kills(bindings: Sequence[relax.Binding], kernels: Collection[GlobalVar]) -> Iterator[Var]:
    """Yield what frees memory that nobody asks for any more: all is freed at the end."""
    for binding in reversed(bindings):
        value = binding.value
        if op_name(value) == KILL:
            yield binding.var
        elif not (
            op_name(value) == ALLOC_TENSOR
            or callee(value) in (MAKE, MATCH)
            or (isinstance(value, Call) and value.op in kernels)
        ):
            return


@mutator
class _Drop(PyExprMutator):
    def __init__(self, kills: Collection[Var]) -> None:
        super().__init__()
        self._kills = kills
        self._made: dict[Shape, Var] = {}
        self._shapes: dict[Var, Shape] = {}  # of shapes, and of tensors that have them

    def visit_seq_expr_(self, op: relax.SeqExpr) -> Expr:
        outside = dict(self._made)  # What a branch makes is not there after it.
        try:
            return super().visit_seq_expr_(op)
        finally:
            self._made = outside

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        var, value = binding.var, binding.value
        if var in self._kills:
            return
        if callee(value) == MAKE:
            shape = _pairs(value.args[2:])
            self._shapes[var] = shape
            if shape in self._made:
                self.set_var_remap(var, self.visit_expr(self._made[shape]))
                return
            super().visit_var_binding_(binding)
            self._made[shape] = var
            return
        if op_name(value) == ALLOC_TENSOR and value.args[2] in self._shapes:
            self._shapes[var] = self._shapes[value.args[2]]
        if callee(value) == MATCH and self._holds(value):
            return
        super().visit_var_binding_(binding)

    def _holds(self, check: Call) -> bool:
        """Whether a check is of a tensor that was given just the shape that it asks for."""
        pairs = _pairs(check.args[3:-1])
        if check.args[0] not in self._shapes or any(rule not in CHECKED_AS for rule, _ in pairs):
            return False
        wanted = tuple((CHECKED_AS[rule], number) for rule, number in pairs)
        return wanted == self._shapes[check.args[0]]


def _pairs(numbers: Sequence[Expr]) -> Shape:
    found = [int(number) for number in numbers]
    return tuple(zip(found[::2], found[1::2], strict=True))


def callee(value: Expr) -> str | None:
    """Return the name of a builtin that is called."""
    if isinstance(value, Call) and isinstance(value.op, relax.ExternFunc):
        return str(value.op.global_symbol)
    return None
