"""What a graph computes twice is computed once."""

from __future__ import annotations

import struct
from collections.abc import Hashable

import torch
from torch.fx import Graph, Node

from tvmfuse.torch_backend.effects import Sharing, is_operator, is_random, written


def without_repetition(graph: Graph) -> None:
    """Let each value be computed once, in place.

    Arguments are equal where their types and bit patterns are: ``1`` is neither ``True`` nor
    ``1.0``, and ``0.0`` is not ``-0.0``. Random numbers are drawn as often as before, and two
    results that lie apart stay apart: who writes to one must not change the other.
    """
    sharing = Sharing(graph)
    returned = {sharing.of(node) for node in graph.output_node().all_input_nodes}
    first: dict[Hashable, Node] = {}
    for node in list(graph.nodes):
        if not is_operator(node) or is_random(node) or node.is_impure() or written(node):
            continue
        other = first.setdefault(_key(node), node)
        if other is node or {sharing.of(node), sharing.of(other)} <= returned:
            continue
        if returned.intersection((sharing.of(node), sharing.of(other))):
            returned.add(sharing.join(node, other))
        node.replace_all_uses_with(other)
        graph.erase_node(node)


def _key(node: Node) -> Hashable:
    named = sorted(node.kwargs.items())
    return node.target, _exact(node.args), *((name, _exact(value)) for name, value in named)


def _exact(value: object) -> Hashable:
    """Return what is equal only to the same value of the same type."""
    if isinstance(value, Node):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(map(_exact, value))
    if isinstance(value, float):
        return struct.pack("d", value)
    if isinstance(value, complex):
        return struct.pack("dd", value.real, value.imag)
    if isinstance(value, (bool, int, str, torch.dtype, torch.device, type(None))):
        return type(value), value
    return id(value)
