"""Parts of a model around some of its nodes, each a model of its own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.reference import Feeds, Reference

FOLDED: Final = 64
"""Elements. Integers of at most one axis and this size are shapes, axes and indices: the part gets
them as constants, for kernels are made for them."""


@dataclass(frozen=True)
class Part:
    """A part of a model.

    Attributes:
        graph: Its inputs and outputs have the sizes of the arrays.
        feeds: What the whole model computes for its inputs, by name.
        expected: What the whole model computes for its outputs, by name.
    """

    graph: SourceGraph
    feeds: dict[str, Array]
    expected: dict[str, Array]


def grown(graph: SourceGraph, nodes: Collection[str], steps: int) -> set[str]:
    """Return some nodes of a graph with those that are at most so many edges away.

    Args:
        graph: Of the whole model.
        nodes: Names of nodes.
        steps: From 0.
    """
    found = {node.name for node in graph.nodes if node.name in nodes}
    for _ in range(steps):
        inside = [node for node in graph.nodes if node.name in found]
        made = {name for node in inside for name in node.outputs if name}
        read = {name for node in inside for name in graph.reads(node.name)}
        found |= {
            node.name
            for node in graph.nodes
            if not made.isdisjoint(graph.reads(node.name)) or not read.isdisjoint(node.outputs)
        }
    return found


def part_of(graph: SourceGraph, nodes: Collection[str], feeds: Feeds, reference: Reference) -> Part:
    """Cut nodes out of a model, with the arrays that flow in and out.

    Args:
        graph: Of the whole model.
        nodes: Names of nodes.
        feeds: The model's inputs.
        reference: What computes the arrays.

    Raises:
        ValueError: It cannot be cut out, or what flows in or out is no tensor.
    """
    weights = set(graph.weights) - set(feeds)
    inside = [node for node in graph.nodes if node.name in nodes]
    made = {name for node in inside for name in node.outputs if name}
    enter = dict.fromkeys(
        name for node in inside for name in graph.reads(node.name) if name not in made | weights
    )
    outside = {n for node in graph.nodes if node.name not in nodes for n in graph.reads(node.name)}
    outside |= {*graph.outputs}
    leave = [name for name in made if name in outside]
    arrays = reference.tensors(graph, feeds, [*enter, *leave])
    if missing := [name for name in (*enter, *leave) if name not in arrays]:
        raise ValueError(f"no tensors: {', '.join(missing)}")
    known = {name for name in enter if name not in feeds and _is_shape(arrays[name])}
    fed = {name: arrays[name] for name in enter if name not in known}
    expected = {name: arrays[name] for name in leave}
    return Part(graph.part(fed, expected, {name: arrays[name] for name in known}), fed, expected)


def _is_shape(array: Array) -> bool:
    return np.issubdtype(array.dtype, np.integer) and array.ndim <= 1 and array.size <= FOLDED
