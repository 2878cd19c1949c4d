"""What a constant decides: which branch is taken, how long a dimension is."""

from __future__ import annotations

from collections.abc import Iterator

from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst, Type
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.tirx import IntImm

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.replace import replace
from tvmfuse.ir.types import scalar_of


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


def bind_dimensions(function: relax.Function) -> relax.Function:
    """Replace the symbolic dimensions that a `match_cast` reads off a static shape."""
    if not _has_undecided(function):
        return function
    canonical = relax.transform.CanonicalizeBindings()(IRModule({"main": function}))["main"]
    return function if _has_undecided(canonical) else canonical


def _has_undecided(function: relax.Function) -> bool:
    return any(_is_decided(b) for b in _bindings(function.body))


def _bindings(body: Expr) -> Iterator[relax.Binding]:
    for block in body.blocks if isinstance(body, relax.SeqExpr) else ():
        for binding in block.bindings:
            yield binding
            if isinstance(binding.value, relax.If):
                yield from _bindings(binding.value.true_branch)
                yield from _bindings(binding.value.false_branch)


def _is_decided(binding: relax.Binding) -> bool:
    known = isinstance(binding, relax.MatchCast) and _is_static(binding.value.ty)
    return known and not _is_static(binding.ty)


def _is_static(ty: Type) -> bool:
    shape = ty if isinstance(ty, relax.ShapeType) else getattr(ty, "shape", None)
    values = getattr(shape, "values", None)
    return values is not None and all(isinstance(d, IntImm) for d in values)


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
