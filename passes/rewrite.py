"""What a rewrite rule is, and how one is applied until nothing changes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from tvm import IRModule, relax
from tvm.ir import Call, Expr
from tvm.relax import Var

from tvmfuse.errors import RewriteDivergedError
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.live_array import NumbersChangeError
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.replace import replace
from tvmfuse.ops.barriers import insert_barriers
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.pattern import Match, Pattern, matches_of
from tvmfuse.passes.trace import Trace

MAX_SWEEPS: Final = 100

#: What the conditions of a rule derive on their way: a frozen dataclass of the rule, or None.
Found = TypeVar("Found")

#: Conditions, each with its wording, and in the end what they derived.
Conditions: TypeAlias = Generator[tuple[bool, str], None, Found]


@dataclass(frozen=True)
class Site(Generic[Found]):
    """A match at which every condition holds, and what the conditions derived."""

    match: Match
    found: Found


class RewriteRule(GraphPass, Generic[Found]):
    """One local rewrite: a pattern, the conditions under which it is safe, a replacement.

    The driver matches, checks `requires` and hands what that returns to the hooks that build the
    replacement, so that every fact about a match is derived once.

    Attributes:
        barrier_at: The part whose kernel `FuseOps` would fuse with its user, where this rule is
            disabled; None where it would not. See `tvmfuse.ops.barriers`.
    """

    barrier_at: ClassVar[str | None] = None

    @abstractmethod
    def pattern(self) -> Pattern:
        """What to look for, which no model changes: it is asked for once."""

    @cached_property
    def _pattern(self) -> Pattern:
        return self.pattern()

    def is_candidate(self, match: Match) -> bool:
        """Whether the match is of the rule's kind; what is not is no declined place, either."""
        del match
        return True

    def requires(self, match: Match) -> Conditions[Found]:
        """Yield each condition with its wording; the first that fails declines the match.

        Returns:
            What the conditions derived, for the hooks below. A rule without conditions finds None.
        """
        del match
        yield from ()
        return cast("Found", None)

    def absorbs(self, match: Match, found: Found) -> Iterable[Var]:
        """Return bindings before the match that the replacement computes, too.

        They go where nobody else reads them.
        """
        del match, found
        return ()

    def is_noted(self, found: Found) -> bool:
        """Whether the rule's note is about what it does here."""
        del found
        return True

    @abstractmethod
    def rewrite(self, match: Match, found: Found) -> Expr:
        """Build the replacement of the pattern's root; every condition of `requires` holds here.

        New calls need no provenance: they get the nodes of the calls that they replace.
        """

    def replacements(self, match: Match, found: Found) -> Mapping[Var, Expr]:
        """Build what the root is bound to, and what other bindings of the match change with it."""
        return {match.root: self.rewrite(match, found)}

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Apply the rule to every function until it no longer fires; the rest stays as it is."""
        trace = Trace() if trace is None else trace
        return map_functions(module, lambda function: self._until_stable(function, trace))

    def with_barriers(self, module: IRModule) -> IRModule:
        """Put a barrier at each place where the rule would fire, for a rule that is disabled."""
        part = self.barrier_at
        if part is None:
            return module

        def separate(function: relax.Function) -> relax.Function:
            matches = [site.match for site in self._sites(Dataflow.of(function), Trace())]
            anchors = {v for m in matches if part in m and isinstance(v := m.var(part), Var)}
            return insert_barriers(function, anchors)

        return map_functions(module, separate)

    def _until_stable(self, function: relax.Function, trace: Trace) -> relax.Function:
        for _ in range(MAX_SWEEPS):
            plan: dict[Var, Expr] = {}
            touched: set[Var] = set()
            absorbed: set[Var] = set()
            for site in self._sites(Dataflow.of(function), trace):
                match, found = site.match, site.found
                # Overlapping matches wait for the next sweep, which has fresh use counts.
                if trace.exhausted or not touched.isdisjoint(match.bound):
                    continue
                trace.at = match.nodes
                try:
                    new = self.replacements(match, found)
                except NumbersChangeError as error:
                    trace.decline(str(error), match.nodes)
                    continue
                touched.update(match.bound)
                absorbed.update(self.absorbs(match, found))
                plan |= {v: _named(e, match) for v, e in new.items()}
                trace.fire(match.nodes, noted=self.is_noted(found))
            if not plan:
                return function
            function = replace(function, plan, drop=touched | absorbed)
        raise RewriteDivergedError(self.name, f"it still fires after {MAX_SWEEPS} sweeps")

    def _sites(self, flow: Dataflow, trace: Trace) -> list[Site[Found]]:
        """Find the places where every condition holds; the trace gets those where one fails."""
        trace.declined.clear()
        sites = []
        for alternatives in matches_of(self._pattern, flow):
            first: tuple[str, Match] | None = None
            for match in alternatives:
                trace.at = match.nodes
                judged = self._judged(match)
                if judged is None:
                    continue
                if isinstance(judged, Site):
                    sites.append(judged)
                    break
                first = first or (judged, match)
            else:
                if first is not None:
                    trace.decline(first[0], first[1].nodes)
        return sites

    def _judged(self, match: Match) -> Site[Found] | str | None:
        """Return what the conditions derived, or the wording of the first one that does not hold.

        None for no candidate.
        """
        try:
            if not self.is_candidate(match):
                return None
            conditions = self.requires(match)
            while True:
                holds, words = next(conditions)
                if not holds:
                    return words
        except StopIteration as end:
            return Site(match, end.value)
        except NumbersChangeError as error:
            return str(error)


def _named(expr: Expr, match: Match) -> Expr:
    """Give the new calls of a replacement the nodes of the calls that they replace."""
    if not isinstance(expr, Call) or op_name(expr) is None or nodes_of(expr):
        return expr
    args = {a: _named(a, match) for a in dict.fromkeys(expr.args)}  # what is read twice stays one
    named = Call(expr.op, [args[a] for a in expr.args], attrs=expr.attrs, ty_args=expr.ty_args)
    return with_nodes(named, match.nodes)
