"""What a constant decides: which branch is taken, how long a dimension is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tvm import IRModule, relax, tirx
from tvm.ir import Expr, GenericConst, Type
from tvm.relax import Var
from tvm.relax.analysis import definable_tir_vars_in_type
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.tirx import IntImm
from tvm_ffi import structural_equal

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
    """Replace the symbolic dimensions that a `match_cast` reads off a static shape.

    One that is known may make others known, as where the result of a `match_cast` is matched again.
    """
    bound = function
    while known := _known(bound):
        bound = bound.bind_symbolic_vars(known)
    return function if bound is function else _Matched().visit_expr(bound)


def _known(function: relax.Function) -> dict[tirx.Var, int]:
    """Return the dimensions that match casts define to be numbers; those of parameters are fed."""
    fed = {size for param in function.params for size in definable_tir_vars_in_type(param.ty)}
    return {
        defined: int(size)
        for binding in _bindings(function.body)
        if isinstance(binding, relax.MatchCast)
        for defined, size in zip(_sizes(binding.ty), _sizes(binding.value.ty), strict=False)
        if isinstance(defined, tirx.Var) and defined not in fed and isinstance(size, IntImm)
    }


def _sizes(ty: Type) -> Sequence[Expr]:
    shape = ty if isinstance(ty, relax.ShapeType) else getattr(ty, "shape", None)
    return getattr(shape, "values", None) or ()


def _bindings(body: Expr) -> Iterator[relax.Binding]:
    for block in body.blocks if isinstance(body, relax.SeqExpr) else ():
        for binding in block.bindings:
            yield binding
            if isinstance(binding.value, relax.If):
                yield from _bindings(binding.value.true_branch)
                yield from _bindings(binding.value.false_branch)


def _in_dataflow(function: relax.Function) -> relax.Function:
    """Make dataflow blocks of what the branch kept apart, for the passes that look into those."""
    convert = relax.transform.ConvertToDataflow(min_size=1)
    function = convert(IRModule({"main": function}))["main"]
    bindings = Dataflow.of(function).bindings
    return replace(function, {v: c for v, c in bindings if isinstance(c, GenericConst)})


@mutator
class _Matched(PyExprMutator):
    """Binds what was matched with its own shape without the match."""

    def visit_match_cast_(self, binding: relax.MatchCast) -> None:
        if structural_equal(binding.ty, binding.value.ty):
            self.visit_var_binding_(relax.VarBinding(binding.var, binding.value))
        else:
            super().visit_match_cast_(binding)


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
