"""Branches without dataflow blocks, for passes of TVM's that do not look into them."""

from __future__ import annotations

from tvm import IRModule, relax
from tvm.relax.analysis import free_vars


def with_plain_branches(function: relax.Function) -> relax.Function:
    """Return a function in whose branches no block is one of dataflow."""
    body = _plain(function.body, inside=False)
    if body is function.body:
        return function
    return relax.Function(
        function.params, body, function.ret_ty, function.is_pure, function.attrs, function.span
    )


def _plain(body: relax.SeqExpr, *, inside: bool) -> relax.SeqExpr:
    """Return the blocks of a function, or those of a branch, whose variables are its own."""
    blocks = [_block(block) for block in body.blocks]
    same = all(new is old for new, old in zip(blocks, body.blocks, strict=True))
    whole = body if same else relax.SeqExpr(blocks, body.body)
    if not inside or not any(isinstance(b, relax.DataflowBlock) for b in blocks):
        return whole
    branch = relax.Function(free_vars(whole), whole, body.body.ty, is_pure=False)
    return relax.transform.ToNonDataflow()(IRModule({"branch": branch}))["branch"].body


def _block(block: relax.BindingBlock) -> relax.BindingBlock:
    bindings = [_binding(binding) for binding in block.bindings]
    if all(new is old for new, old in zip(bindings, block.bindings, strict=True)):
        return block
    return type(block)(bindings)


def _binding(binding: relax.Binding) -> relax.Binding:
    value = binding.value
    if not isinstance(value, relax.If):
        return binding
    then, otherwise = (_plain(b, inside=True) for b in (value.true_branch, value.false_branch))
    return relax.VarBinding(binding.var, relax.If(value.cond, then, otherwise, span=value.span))
