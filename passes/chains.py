"""Calls of one kind that follow each other, each only changing how the last one lies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import Var

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.replace import replace
from tvmfuse.passes.trace import Trace

KEEPS_OUTPUTS = "no graph output becomes a graph input or another output"


class Chains(ABC):
    """The chains of one function, as it stands.

    Args:
        function: Stays as it is.
        trace: Gets what is merged, and what is not.

    Attributes:
        ops: The operators that a chain is made of; they work on their first operand.
        flow: Of the function.
        inner: The links that only links read: once these read from further up, nobody does.
    """

    ops: ClassVar[tuple[str, ...]]

    def __init__(self, function: relax.Function, trace: Trace) -> None:
        self.flow = Dataflow.of(function)
        self._function = function
        self._trace = trace
        self._links = dict.fromkeys(self.flow.calls(*self.ops))
        self._returned = set(self.flow.outputs)
        self.inner = {
            var
            for var in self._links
            if (readers := self.flow.users(var)) and all(r in self._links for r in readers)
        }

    @classmethod
    def merge(cls, function: relax.Function, trace: Trace) -> relax.Function:
        """Return the function with each chain cut short at its last link."""
        while True:
            trace.declined.clear()
            shorter = cls(function, trace).shortened()
            if shorter is function:
                return function
            function = shorter

    @abstractmethod
    def merged(self, links: Sequence[Var]) -> tuple[Expr | None, str]:
        """Return what to bind the last link to; or None, and why it stays, if that is of interest.

        Args:
            links: The chain as far up as the last link can read, the last one first.
        """

    def shortened(self) -> relax.Function:
        """Return the function after one walk: a shortened chain may make another one shorter."""
        plan: dict[Var, Expr] = {}
        touched: set[Var] = set()
        for var in self._links:
            if var in self.inner or self._trace.exhausted:
                continue
            links = self._chain(var)
            merged, why = self.merged(links)
            if merged is not None:
                nodes = [n for v in reversed(links) for n in nodes_of(self.flow.values[v])]
                plan[var] = with_nodes(merged, nodes) if isinstance(merged, Call) else merged
                touched.update(links)
                if var in self._returned:
                    self._returned.add(plan[var])
                self._trace.fire(dict.fromkeys(nodes))
            elif why:
                self._trace.decline(why, nodes_of(self.flow.values[var]))
        return replace(self._function, plan, drop=touched) if plan else self._function

    def operand(self, link: Var) -> Expr:
        """Return what a link changes."""
        return self.flow.values[link].args[0]

    def may_become(self, var: Var, other: Expr) -> bool:
        """Whether who reads `var` may read `other`: each output stays a tensor of its own."""
        fresh = other in self.flow.values and other not in self._returned
        return fresh or var not in self._returned

    def _chain(self, last: Var) -> list[Var]:
        links, operand = [last], self.operand(last)
        while operand in self._links and self.flow.visible(self.operand(operand), at=last):
            links.append(operand)
            operand = self.operand(operand)
        return links
