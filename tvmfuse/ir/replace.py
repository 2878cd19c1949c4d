"""Changing some bindings of a function and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TypeAlias

from tvm import relax
from tvm.ir import Call, Expr, GenericConst, Op, TupleGetItem
from tvm.relax import DataflowVar, ShapeExpr, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.liveness import unused
from tvmfuse.ir.provenance import values_of, with_values
from tvmfuse.manifest import StoredValue


def replace(
    function: relax.Function, plan: Mapping[Var, Expr], *, drop: Collection[Var] = ()
) -> relax.Function:
    """Bind the variables in `plan` to new expressions, which are equal to the old ones.

    So what takes a variable's place is the ONNX values that the variable was (`provenance`).

    Args:
        function: Stays as it is.
        plan: A variable whose new expression is another variable, a constant or a shape
            disappears: its readers read that instead. One that leaves its block, as a graph's
            output does, takes the place of the other variable.
        drop: Of these variables, the bindings that nobody reads any more go, too. Other dead
            bindings stay: they are `DeadCodeElimination`'s.
    """
    inlined = {
        var: value
        for var, value in plan.items()
        if isinstance(var, DataflowVar) and _is_leaf(value)
    }
    rebound = {var: value for var, value in plan.items() if var not in inlined}
    renamed: dict[Var, Var] = {}
    computed = Dataflow.of(function).values
    for var, value in rebound.items():
        while value in inlined:
            value = inlined[value]
        if isinstance(value, DataflowVar) and value in computed:
            renamed.setdefault(value, var)
    gained = _gained(plan, computed)
    function = _Rebind(rebound, inlined, renamed, gained).visit_expr(function)
    return drop_unused(function, drop)


def _gained(plan: Mapping[Var, Expr], computed: Mapping[Var, Expr]) -> _Values:
    """Return the values that each variable is from now on, those of what it replaces."""
    gained: dict[Var, tuple[StoredValue, ...]] = defaultdict(tuple)
    for var, value in plan.items():
        holds, seen = var, {var}
        while isinstance(value, Var) and value not in seen:
            holds, value = value, plan.get(value, computed.get(value))
            seen.add(holds)
        if var in computed:
            gained[holds] += values_of(computed[var])
    return gained


def drop_unused(function: relax.Function, candidates: Collection[Var]) -> relax.Function:
    """Remove those bindings among `candidates` that nobody reads."""
    return remove(function, unused(function, lambda var, _: var in candidates))


def remove(function: relax.Function, dead: Collection[Var]) -> relax.Function:
    """Remove the bindings of these variables, which nothing that stays may read."""
    return _Drop(dead).visit_expr(function) if dead else function


def _is_leaf(value: Expr) -> bool:
    return isinstance(value, Var | GenericConst | ShapeExpr)


_Values: TypeAlias = Mapping[Var, tuple[StoredValue, ...]]


def _is_call(value: Expr) -> bool:
    return isinstance(value, Call) and isinstance(value.op, Op)


@mutator
class _Rebind(PyExprMutator):
    def __init__(
        self,
        rebound: Mapping[Var, Expr],
        inlined: Mapping[Var, Expr],
        renamed: Mapping[Var, Var],
        gained: _Values,
    ) -> None:
        super().__init__()
        self.rebound = rebound
        self.inlined = inlined
        self.renamed = renamed
        self.gained = gained
        self.placed = set(renamed.values())
        self.tuples: dict[Expr, Var] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var in self.inlined or binding.var in self.placed:
            return
        var = self.renamed.get(binding.var, binding.var)
        value = self._flat(self.rebound.get(binding.var, binding.value))
        value = with_values(value, self.gained.get(binding.var, ()))
        super().visit_var_binding_(relax.VarBinding(var, value))
        if var != binding.var:
            self.set_var_remap(binding.var, self.visit_expr(var))

    def _flat(self, value: Expr) -> Expr:
        """Bind the calls within a call here: TVM would bind them, too, and forget the nodes.

        A call whose tuple several expressions take apart is bound once, where the first is.
        """
        if isinstance(value, TupleGetItem) and _is_call(value.tuple_value):
            origin = value.tuple_value
            if origin not in self.tuples:
                self.tuples[origin] = self.builder_.emit(self.visit_expr(self._flat(origin)))
            return TupleGetItem(self.tuples[origin], value.index, value.span)
        if not _is_call(value) or not any(_is_call(a) for a in value.args):
            return value
        inner = {
            a: self.builder_.emit(self.visit_expr(self._flat(a)))
            for a in dict.fromkeys(value.args)
            if _is_call(a)
        }
        args = [inner.get(a, a) for a in value.args]
        return Call(value.op, args, attrs=value.attrs, ty_args=value.ty_args, span=value.span)

    def visit_dataflow_var_(self, op: DataflowVar) -> Expr:
        if op in self.inlined:
            return self.visit_expr(self.inlined[op])
        return super().visit_dataflow_var_(op)


@mutator
class _Drop(PyExprMutator):
    def __init__(self, dead: Collection[Var]) -> None:
        super().__init__()
        self.dead = dead

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var not in self.dead:
            super().visit_var_binding_(binding)

    def visit_match_cast_(self, binding: relax.MatchCast) -> None:
        if binding.var not in self.dead:
            super().visit_match_cast_(binding)
