"""What TVM's functions check of their operands, and what need not be checked in each call.

The operands of a loop's body are what `main` made them. Inputs are checked before `main` is called
(`runtime.arguments`, `runtime.feeds`), weights where they are bound, by a function of their own::

    main(x, w):             main(x, w):             main_check_weights(w):
        check(x)                kernel(x, w)            check(w)
        check(w)
        kernel(x, w)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Call, Expr, GlobalVar
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.runtime.choices import is_of_sizes
from tvmfuse.runtime.virtual_machine import CHECK_WEIGHTS, TAKE_WEIGHTS

#: What functions begin with: a check of an operand's rank and dtype, and one of its sizes.
CHECK: Final = "vm.builtin.check_tensor_info"
MATCH: Final = "vm.builtin.match_shape"

#: TVM's kAssertEqualToImm: a size has to be the number beside it.
IS_NUMBER: Final = 0


def without_checks(function: relax.Function, operands: Collection[relax.Var]) -> relax.Function:
    """Return a function that does not check the ranks, dtypes and fixed sizes of some operands.

    What gives symbols their values stays, and so do checks of what the function computes.
    """
    return _Unchecked(operands).visit_expr(function)


def with_trusted_operands(module: IRModule) -> IRModule:
    """Return the module with functions that check neither inputs nor weights."""
    changed: dict[GlobalVar, relax.Function] = {
        name: without_checks(function, function.params)
        for name, function in module.functions_items()
        if name.name_hint in TAKE_WEIGHTS or is_of_sizes(name.name_hint)
    }
    return IRModule({**module.functions, **changed}, module.attrs, module.global_infos)


def emit_weight_checks(builder: relax.ExecBuilder, weights: Sequence[relax.Var]) -> None:
    """Emit the function that checks all weights, if there are any."""
    if not weights:
        return
    with builder.function(CHECK_WEIGHTS, num_inputs=len(weights)):
        for place, weight in enumerate(weights):
            shape = [int(size) for size in weight.ty.shape]
            tensor, rank = builder.r(place), builder.imm(len(shape))
            name = builder.convert_constant(f"weight {place}")
            dtype = builder.convert_constant(weight.ty.dtype.dtype)
            rules = [builder.imm(part) for size in shape for part in (IS_NUMBER, size)]
            builder.emit_call(CHECK, [tensor, rank, dtype, name])
            builder.emit_call(MATCH, [tensor, builder.void_arg(), rank, *rules, name])
        builder.emit_call("vm.builtin.make_tuple", [], dst=len(weights))
        builder.emit_ret(builder.r(len(weights)))


@mutator
class _Unchecked(PyExprMutator):
    def __init__(self, operands: Collection[relax.Var]) -> None:
        super().__init__()
        self.operands = frozenset(operands)

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if not self._is_check(binding.value):
            super().visit_var_binding_(binding)

    def _is_check(self, call: Expr) -> bool:
        if not isinstance(call, Call) or not isinstance(call.op, relax.ExternFunc):
            return False
        if not call.args or call.args[0] not in self.operands:
            return False
        if call.op.global_symbol == MATCH:
            # The tensor, the sizes known so far, the rank; for each size a rule and a number.
            return all(int(rule) == IS_NUMBER for rule in call.args[3:-1:2])
        return bool(call.op.global_symbol == CHECK)
