"""What a rewrite rule is, and how one is applied until nothing changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from tvm import IRModule, relax
from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.dpl import (
    CallPattern,
    DataTypePattern,
    DFPattern,
    ExprPattern,
    OrPattern,
    ShapePattern,
    TupleGetItemPattern,
    TypePattern,
    WildcardPattern,
)
from tvm_ffi import convert

from tvmfuse.errors import RewriteDivergedError
from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.replace import replace
from tvmfuse.ops.barriers import insert_barriers
from tvmfuse.passes.trace import Trace

MAX_SWEEPS: Final = 100
COMPUTED: Final = (CallPattern, TupleGetItemPattern)
OPEN: Final = (WildcardPattern, DataTypePattern, ShapePattern, TypePattern)


class Pattern:
    """A dataflow pattern whose interesting parts have names.

    Attributes:
        alternatives: What the root may be, in the order in which they are tried: in
            ``add(conv, k) | add(k, conv)`` both operands may be convolutions.
    """

    def __init__(self, root: DFPattern, **parts: DFPattern) -> None:
        self.alternatives = _alternatives(root)
        self.parts = parts
        self.root_ops = tuple(sorted(_root_ops(root)))


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

    def readers(self, name: str) -> int:
        """Count the reads of this part; the graph's outputs read, too."""
        return self._flow.readers(self._parts[name])

    def reads(self, var: Expr) -> int:
        """Count the reads of any variable; the graph's outputs read, too."""
        return self._flow.readers(var)

    def readers_by(self, name: str, op: str) -> int:
        """Count the reads of this part by calls of one operator."""
        var, calls = self.var(name), self._flow.calls(op)
        return sum(a.same_as(var) for call in calls for a in self._flow.values[call].args)

    def read_by(self, var: Expr) -> tuple[Var | None, ...]:
        """Return the variables whose bindings read this one; None is the graph's result."""
        return self._flow.read_by(var) if isinstance(var, Var) else ()

    def resolve(self, expr: Expr) -> Expr:
        """Follow variables to the expression that they stand for."""
        return self._flow.resolve(expr)

    def only_reader(self) -> Expr | None:
        """Return what reads the root; None where that is not one expression, or the graph."""
        readers = self._flow.read_by(self.root)
        alone = self._flow.readers(self.root) == len(readers) == 1
        return self._flow.values.get(readers[0]) if alone and readers[0] is not None else None

    def value(self, var: Var | None) -> Expr | None:
        """Return what is bound to a variable that reads, None for the graph's result."""
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
        """Whether the root's readers may read this part instead.

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


class RewriteRule(ABC):
    """One local rewrite: a pattern, the conditions under which it is safe, a replacement.

    Attributes:
        name: As in the catalogue and in every report.
        aliases: Other names that the documents which users bring along use.
        default: Whether the rule runs unless it is asked for by name.
        keeps_apart: The part whose kernel `FuseOps` would fuse with its reader, where this rule
            is disabled; None where it would not. See `tvmfuse.ops.barrier`.
        note: What a user has to know where the rule fired, for the report.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    default: ClassVar[bool] = True
    keeps_apart: ClassVar[str | None] = None
    note: ClassVar[str] = ""

    @abstractmethod
    def pattern(self) -> Pattern:
        """What to look for."""

    def concerns(self, match: Match) -> bool:
        """Whether the match is of the rule's kind; what is not is no declined place, either."""
        del match
        return True

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        """Yield each condition with its wording; the first that fails declines the match."""
        del match
        yield from ()

    def consumes(self, match: Match) -> Iterator[Var]:
        """Yield bindings before the match that the replacement reads past.

        They go where nobody else reads them.
        """
        del match
        yield from ()

    @abstractmethod
    def rewrite(self, match: Match) -> Expr:
        """Build the replacement of the pattern's root; every condition of `requires` holds here.

        New calls need no provenance: they get the nodes of the calls that they replace.
        """

    def rewrites(self, match: Match) -> Mapping[Var, Expr]:
        """Build what the root is bound to, and what other bindings of the match change with it."""
        return {match.root: self.rewrite(match)}

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Apply the rule to every function until it no longer fires; the rest stays as it is."""
        trace = Trace() if trace is None else trace
        return map_functions(module, lambda function: self._until_stable(function, trace))

    def keep_apart(self, module: IRModule) -> IRModule:
        """Put a barrier at each place where the rule would fire, for a rule that is disabled."""
        part = self.keeps_apart
        if part is None:
            return module

        def separate(function: relax.Function) -> relax.Function:
            matches = self._matches(Dataflow.of(function), Trace())
            anchors = {v for m in matches if part in m and isinstance(v := m.var(part), Var)}
            return insert_barriers(function, anchors)

        return map_functions(module, separate)

    def _until_stable(self, function: relax.Function, trace: Trace) -> relax.Function:
        for _ in range(MAX_SWEEPS):
            matches = self._matches(Dataflow.of(function), trace)
            plan: dict[Var, Expr] = {}
            touched: set[Var] = set()
            passed: set[Var] = set()
            for match in matches:
                # Overlapping matches wait for the next sweep, which has fresh reader counts.
                if trace.exhausted or not touched.isdisjoint(match.bound):
                    continue
                trace.at = match.nodes
                touched.update(match.bound)
                passed.update(self.consumes(match))
                plan |= {v: _named(e, match) for v, e in self.rewrites(match).items()}
                trace.fire(match.nodes)
            if not plan:
                return function
            function = replace(function, plan, drop=touched | passed)
        raise RewriteDivergedError(self.name, f"it still fires after {MAX_SWEEPS} sweeps")

    def _matches(self, flow: Dataflow, trace: Trace) -> list[Match]:
        """Find the places where every condition holds; the trace gets those where one fails."""
        trace.declined.clear()
        pattern, values, matches = self.pattern(), convert(flow.values), []
        for root in flow.calls(*pattern.root_ops):
            found = [
                Match(pattern, parts, root, flow)
                for alternative in pattern.alternatives
                if (parts := alternative.extract_matched_expr(flow.values[root], values))
            ]
            judged = [(m, self._failed(m, trace)) for m in found if self.concerns(m)]
            if fit := next((m for m, failed in judged if failed is None), None):
                matches.append(fit)
            elif judged:
                match, failed = judged[0]
                trace.decline(str(failed), match.nodes)
        return matches

    def _failed(self, match: Match, trace: Trace) -> str | None:
        """Return the first condition that does not hold."""
        trace.at = match.nodes
        return next((words for holds, words in self.requires(match) if not holds), None)


def _alternatives(pattern: DFPattern) -> tuple[DFPattern, ...]:
    """Return the patterns of which a root is the either-or."""
    if isinstance(pattern, OrPattern):
        return _alternatives(pattern.left) + _alternatives(pattern.right)
    return (pattern,)


def _root_ops(pattern: DFPattern) -> set[str]:
    """Return the operators that an expression must call for the pattern to match."""
    if isinstance(pattern, OrPattern):
        return _root_ops(pattern.left) | _root_ops(pattern.right)
    if isinstance(pattern, TupleGetItemPattern):
        return {TUPLE_GET_ITEM}
    if isinstance(pattern, CallPattern) and isinstance(pattern.op, ExprPattern):
        return {str(pattern.op.expr.name)}
    raise TypeError(f"a pattern's root calls an operator; found {type(pattern).__name__}")


def _named(expr: Expr, match: Match) -> Expr:
    """Give the new calls of a replacement the nodes of the calls that they replace."""
    if not isinstance(expr, Call) or op_name(expr) is None or nodes_of(expr):
        return expr
    args = {a: _named(a, match) for a in dict.fromkeys(expr.args)}  # what is read twice stays one
    named = Call(expr.op, [args[a] for a in expr.args], attrs=expr.attrs, ty_args=expr.ty_args)
    return with_nodes(named, match.nodes)
