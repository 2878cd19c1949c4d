"""Which bindings of a function nobody reads."""

from __future__ import annotations

from collections.abc import Callable

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.analysis import free_vars


def unread(function: relax.Function, may_go: Callable[[Var, Expr], bool]) -> set[Var]:
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
            # A match_cast checks a shape and defines symbolic dimensions, read or not.
            removable = isinstance(binding, relax.VarBinding) and var not in live
            if removable and may_go(var, value):
                dead.add(var)
            elif isinstance(value, relax.If):
                live.update(free_vars(value.cond))
                for branch in (value.true_branch, value.false_branch):
                    _walk(branch, live, may_go, dead)
            else:
                live.update(free_vars(value))
