"""A graph that is one group: it is called without the code that torch.fx writes around it."""

from __future__ import annotations

import operator

from torch.fx import Graph

from tvmfuse.torch_backend.compiled_group import CompiledGroup


def as_group(graph: Graph) -> CompiledGroup | None:
    """Return what takes and gives what a graph does, if all that it does is to call one group.

    Its results are the group's, all of them in order; arguments that it does not read may lie
    between those of the group.
    """
    places = {node: place for place, node in enumerate(graph.find_nodes(op="placeholder"))}
    nodes = [node for node in graph.nodes if node not in places]
    group, results = nodes[0].target, nodes[-1].args[0]
    if not isinstance(group, CompiledGroup) or not isinstance(results, tuple | list):
        return None
    taken = [places[node] for node in nodes[0].args if node in places]
    parts = [(operator.getitem, (nodes[0], place)) for place in range(group.count)]
    is_whole = (
        len(taken) == len(nodes[0].args)
        and [(node.target, node.args) for node in nodes[1:-1]] == parts
        and [*results] == nodes[1:-1]
    )
    return group.taking(taken) if is_whole else None
