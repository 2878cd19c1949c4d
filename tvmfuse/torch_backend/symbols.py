"""Symbolic sizes of a group that none of its arguments tells, as further arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch.fx import GraphModule, Node

UNTOLD = "its size {} is told by no argument of the graph"


def tell_sizes(module: GraphModule, call: Node, group: GraphModule) -> Mapping[str, str]:
    """Give a group the numbers that its symbolic sizes are made of, in place.

    A tensor whose first size is ``s0`` tells ``s0``, and one of ``4*s0`` elements does not.

    Args:
        module: Calls the group.
        call: That call.
        group: The group.

    Returns:
        Why some of its nodes cannot be compiled, by their names: nothing tells their sizes.
    """
    told = {str(size) for node in group.graph.find_nodes(op="placeholder") for size in _sizes(node)}
    needed = {
        symbol: node.name
        for node in group.graph.nodes
        for size in _sizes(node)
        if isinstance(size, torch.SymInt)
        for symbol in map(str, size.node.expr.free_symbols)
    }
    refused = {}
    for symbol in sorted(needed.keys() - told):
        source = _teller(module, call, symbol)
        if source is None:
            refused[needed[symbol]] = UNTOLD.format(symbol)
            continue
        last = group.graph.find_nodes(op="placeholder")[-1:]
        with group.graph.inserting_after(*last) if last else group.graph.inserting_before():
            group.graph.placeholder(symbol).meta["val"] = source.meta["val"]
        call.args = (*call.args, source)
    return refused


def _teller(module: GraphModule, call: Node, symbol: str) -> Node | None:
    """Return a node before a call that is just this symbol, a new one where a tensor has it."""
    node: Node
    for node in module.graph.nodes:
        if node is call:
            return None
        for axis, size in enumerate(_sizes(node)):
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


def _sizes(node: Node) -> Iterator[int | torch.SymInt]:
    value = node.meta.get("val")
    for part in value if isinstance(value, (tuple, list)) else (value,):
        if isinstance(part, torch.Tensor):
            yield from part.shape
        elif isinstance(part, torch.SymInt):
            yield part
