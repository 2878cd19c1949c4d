"""Branches whose condition is known."""

from __future__ import annotations

from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.passes.dataflow import Dataflow
from tvmfuse.passes.facts import scalar_of
from tvmfuse.passes.replace import replace


def decided_if(function: relax.Function) -> Var | None:
    """Return the variable of the first `If` whose condition is a constant."""
    flow = Dataflow.of(function)
    for var, value in flow.bindings:
        if isinstance(value, relax.If) and scalar_of(flow.resolve(value.cond)) is not None:
            return var
    return None


def inline_branch(function: relax.Function, var: Var) -> relax.Function:
    """Put the taken branch of an `If` in its place; its condition is a constant."""
    flow = Dataflow.of(function)
    value = flow.values[var]
    taken = value.true_branch if scalar_of(flow.resolve(value.cond)) else value.false_branch
    return _in_dataflow(_Inline(var, taken).visit_expr(function))


def _in_dataflow(function: relax.Function) -> relax.Function:
    """Make dataflow blocks of what the branch kept apart, for the passes that look into those."""
    convert = relax.transform.ConvertToDataflow(min_size=1)
    function = convert(IRModule({"main": function}))["main"]
    bindings = Dataflow.of(function).bindings
    return replace(function, {v: c for v, c in bindings if isinstance(c, GenericConst)})


@mutator
class _Inline(PyExprMutator):
    def __init__(self, var: Var, taken: relax.SeqExpr) -> None:
        super().__init__()
        self.var = var
        self.taken = taken

    def visit_seq_expr_(self, op: relax.SeqExpr) -> Expr:
        for place, block in enumerate(op.blocks):
            at = [i for i, b in enumerate(block.bindings) if b.var.same_as(self.var)]
            if at:
                before, after = block.bindings[: at[0]], block.bindings[at[0] + 1 :]
                result = relax.VarBinding(self.var, self.taken.body)
                op = relax.SeqExpr(
                    [
                        *op.blocks[:place],
                        relax.BindingBlock(before),
                        *self.taken.blocks,
                        relax.BindingBlock([result, *after]),
                        *op.blocks[place + 1 :],
                    ],
                    op.body,
                )
                break
        return super().visit_seq_expr_(op)
