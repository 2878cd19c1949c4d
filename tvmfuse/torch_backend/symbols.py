"""Symbolic sizes of a group that none of its arguments tells, as further arguments."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.fx import GraphModule, Node

from tvmfuse.frontend.torch.fed_numbers import (
    is_number,
    may_be_negative,
    sizes_of,
    symbols_of_sizes,
    told_by_tensors,
)

UNTOLD = "its size {} is told by no argument of the graph"
NEGATIVE = "it takes {} for a size or a place, which may be negative"


def tell_sizes(module: GraphModule, call: Node, group: GraphModule) -> Mapping[str, str]:
    """Give a group the numbers that its symbolic sizes are made of, in place.

    Args:
        module: Calls the group.
        call: That call.
        group: The group.

    Returns:
        Why some of its nodes cannot be compiled, by their names: nothing tells their sizes, or not
        that these are at least 0.
    """
    graph = group.graph
    taken = graph.find_nodes(op="placeholder")
    given = {str(node.meta["val"]) for node in taken if is_number(node)}
    untold = symbols_of_sizes(graph)
    refused = {}
    for symbol in sorted(untold.keys() - told_by_tensors(graph)):
        source = _teller(module, call, symbol)
        if source is None:
            refused[untold[symbol][-1].name] = UNTOLD.format(symbol)
        elif may_be_negative(source.meta["val"]):
            refused.update({n.name: NEGATIVE.format(symbol) for n in untold[symbol]})
        elif symbol not in given:
            last = taken[-1:]
            with graph.inserting_after(*last) if last else graph.inserting_before():
                taken = [*taken, graph.placeholder(symbol)]
            taken[-1].meta["val"] = source.meta["val"]
            call.args = (*call.args, source)
    return refused


def _teller(module: GraphModule, call: Node, symbol: str) -> Node | None:
    """Return a node before a call that is just this symbol, a new one where a tensor has it."""
    node: Node
    for node in module.graph.nodes:
        if node is call:
            return None
        for axis, size in enumerate(sizes_of(node)):
            if str(size) == symbol:
                if not isinstance(node.meta["val"], torch.Tensor):
                    return node
                with module.graph.inserting_before(call):
                    asked: Node = module.graph.call_function(
                        torch.ops.aten.sym_size.int, (node, axis)
                    )
                asked.meta["val"] = size
                return asked
    return None
