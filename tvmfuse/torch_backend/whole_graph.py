"""How a compiled graph is called: one that is one group without the code that torch.fx writes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from torch.fx import Graph, GraphModule

from tvmfuse.torch_backend.boxed import boxed
from tvmfuse.torch_backend.compiled_group import CompiledGroup

Call: TypeAlias = Callable[[list[Any]], Sequence[Any]]


def as_group(graph: Graph) -> CompiledGroup | None:
    """Return a group that takes and gives what a graph does, if it does nothing but call one.

    Arguments that the group does not read may lie between those that it does. The graph's results
    are the group's, in any order, its own arguments, which training keeps for the way back, or
    None.
    """
    arguments = {node: place for place, node in enumerate(graph.find_nodes(op="placeholder"))}
    nodes = [node for node in graph.nodes if node not in arguments]
    group, results = nodes[0].target, nodes[-1].args[0]
    if not isinstance(group, CompiledGroup) or not isinstance(results, tuple | list):
        return None
    taken = [arguments[node] for node in nodes[0].args if node in arguments]
    parts = {node: node.args[1] for node in nodes[1:-1] if _is_part(node, nodes[0])}
    count = group.count
    # What may be a result, one after the other: the group's, all arguments, None.
    there = {**parts, **{node: count + place for node, place in arguments.items()}, None: -1}
    if (
        len(taken) < len(nodes[0].args)
        or len(parts) < len(nodes) - 2
        or not there.keys() >= {*results}
    ):
        return None
    returns = [there[node] for node in results]
    return group.within(taken, returns)


def as_module(module: GraphModule) -> Call:
    """Return what calls a graph as torch.fx writes it."""
    forward = module.forward
    return boxed(lambda arguments: forward(*arguments))


def _is_part(node: Any, group: Any) -> bool:
    return node.target is operator.getitem and node.args[0] is group
