"""Moving calls before transposes."""

from __future__ import annotations

from collections.abc import Mapping

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.passes.dataflow import Dataflow, op_name
from tvmfuse.passes.facts import shape_of
from tvmfuse.passes.liveness import unread
from tvmfuse.passes.permutation import (
    PERMUTE,
    Permutation,
    inverse,
    permutation_of,
    permuted,
    then,
    transpose,
    unpermuted,
)
from tvmfuse.passes.replace import remove
from tvmfuse.passes.transpose_region import Moved, parts, reads_moved
from tvmfuse.provenance import nodes_of, with_nodes


def move_calls(function: relax.Function, moves: Mapping[Var, Moved]) -> relax.Function:
    """Make these calls work on what is not transposed.

    Who else reads their results reads a transpose of them. Transposes that nobody reads any more
    are dropped.
    """
    flow = Dataflow.of(function)
    function = _Apply(flow, moves).visit_expr(function)
    return remove(function, unread(function, lambda _, value: op_name(value) == PERMUTE))


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
        operands = [self._operand(var, o, place) for place, o in enumerate(parts(value))]
        call = _named(moved.move.build(operands), value)
        layout = moved.move.result
        if layout is None:
            super().visit_var_binding_(relax.VarBinding(var, call))
            return
        self.made[var] = self.builder_.emit(call)
        if isinstance(layout, tuple) and self._is_read_later(var):
            shape = permuted(shape_of(var), inverse(layout))
            later = _named(transpose(self.made[var], layout, shape), value)
            super().visit_var_binding_(relax.VarBinding(var, later))

    def _is_read_later(self, var: Var) -> bool:
        """Whether a call that does not move reads this value."""
        return not all(
            reader in self.moves and all(
                reads_moved(self.moves, reader, o, place)
                for place, o in enumerate(parts(self.flow.values[reader]))
                if o.same_as(var)
            )
            for reader in self.flow.read_by(var)
        )

    def _operand(self, reader: Var, operand: Expr, place: int) -> Expr:
        """Return an operand as the moved call reads it."""
        if reads_moved(self.moves, reader, operand, place):
            return self.made[operand]
        if place not in self.moves[reader].move.data:
            return self.visit_expr(operand)
        key = operand, self.moves[reader].taken
        if key not in self.undone:
            self.undone[key] = self._undo(*key, reader)
        return self.undone[key]

    def _undo(self, operand: Expr, taken: Permutation, reader: Var) -> Expr:
        """Return an operand before it is transposed: what is transposed already, as it was."""
        value = self.flow.values.get(operand) if isinstance(operand, Var) else None
        nodes = self.flow.values[reader]
        if op_name(value) == PERMUTE and self.flow.same_block(operand, reader):
            q = permutation_of(value)
            if len(q) == len(taken):
                source = value.args[0]
                back = transpose(self.visit_expr(source), then(q, inverse(taken)), shape_of(source))
                return self._emitted(back, nodes)
        return self._emitted(unpermuted(self.visit_expr(operand), taken), nodes)

    def _emitted(self, expr: Expr, nodes: Expr) -> Expr: ...
