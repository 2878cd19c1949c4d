"""A torch.fx graph, written anew with some of its nodes in modules of their own."""

from __future__ import annotations

import copy
import itertools
import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from torch.fx import Graph, GraphModule, Node

from tvmfuse.torch_backend.effects import KIND, attribute
from tvmfuse.torch_backend.group import group_of


@dataclass(frozen=True)
class Part:
    """Nodes that run together.

    Attributes:
        is_group: Whether they become a module.
        nodes: In order.
    """

    is_group: bool
    nodes: Sequence[Node]


def with_groups(
    module: GraphModule,
    parts: Iterable[Part],
    constants: Collection[Node],
    kind: str,
    blocks: Mapping[str, GraphModule],
) -> GraphModule:
    """Return a module that runs parts in their order, groups as modules of their own.

    Args:
        module: Stays as it is.
        parts: All nodes that compute something.
        constants: Attributes that nobody writes; groups hold them.
        kind: What the groups are called.
        blocks: What some of the module's attributes are in the new one.
    """
    writing = _Writing(module, constants, kind, blocks)
    for node in module.graph.find_nodes(op="placeholder"):
        writing.copy(node)
    for part in parts:
        if part.is_group:
            writing.call(part.nodes)
        else:
            for node in part.nodes:
                writing.copy(node)
    writing.copy(module.graph.output_node())
    return writing.module()


class _Writing:
    """The new graph, as far as it is written."""

    def __init__(
        self,
        module: GraphModule,
        constants: Collection[Node],
        kind: str,
        blocks: Mapping[str, GraphModule],
    ) -> None:
        self._module, self._constants, self._kind, self._blocks = module, constants, kind, blocks
        self._graph = Graph()
        self._graph.set_codegen(copy.deepcopy(module.graph._codegen))
        self._there: dict[Node, Node] = {}
        self._held: dict[str, object] = {}
        names = (f"{kind.replace('::', '_')}_{number}" for number in itertools.count())
        self._free = (name for name in names if not hasattr(module, name))

    def copy(self, node: Node) -> None:
        """Write a node as it is."""
        self._there[node] = self._graph.node_copy(node, self._here)
        if node.op in {"get_attr", "call_module"}:
            name = str(node.target)
            known = self._blocks.get(name)
            self._held[name] = attribute(self._module, name) if known is None else known

    def call(self, nodes: Sequence[Node]) -> None:
        """Write the call of a group, unless nobody needs what it computes."""
        group, inputs, outputs = group_of(self._module, nodes, self._constants)
        if not outputs:
            return
        group.meta[KIND] = self._kind
        name = next(self._free)
        self._held[name] = group
        call = self._graph.call_module(name, tuple(map(self._here, inputs)))
        call.meta["val"] = tuple(node.meta.get("val") for node in outputs)
        for place, node in enumerate(outputs):
            part = self._graph.call_function(operator.getitem, (call, place))
            part.meta = copy.copy(node.meta)
            self._there[node] = part

    def module(self) -> GraphModule:
        """Return the graph and what it holds."""
        module = GraphModule(self._held, self._graph, type(self._module).__name__)
        module.meta = copy.copy(self._module.meta)
        module.train(self._module.training)
        self._graph.lint()
        return module

    def _here(self, node: Node) -> Node:
        if node not in self._there:  # an attribute, where it is read first
            self.copy(node)
        return self._there[node]
