"""Nodes of a torch.fx graph as a module of their own."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection, Sequence

from torch.fx import Graph, GraphModule, Node

from tvmfuse.torch_backend.effects import attribute
from tvmfuse.torch_backend.repetition import without_repetition


def group_of(
    module: GraphModule, nodes: Sequence[Node], constants: Collection[Node]
) -> tuple[GraphModule, list[Node], list[Node]]:
    """Return nodes as a module, the nodes that it takes, and those whose values it returns.

    The module returns a tuple. What no result needs is left out, and arguments that only that read.

    Args:
        module: Holds the constants.
        nodes: In order.
        constants: Attributes that become the group's own, each tensor once.
    """
    graph, members = Graph(), set(nodes)
    there: dict[Node, Node] = {}
    held: dict[str, object] = {}
    pool: dict[int, Node] = {}
    inputs = dict.fromkeys(
        source
        for node in nodes
        for source in node.all_input_nodes
        if source not in members and source not in constants
    )
    for node in inputs:
        there[node] = graph.placeholder(node.name)
        there[node].meta = copy.copy(node.meta)

    def here(node: Node) -> Node:
        if node not in there:
            value = attribute(module, str(node.target))
            if id(value) not in pool:
                name = _free(str(node.target), held)
                pool[id(value)], held[name] = graph.get_attr(name), value
                pool[id(value)].meta = copy.copy(node.meta)
            there[node] = pool[id(value)]
        return there[node]

    for node in nodes:
        there[node] = graph.node_copy(node, here)
    outputs = [node for node in nodes if not members.issuperset(node.users)]
    graph.output(tuple(there[node] for node in outputs))
    graph.eliminate_dead_code()
    without_repetition(graph)
    taken = [node for node in inputs if there[node].users]
    for node in inputs:
        if not there[node].users:
            graph.erase_node(there[node])
    group = GraphModule(held, graph, "Group")
    group.train(module.training)
    graph.lint()
    return group, taken, outputs


def _free(name: str, held: Collection[str]) -> str:
    stem = name.replace(".", "_")
    names = (stem if number == 0 else f"{stem}_{number}" for number in itertools.count())
    return next(n for n in names if n not in held)
