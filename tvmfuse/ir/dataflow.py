"""The dataflow of one Relax function: who is bound to what, and who uses it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from tvm import relax
from tvm.ir import Call, Expr, GenericConst, Op, Tuple, TupleGetItem
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprVisitor, visitor

TUPLE_GET_ITEM: Final = "TupleGetItem"


class Dataflow:
    """Bindings and uses of one function as it stands; functions never change in place.

    Attributes:
        bindings: Each variable and the expression bound to it, in order.
        values: The same, as a mapping.
        outputs: What the function returns: variables, parameters, constants.
    """

    def __init__(self, function: relax.Function) -> None:
        walk = _Walk()
        walk.visit_expr(function)
        self.bindings: Sequence[tuple[Var, Expr]] = walk.bindings
        self.values: Mapping[Var, Expr] = dict(walk.bindings)
        self._num_uses = walk.num_uses
        for var, value in reversed(walk.bindings):
            if isinstance(value, Var):  # who uses the new name uses the first one
                self._num_uses[value] += self._num_uses[var] - 1
        self._users = walk.users
        self._reads = walk.reads
        self._blocks = walk.blocks
        # A variable that only names another one, or a constant, computes nothing.
        named = (Var, GenericConst)
        self._vars = {value: var for var, value in walk.bindings if not isinstance(value, named)}
        self._places = {var: place for place, (var, _) in enumerate(walk.bindings)}
        self._by_op: dict[str, list[Var]] = defaultdict(list)
        for var, value in walk.bindings:
            if name := op_name(value):
                self._by_op[name].append(var)
        returned = self.resolve(function.body.body)
        listed = returned.fields if isinstance(returned, Tuple) else [function.body.body]
        self.outputs: Sequence[Expr] = [self._named_first(e) for e in listed]

    @staticmethod
    def of(function: relax.Function) -> Dataflow:
        """Return the dataflow of a function: within `remembering`, one that was just made."""
        made = _MADE.get()
        if made is None:
            return Dataflow(function)
        if function not in made:
            while len(made) >= REMEMBERED:
                del made[next(iter(made))]
            made[function] = Dataflow(function)
        return made[function]

    def calls(self, *ops: str) -> list[Var]:
        """Return the variables bound to calls of these operators, in order of definition.

        Tuple accesses are listed under the name `TUPLE_GET_ITEM`.
        """
        found = [v for op in ops for v in self._by_op.get(op, ())]
        if len(ops) < 2:
            return found
        return sorted(found, key=self.place)

    def place(self, var: Var) -> int:
        """Return how many variables are defined before this one."""
        return self._places[var]

    def num_uses(self, expr: Expr) -> int:
        """Count how often a variable, or the variable bound to this expression, is read."""
        var = self._named_first(self._vars.get(expr, expr))
        return self._num_uses[var] if isinstance(var, Var) else 0

    def users(self, var: Var) -> tuple[Var | None, ...]:
        """Return the variables whose bindings read this one; None is the function's result.

        What a branch returns is read by the `If`.
        """
        return tuple(dict.fromkeys(self._users.get(var, ())))

    def near(self, var: Var, steps: int) -> dict[Var, Expr]:
        """Return what is bound to the variables that one reads in so many steps.

        A variable that renames another one takes no step.
        """
        found: dict[Var, Expr] = {}
        reached = [var]
        for _ in range(steps):
            reached = [read for v in reached for read in self._unseen(v, found)]
            for read in reached:  # which grows by what is only renamed
                found[read] = self.values[read]
                if isinstance(self.values[read], Var):
                    reached += self._unseen(read, found)
        return found

    def _unseen(self, var: Var, seen: Container[Var]) -> list[Var]:
        return [v for v in self._reads.get(var, ()) if v in self.values and v not in seen]

    def visible(self, expr: Expr, at: Var) -> bool:
        """Whether the binding of `at` may read `expr`, which a binding that it reads does read.

        A dataflow variable is known only inside its own block.
        """
        return not isinstance(expr, DataflowVar) or self._blocks[expr] == self._blocks[at]

    def same_block(self, a: Var, b: Var) -> bool:
        """Whether two variables are bound in one block."""
        return self._blocks.get(a) is not None and self._blocks.get(a) == self._blocks.get(b)

    def var(self, value: Expr) -> Var:
        """Return the variable bound to this expression."""
        return self._vars[value]

    def binds(self, value: Expr) -> bool:
        """Whether this very expression is bound to a variable."""
        return value in self._vars

    def resolve(self, expr: Expr) -> Expr:
        """Follow variables to the expression that they stand for.

        A parameter, or what is no variable, comes back as it is.
        """
        while isinstance(expr, Var) and expr in self.values:
            expr = self.values[expr]
        return expr

    def _named_first(self, expr: Expr) -> Expr:
        """Follow a variable that only renames another one."""
        while isinstance(expr, Var) and isinstance(self.values.get(expr), Var):
            expr = self.values[expr]
        return expr


REMEMBERED: Final = 2
"""Functions whose dataflow is kept: the one that a pass got, and the one that it returns."""

_MADE: Final[ContextVar[dict[relax.Function, Dataflow] | None]] = ContextVar("made", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Keep the last dataflows in this context, for passes that ask for the same ones in turn.

    They go when it ends: a dataflow keeps its function alive, with all constants.
    """
    token = _MADE.set({})
    try:
        yield
    finally:
        _MADE.reset(token)


def op_name(expr: Expr) -> str | None:
    """Return the operator that an expression calls, or None.

    >>> op_name(relax.op.exp(relax.Var("x", relax.TensorType((2,), "float32"))))
    'relax.exp'
    """
    if isinstance(expr, TupleGetItem):
        return TUPLE_GET_ITEM
    if isinstance(expr, Call) and isinstance(expr.op, Op):
        return str(expr.op.name)
    return None


@visitor
class _Walk(PyExprVisitor):
    def __init__(self) -> None:
        self.num_uses: Counter[Var] = Counter()
        self.users: dict[Var, list[Var | None]] = defaultdict(list)
        self.reads: dict[Var | None, list[Var]] = defaultdict(list)
        self.bindings: list[tuple[Var, Expr]] = []
        self.blocks: dict[Var, int] = {}
        self._reading: list[Var | None] = [None]
        self._block = [0]
        self._last_block = 0

    def visit_var_(self, op: Var) -> None:
        self.num_uses[op] += 1
        self.users[op].append(self._reading[-1])
        self.reads[self._reading[-1]].append(op)

    def visit_dataflow_var_(self, op: Var) -> None:
        self.visit_var_(op)

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        self.blocks[binding.var] = self._block[-1]
        self.bindings.append((binding.var, binding.value))
        self._read(binding)

    def visit_match_cast_(self, binding: relax.MatchCast) -> None:
        self.blocks[binding.var] = self._block[-1]
        self._read(binding)

    def _read(self, binding: relax.Binding) -> None:
        self._reading.append(binding.var)
        self.visit_expr(binding.value)
        self._reading.pop()

    def visit_binding_block_(self, block: relax.BindingBlock) -> None:
        self._last_block += 1
        self._block.append(self._last_block)
        for binding in block.bindings:
            self.visit_binding(binding)
        self._block.pop()

    def visit_dataflow_block_(self, block: relax.DataflowBlock) -> None:
        self.visit_binding_block_(block)
