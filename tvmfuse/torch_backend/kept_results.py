"""What a forward graph keeps for the backward one: each value once."""

from __future__ import annotations

from typing import Final

import torch
from torch.fx import Graph, Node

SAME: Final = {torch.ops.aten.detach.default, torch.ops.aten.alias.default}


def keep_values_themselves(graph: Graph, visible: int) -> None:
    """Let a graph keep values instead of tensors that differ from them in their gradients alone.

    Autograd saves ``tanh(x)`` as ``detach(tanh(x))``. In a graph without gradients that is the same
    tensor, and a group that gives both has to copy one of them in each call. As in eager, whoever
    writes to a result that is kept is told so by its version when the gradients are computed.

    Args:
        graph: Functional; its results change in place.
        visible: How many of its results a user sees, the first ones, which stay as they are.
    """
    output = graph.output_node()
    results = output.args[0]
    if not isinstance(results, (tuple, list)):
        return
    kept = [_itself(node) if isinstance(node, Node) else node for node in results[visible:]]
    output.args = ((*results[:visible], *kept),)
    for node in reversed(graph.nodes):
        if node.target in SAME and not node.users:
            graph.erase_node(node)


def _itself(node: Node) -> Node:
    while node.target in SAME:
        (node,) = node.all_input_nodes
    return node
