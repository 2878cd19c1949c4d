"""Which nodes of a graph are compiled, and why others are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping

import torch
from torch.fx import Graph, Node

from tvmfuse.torch_backend.effects import Sharing, is_scalar_arithmetic

SIZE = "it computes a size, which needs no kernel"
VIEWS = "it only looks at memory in another way, which needs no kernel"


class Claims:
    """The nodes that are compiled, by what is known so far.

    Args:
        graph: Of the nodes.
        returned: Results of it that a user sees.
        rule: Why an operator is not compiled, whatever the graph is; None for one that is.

    Attributes:
        refused: Why others are not, by their names: what was found as they were converted.
    """

    def __init__(
        self, graph: Graph, returned: Collection[Node], rule: Callable[[Node], str | None]
    ) -> None:
        self._rule = rule
        views = shared_views(graph, returned)
        self.refused: dict[str, str] = {node.name: VIEWS for node in views}

    def __call__(self, node: Node) -> bool:
        """Whether a node is compiled."""
        return self.why_not(node) is None

    def refuse(self, nodes: Mapping[str, str]) -> bool:
        """Take note of nodes that cannot be compiled, and say whether one of them is new."""
        new = nodes.keys() - self.refused.keys()
        self.refused.update(nodes)
        return bool(new)

    def why_not(self, node: Node) -> str | None:
        """Return why a node is not compiled; None if it is."""
        if node.name in self.refused:
            return self.refused[node.name]
        return SIZE if is_size(node) else self._rule(node)


def is_size(node: Node) -> bool:
    """Whether it computes a number of numbers, or asks a tensor for a size."""
    return is_scalar_arithmetic(node) or isinstance(
        node.meta.get("val"), (int, float, torch.SymInt, torch.SymFloat, torch.SymBool)
    )


def is_view(node: Node) -> bool:
    """Whether its result lies in its operand's memory."""
    return isinstance(node.target, torch._ops.OpOverload) and any(
        result.alias_info is not None for result in node.target._schema.returns
    )


def is_view_by_numbers(node: Node) -> bool:
    """Whether it asks for places of its operand's memory, whatever the operand is of it."""
    aten = torch.ops.aten
    return node.target in {aten.as_strided.default, aten.as_strided_scatter.default}


def shared_views(graph: Graph, returned: Collection[Node]) -> set[Node]:
    """Return the views through which results lie in one memory: who writes to one sees it there."""
    sharing = Sharing(graph)
    counts = Counter(sharing.of(node) for node in returned)
    waiting = [node for node in returned if counts[sharing.of(node)] > 1]
    views = set[Node]()
    while waiting:
        node = waiting.pop()
        if is_view(node) and node not in views:
            views.add(node)
            waiting.extend(s for s in node.all_input_nodes if sharing.of(s) == sharing.of(node))
    return views
