"""Which bindings of a function nobody uses."""

from __future__ import annotations

from collections.abc import Callable

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.analysis import free_vars
from tvm_ffi import structural_equal


def unused(function: relax.Function, may_go: Callable[[Var, Expr], bool]) -> set[Var]:
    """Return the variables that only each other read, or nobody; one walk, from the last binding.

    Args:
        function: Its result, and what its branches return, is read.
        may_go: Asked once for each unread variable and its value: whether the binding is to go.
            One that stays reads its operands.
    """
    dead: set[Var] = set()
    _walk(function.body, set(), may_go, dead)
    return dead


def _walk(body: Expr, live: set[Var], may_go: Callable[[Var, Expr], bool], dead: set[Var]) -> None:
    if not isinstance(body, relax.SeqExpr):
        live.update(free_vars(body))
        return
    live.update(free_vars(body.body))
    for block in reversed(body.blocks):
        for binding in reversed(block.bindings):
            var, value = binding.var, binding.value
            if var not in live and not _checks(binding) and may_go(var, value):
                dead.add(var)
            elif isinstance(value, relax.If):
                live.update(free_vars(value.cond))
                for branch in (value.true_branch, value.false_branch):
                    _walk(branch, live, may_go, dead)
            else:
                live.update(free_vars(value))


def _checks(binding: relax.Binding) -> bool:
    """Whether a binding checks a shape when the model runs, or defines dimensions, read or not."""
    return isinstance(binding, relax.MatchCast) and not structural_equal(
        binding.value.ty, binding.ty
    )
