"""What a rule looks for, and a place where it is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import (
    AndPattern,
    CallPattern,
    ConstantPattern,
    DataTypePattern,
    DFPattern,
    ExprPattern,
    OrPattern,
    ShapePattern,
    TupleGetItemPattern,
    TuplePattern,
    TypePattern,
    WildcardPattern,
)
from tvm_ffi import convert

from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ir.provenance import nodes_of

COMPUTED: Final = (CallPattern, TupleGetItemPattern)
Fact = TypeVar("Fact")

OPEN: Final = (WildcardPattern, DataTypePattern, ShapePattern, TypePattern)


class Pattern:
    """A dataflow pattern whose interesting parts have names.

    Attributes:
        alternatives: What the root may be, in the order in which they are tried: in
            ``add(conv, k) | add(k, conv)`` both operands may be convolutions.
        steps: How far from the root, from operand to operand, the pattern looks.
    """

    def __init__(self, root: DFPattern, **parts: DFPattern) -> None:
        self.alternatives = _alternatives(root)
        self.parts = parts
        self.root_ops = tuple(sorted(_root_ops(root)))
        self.steps = _steps(root, {})


class Match:
    """One place where a pattern was found: ``match["conv"]`` is the matched expression.

    An operand that the pattern leaves open (a wildcard) comes as it stands in the call, usually a
    variable; a call that the pattern names comes as the call.
    """

    def __init__(
        self, pattern: Pattern, found: Mapping[DFPattern, Expr], root: Var, flow: Dataflow
    ) -> None:
        # The matcher looks through variables; what a pattern leaves open is read, not computed.
        self._parts = {
            name: flow.var(found[p]) if isinstance(p, OPEN) and flow.binds(found[p]) else found[p]
            for name, p in pattern.parts.items()
            if p in found
        }
        self._flow = flow
        self.root = root
        self._facts: dict[Callable[[Match], Any], Any] = {}
        computed = {e for p, e in found.items() if isinstance(p, COMPUTED) and flow.binds(e)}
        # The matcher's own order differs from run to run.
        self.values = sorted(computed, key=lambda value: flow.place(flow.var(value)))

    def __getitem__(self, name: str) -> Expr:
        return self._parts[name]

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def get(self, name: str) -> Expr | None:
        """Return a part, None where the match has none of this name."""
        return self._parts.get(name)

    def fact(self, derive: Callable[[Match], Fact]) -> Fact:
        """Return what a function derives from this match: it is asked once, whoever wants to know.

        A rule whose `is_candidate` and `requires` look at the same thing asks for it so.
        """
        if derive not in self._facts:
            self._facts[derive] = derive(self)
        fact: Fact = self._facts[derive]
        return fact

    def num_uses(self, part: str | Expr) -> int:
        """Count how often a part, by its name, or any variable is read.

        The graph's outputs are uses, too.
        """
        return self._flow.num_uses(self._parts[part] if isinstance(part, str) else part)

    def num_uses_by(self, name: str, op: str) -> int:
        """Count how often calls of one operator read this part."""
        var = self.var(name)
        readers = (self.value(user) for user in self.users(var))
        calls = (reader for reader in readers if reader is not None and op_name(reader) == op)
        return sum(a.same_as(var) for call in calls for a in call.args)

    def users(self, var: Expr) -> tuple[Var | None, ...]:
        """Return the variables whose bindings read this one; None is the graph's result."""
        return self._flow.users(var) if isinstance(var, Var) else ()

    def resolve(self, expr: Expr) -> Expr:
        """Follow variables to the expression that they stand for."""
        return self._flow.resolve(expr)

    def place(self, expr: Expr) -> int:
        """Return how many bindings come before that of a variable."""
        return self._flow.place(expr)

    def only_user(self) -> Expr | None:
        """Return what reads the root; None where that is not one expression, or the graph."""
        users = self._flow.users(self.root)
        alone = self._flow.num_uses(self.root) == len(users) == 1
        return self._flow.values.get(users[0]) if alone and users[0] is not None else None

    def value(self, var: Var | None) -> Expr | None:
        """Return what is bound to a user, None for the graph's result."""
        return None if var is None else self._flow.values.get(var)

    def returns_root(self) -> bool:
        """Whether the root is one of the graph's outputs."""
        return self.root in self._flow.outputs

    def beside_root(self, name: str) -> bool:
        """Whether a part is bound in the root's block."""
        var = self.var(name)
        return isinstance(var, Var) and self._flow.same_block(var, self.root)

    def precedes(self, expr: Expr, name: str) -> bool:
        """Whether an operand is known where a part is computed."""
        var = self.var(name)
        if expr not in self._flow.values or not isinstance(var, Var):
            return True
        return self._flow.place(expr) < self._flow.place(var)

    def can_become(self, name: str) -> bool:
        """Whether the root's users may read this part instead.

        They may not where the graph would then return one of its own inputs, a constant, or one
        tensor twice.
        """
        var = self.var(name)
        fresh = isinstance(var, Var) and var in self._flow.values and var not in self._flow.outputs
        return fresh or not self.returns_root()

    def var(self, name: str) -> Expr:
        """Return the variable that this part is bound to, to read it in the replacement."""
        part = self._parts[name]
        return self._flow.var(part) if self._flow.binds(part) else part

    @property
    def bound(self) -> tuple[Var, ...]:
        """The variables bound to the matched calls, the root's included."""
        return tuple(dict.fromkeys([*(self._flow.var(v) for v in self.values), self.root]))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The ONNX nodes that the matched calls compute."""
        values = [*self.values, self._flow.values[self.root]]
        return tuple(dict.fromkeys(n for value in values for n in nodes_of(value)))


def matches_of(pattern: Pattern, flow: Dataflow) -> Iterator[Iterator[Match]]:
    """Yield, for each place that may match, the alternatives that do.

    They are matched one by one, as they are asked for.
    """

    def at(root: Var) -> Iterator[Match]:
        # The matcher looks at all that it is given, at each place: not at the whole graph.
        values = convert(flow.near(root, pattern.steps))
        for alternative in pattern.alternatives:
            if parts := alternative.extract_matched_expr(flow.values[root], values):
                yield Match(pattern, parts, root, flow)

    return (at(root) for root in flow.calls(*pattern.root_ops))


def _alternatives(pattern: DFPattern) -> tuple[DFPattern, ...]:
    """Return the patterns of which a root is the either-or."""
    if isinstance(pattern, OrPattern):
        return _alternatives(pattern.left) + _alternatives(pattern.right)
    return (pattern,)


def _steps(pattern: DFPattern, known: dict[DFPattern, int]) -> int:
    """Return how many operands after each other a pattern names, or leaves open.

    Args:
        pattern: Its parts are shared: as a tree it may be a thousand times as large.
        known: What this was for its parts; what is found goes in, too.
    """
    if pattern not in known:
        inner, own = _operands(pattern)
        known[pattern] = own + max((_steps(p, known) for p in inner), default=0)
    return known[pattern]


def _operands(pattern: DFPattern) -> tuple[Sequence[DFPattern], int]:
    """Return the patterns in a pattern, and whether they are one step further from the root."""
    if isinstance(pattern, OrPattern | AndPattern):
        return (pattern.left, pattern.right), 0
    if isinstance(pattern, CallPattern):
        return pattern.args, 1
    if isinstance(pattern, TuplePattern):
        return pattern.fields, 1
    if isinstance(pattern, TupleGetItemPattern):
        return (pattern.tuple,), 1
    if isinstance(pattern, (*OPEN, ConstantPattern)):
        return (), 0
    raise TypeError(f"how far a {type(pattern).__name__} looks is not known")


def _root_ops(pattern: DFPattern) -> set[str]:
    """Return the operators that an expression must call for the pattern to match."""
    if isinstance(pattern, OrPattern):
        return _root_ops(pattern.left) | _root_ops(pattern.right)
    if isinstance(pattern, TupleGetItemPattern):
        return {TUPLE_GET_ITEM}
    if isinstance(pattern, CallPattern) and isinstance(pattern.op, ExprPattern):
        return {str(pattern.op.expr.name)}
    raise TypeError(f"a pattern's root calls an operator; found {type(pattern).__name__}")
