"""Moving calls before transposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.liveness import unused
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes, with_values
from tvmfuse.ir.replace import remove
from tvmfuse.manifest import StoredValue
from tvmfuse.passes.transposes.permutation import (
    PERMUTE,
    Permutation,
    dims_of,
    inverse,
    is_identity,
    permutation_of,
    permuted,
    then,
    transpose,
    unpermuted,
)
from tvmfuse.passes.transposes.region import Moved, reads_moved
from tvmfuse.passes.transposes.rules import Layout


def move_calls(function: relax.Function, moves: Mapping[Var, Moved]) -> relax.Function:
    """Make these calls work on what is not transposed.

    Who else reads their results reads a transpose of them. Transposes that nobody reads any more
    are dropped.
    """
    flow = Dataflow.of(function)
    read = {o for moved in moves.values() for o in moved.operands if isinstance(o, Var)}
    transposes = {o for o in read if op_name(flow.values.get(o)) == PERMUTE}
    function = _Apply(flow, moves).visit_expr(function)
    return remove(function, unused(function, lambda var, _: var in transposes))


@mutator
class _Apply(PyExprMutator):
    def __init__(self, flow: Dataflow, moves: Mapping[Var, Moved]) -> None:
        super().__init__()
        self.flow = flow
        self.moves = moves
        self.made: dict[Var, Expr] = {}
        self.undone: dict[tuple[Expr, Permutation], Expr] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        var, value = binding.var, binding.value
        if var not in self.moves:
            super().visit_var_binding_(binding)
            return
        moved = self.moves[var]
        operands = [self._operand(var, o, place) for place, o in enumerate(moved.operands)]
        call = _named(moved.move.build(operands), value)
        layout = moved.move.result
        if layout is None or (isinstance(layout, tuple) and is_identity(layout)):
            call = with_values(call, values_of(value))
            super().visit_var_binding_(relax.VarBinding(var, call))
            self.made[var] = self.visit_expr(var)
            return
        self.made[var] = self.builder_.emit(with_values(call, _transposed(value, layout)))
        if isinstance(layout, tuple) and self._is_read_later(var):
            shape = permuted(dims_of(var), inverse(layout))
            later = _named(transpose(self.made[var], layout, shape), value)
            later = with_values(later, values_of(value))
            super().visit_var_binding_(relax.VarBinding(var, later))

    def _is_read_later(self, var: Var) -> bool:
        """Whether a call that does not move reads this value."""
        return not all(
            reader in self.moves
            and all(
                reads_moved(self.moves, reader, o, place)
                for place, o in enumerate(self.moves[reader].operands)
                if o.same_as(var)
            )
            for reader in self.flow.users(var)
        )

    def _operand(self, reader: Var, operand: Expr, place: int) -> Expr:
        """Return an operand as the moved call reads it."""
        if reads_moved(self.moves, reader, operand, place):
            return self.made[operand]
        taken = self.moves[reader].taken
        if place not in self.moves[reader].move.data or not isinstance(taken, tuple):
            return self.visit_expr(operand)
        key = operand, taken
        if key not in self.undone:
            self.undone[key] = self._undo(*key, reader)
        return self.undone[key]

    def _undo(self, operand: Expr, taken: Permutation, reader: Var) -> Expr:
        """Return an operand before it is transposed: what is transposed already, as it was."""
        value = self.flow.values.get(operand) if isinstance(operand, Var) else None
        like = self.flow.values[reader]
        if (
            value is not None
            and op_name(value) == PERMUTE
            and self.flow.same_block(operand, reader)
        ):
            q, source = permutation_of(value), value.args[0]
            if len(q) == len(taken):
                p = then(q, inverse(taken))
                return self._emitted(transpose(self.visit_expr(source), p, dims_of(source)), like)
        return self._emitted(unpermuted(self.visit_expr(operand), taken), like)

    def _emitted(self, expr: Expr, like: Expr) -> Expr:
        """Bind a new transpose, and the reshape in it, if there is one."""
        if not isinstance(expr, Call):
            return expr
        operand, *rest = expr.args
        call = Call(expr.op, [self._emitted(operand, like), *rest], attrs=expr.attrs)
        return self.builder_.emit(_named(call, like))


def _transposed(value: Expr, layout: Layout) -> Iterator[StoredValue]:
    """Yield the values that an expression is, as they lie once it is a transpose of its call."""
    if not isinstance(layout, tuple):
        return
    for stored in values_of(value):
        if not stored.blocked and stored.part is None:
            yield replace(stored, axes=then(layout, stored.axes) if stored.axes else layout)


def _named(expr: Expr, like: Expr) -> Expr:
    return with_nodes(expr, nodes_of(like)) if isinstance(expr, Call) else expr
