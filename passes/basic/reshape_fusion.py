"""A reshape of a reshape is one reshape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.passes.dataflow import Dataflow, op_name
from tvmfuse.passes.facts import Dim, same_dims, shape_of
from tvmfuse.passes.replace import replace
from tvmfuse.passes.rewrite import map_functions
from tvmfuse.passes.trace import Trace
from tvmfuse.provenance import nodes_of, with_nodes

# These give their operand another shape, and leave its elements in order.
RESHAPES: Final = (
    "relax.expand_dims",
    "relax.flatten",
    "relax.nn.batch_flatten",
    "relax.reshape",
    "relax.squeeze",
)


class ReshapeFusion:
    """Reshape once where reshapes follow each other, and not at all where the shape is the same.

    Before, with ``x`` of shape (n, 768)::

        a = reshape(x, (n, 12, 64))
        b = expand_dims(a, axis=[0])
        y = reshape(b, (n * 12, 64))

    After::

        y = reshape(x, (n * 12, 64))

    An inner reshape that something else reads is left alone, unless the outer one undoes it.

    Pays because a chain of reshapes hides from other passes what follows what, and because a
    backend that copies would copy at each link.

    Source: ONNX ``Reshape``, ``Flatten``, ``Squeeze``, ``Unsqueeze``; ONNX Runtime's ReshapeFusion.
    Its other half, the shape computed by ``Shape``, ``Gather`` and ``Concat``, is the importer's.
    """

    name: ClassVar[str] = "ReshapeFusion"
    aliases: ClassVar[tuple[str, ...]] = ("Reshape Fusion",)
    default: ClassVar[bool] = True

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Merge the chains of every function, all in one walk."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: _Chains(function, trace).merge())


class _Chains:
    def __init__(self, function: relax.Function, trace: Trace) -> None:
        self.function = function
        self.flow = Dataflow.of(function)
        self.trace = trace
        self.reshapes = dict.fromkeys(self.flow.calls(*RESHAPES))
        # Inner links: once their readers reshape something further up, nobody reads them.
        self.inner = {
            var
            for var in self.reshapes
            if (readers := self.flow.read_by(var)) and all(r in self.reshapes for r in readers)
        }

    def merge(self) -> relax.Function:
        plan: dict[Var, Expr] = {}
        touched: set[Var] = set()
        for var in self.reshapes:
            if var in self.inner or self.trace.exhausted:
                continue
            links = list(self._links(var))
            nodes = [n for link in reversed(links) for n in nodes_of(self.flow.values[link])]
            merged, why = self._merged(var, links)
            if merged is not None:
                plan[var] = merged if isinstance(merged, Var) else with_nodes(merged, nodes)
                touched.update(links)
                self.trace.fire(nodes)
            elif why:
                self.trace.decline(why, nodes)
        return replace(self.function, plan, drop=touched) if plan else self.function

    def _links(self, var: Expr) -> Iterator[Var]:
        """Yield the reshapes that lead to this one, itself first, as far as it can see them."""
        at = var
        while var in self.reshapes and self.flow.visible(var, at):
            yield var
            var = self.flow.values[var].args[0]

    def _merged(self, var: Var, links: list[Var]) -> tuple[Expr | None, str]:
        """Return what to bind the last link to, or why it stays."""
        final = shape_of(var)
        if final is None:
            return None, "the final shape is known"
        if (same := self._same_shape(final, links)) is not None:
            if self._may_become(var, same):
                return same, ""
            return None, "no graph output becomes a graph input or another output"
        length = next((i for i, v in enumerate(links[1:], 1) if v not in self.inner), len(links))
        source = self._operand(links[length - 1])
        if length == 1:
            inner = len(links) > 1
            return None, "the inner reshape has no other reader" if inner else ""
        ...

    def _same_shape(self, final, links): ...
