"""Bindings in an order in which each stands after what defines the sizes that it reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import tvm_ffi
from tvm import relax
from tvm.ir import Expr
from tvm.relax import Binding, MatchCast, Var
from tvm.relax.analysis import definable_tir_vars_in_type, tir_vars_in_type


def after_sizes(function: relax.Function) -> relax.Function:
    """Return a function whose dataflow blocks define each size before it is read.

    TVM's passes know which tensors a call reads, and forget that a `match_cast` defines its sizes.
    What stands too early moves behind that, and so does what reads it; all else keeps its order.
    """
    known = {size for param in function.params for size in definable_tir_vars_in_type(param.ty)}
    blocks = []
    for block in function.body.blocks:
        if isinstance(block, relax.DataflowBlock):
            blocks.append(relax.DataflowBlock(_ordered(block.bindings, known)))
        else:
            blocks.append(block)
        known.update(size for binding in block.bindings for size in _defined(binding))
    return relax.Function(
        function.params, relax.SeqExpr(blocks, function.body.body), function.ret_ty,
        function.is_pure, function.attrs, function.span,
    )  # fmt: skip


def _ordered(bindings: Sequence[Binding], known: Collection[Var]) -> list[Binding]:
    """Return a block's bindings in order, where some sizes are known before."""
    missing = {size for binding in bindings for size in _defined(binding)}.difference(known)
    if not missing:
        return [*bindings]
    ordered: list[Binding] = []
    waiting: list[Binding] = []
    for binding in bindings:
        waiting.append(binding)
        missing.add(binding.var)
        while (ready := next((b for b in waiting if not _reads(b) & missing), None)) is not None:
            waiting.remove(ready)
            missing -= {ready.var, *_defined(ready)}
            ordered.append(ready)
    return [*ordered, *waiting]


def _defined(binding: Binding) -> list[Var]:
    """Return the sizes that a binding defines, or checks where they are defined already."""
    return list(definable_tir_vars_in_type(binding.ty)) if isinstance(binding, MatchCast) else []


def _reads(binding: Binding) -> set[Expr]:
    """Return the variables and the sizes that a binding reads."""
    found: set[Expr] = set()
    tvm_ffi.structural_walk(binding.value, (Var, found.add))
    found.update(tir_vars_in_type(binding.var.ty))
    return found - set(_defined(binding))
