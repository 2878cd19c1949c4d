"""A model without its weights: a copy to rename, sort, inline and check."""

from __future__ import annotations

import graphlib
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from typing import Final

import onnx
from onnx import helper

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import branches_of
from tvmfuse.frontend.onnx.plan import captured_names

SMALL: Final = 128
"""Elements. Shape inference may need to read smaller initializers; larger ones are weights."""


def without_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a copy in which weights are inputs, nodes are sorted, and each node has a name.

    Raises:
        MalformedModelError: The graph has a cycle.
    """
    copy = onnx.ModelProto(ir_version=max(model.ir_version, 4))
    copy.opset_import.extend(model.opset_import)
    copy.functions.extend(model.functions)
    graph = copy.graph
    graph.name = model.graph.name or "main"
    graph.node.extend(model.graph.node)
    graph.input.extend(model.graph.input)
    graph.output.extend(model.graph.output)
    stated = {i.name for i in graph.input}
    for tensor in model.graph.initializer:
        if math.prod(tensor.dims) <= SMALL:
            graph.initializer.add().CopyFrom(tensor)
        elif tensor.name not in stated:
            graph.input.append(
                helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            )
    for sparse in model.graph.sparse_initializer:  # onnx finds no shapes in those
        name = sparse.values.name
        graph.node.append(helper.make_node("Constant", [], [name], sparse_value=sparse))
    arrange(graph)
    return copy


def arrange(graph: onnx.GraphProto) -> None:
    """Give each node its own name and a place after what it reads; changes the graph in place."""
    name_nodes(graph)
    sort_nodes(graph)


def all_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """Yield nodes, and those of the graphs inside them."""
    for node in nodes:
        yield node
        for branch in branches_of(node):
            yield from all_nodes(branch.node)


def name_nodes(graph: onnx.GraphProto) -> None:
    """Give each node its own name: `Conv_3` where it has none, `conv_2` where two are called conv.

    Args:
        graph: Is changed in place.
    """
    taken = {node.name for node in all_nodes(graph.node)}
    seen: set[str] = set()
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
    for place, node in enumerate(all_nodes(graph.node)):
        name = node.name or f"{node.op_type}_{place}"
        if name in seen or (not node.name and name in taken):
            numbered = (f"{name}_{number}" for number in numbers[name])
            name = next(n for n in numbered if n not in taken and n not in seen)
        seen.add(name)
        node.name = name


def sort_nodes(graph: onnx.GraphProto) -> None:
    """Put nodes after what they read, and leave their order alone where that holds.

    Args:
        graph: Is changed in place, with the graphs inside its nodes.

    Raises:
        MalformedModelError: The graph has a cycle.
    """
    given = {i.name for i in graph.input} | {t.name for t in graph.initializer}
    producer = {
        o: i for i, node in enumerate(graph.node) for o in node.output if o and o not in given
    }
    waits = [{producer[name] for name in _reads(node) if name in producer} for node in graph.node]
    if any(i in wait or any(w > i for w in wait) for i, wait in enumerate(waits)):
        order = _order(graph.node, waits)
        nodes = [onnx.NodeProto.FromString(graph.node[i].SerializeToString()) for i in order]
        del graph.node[:]
        graph.node.extend(nodes)
    for node in graph.node:
        for branch in branches_of(node):
            sort_nodes(branch)


def _reads(node: onnx.NodeProto) -> Iterator[str]:
    yield from (i for i in node.input if i)
    yield from captured_names(node)


def _order(nodes: Sequence[onnx.NodeProto], waits: Sequence[AbstractSet[int]]) -> list[int]:
    """Return the nodes' indices in an order in which each stands after those it waits for."""
    sorter = graphlib.TopologicalSorter(dict(enumerate(waits)))
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        loop = " -> ".join(repr(nodes[i].name) for i in _from_first(error.args[1]))
        raise MalformedModelError(
            f"the graph has a cycle: {loop}; an ONNX graph has none"
        ) from error
    order: list[int] = []
    while ready := sorted(sorter.get_ready()):
        order += ready
        sorter.done(*ready)
    return order


def _from_first(loop: Sequence[int]) -> list[int]:
    """Turn a cycle, whose first node is its last one, too, so that it starts at the lowest index.

    >>> _from_first([3, 5, 2, 3])
    [2, 3, 5, 2]
    """
    start = loop.index(min(loop))
    return [*loop[start:-1], *loop[:start], loop[start]]
