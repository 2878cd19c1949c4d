"""What has to be computed, and which of it already now: one pass forward, one back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import onnx

from tvmfuse.frontend.onnx.graph import Graph, Node, branches_of
from tvmfuse.frontend.onnx.operands import (
    RANDOM,
    SEQUENCES,
    TYPE_OPERANDS,
    content_operands,
    value_operands,
)
from tvmfuse.frontend.onnx.random_types import RANDOM_TYPES
from tvmfuse.frontend.onnx.value_kernels import KERNELS
from tvmfuse.frontend.onnx.value_movement import CREATES

MAKES_TEXT: Final = frozenset(
    {"Concat", "Expand", "Flatten", "Gather", "Identity", "Reshape", "Slice", "Squeeze"}
    | {"StringConcat", "StringNormalizer", "Tile", "Transpose", "Unique", "Unsqueeze", "Where"}
)
"""Operators that make strings of strings, and not numbers as Equal does."""

CONTROL_FLOW: Final = frozenset({"If", "Loop", "Scan"})


@dataclass(frozen=True)
class Plan:
    """Which part of a graph becomes Relax, and which part is only looked at.

    Attributes:
        needed: Names of the nodes to convert: their outputs are read as tensors.
        known: Names of the values whose numbers follow from constants and shapes alone.
        shape_derived: Those among `known` that come from a shape by simple arithmetic. Read as
            tensors, too, they are computed here and become constants.
        captured: Names from around that are read as tensors.
    """

    needed: frozenset[str]
    known: frozenset[str]
    shape_derived: frozenset[str]
    captured: frozenset[str] = frozenset()


def plan_of(graph: Graph, *, outer: Plan | None = None) -> Plan:
    """Decide for a whole graph.

    Args:
        graph: A main graph, or a branch.
        outer: The plan of the graph that a branch lies in: what is known there is known here.
    """
    known, derived = _forward(graph, outer)
    needed, captured = _backward(graph, known, derived)
    return Plan(*map(frozenset, (needed, known, derived, captured)))


def _forward(graph: Graph, outer: Plan | None) -> tuple[set[str], set[str]]:
    constant = set(graph.constants)
    texts = {name for name, array in graph.constants.items() if array.dtype.kind == "U"}
    known = constant | (set(outer.known) if outer else set())
    derived = set(outer.shape_derived) if outer else set()
    for node in graph.nodes:
        operands = set(content_operands(node))
        if node.op in CONTROL_FLOW | RANDOM | SEQUENCES:
            continue
        outputs = {o for o in node.outputs if o}
        if operands & texts:
            # No tensor holds strings: what follows from them is computed here, or never.
            derived |= outputs if operands <= constant else set()
            texts |= outputs if node.op in MAKES_TEXT else set()
        if not operands and node.op in TYPE_OPERANDS:
            known |= outputs
            derived |= outputs
        elif operands <= constant:
            constant |= outputs
            known |= outputs
        elif operands <= known and node.op in KERNELS:
            known |= outputs
            if node.op not in CREATES and operands <= constant | derived:
                derived |= outputs
    return known, derived


def _backward(graph: Graph, known: set[str], derived: set[str]) -> tuple[set[str], set[str]]:
    needed, captured = set[str](), set[str]()
    seen: set[tuple[str, bool]] = set()
    todo = [(name, name in derived) for name in graph.outputs]
    while todo:
        wanted = todo.pop()
        node = graph.producers.get(wanted[0])
        if node is None and not wanted[1] and wanted[0] and wanted[0] not in graph.constants:
            captured.add(wanted[0])
        if node is None or wanted in seen:
            continue
        seen.add(wanted)
        as_value = wanted[1]
        if not as_value:
            needed.add(node.name)
        todo += _wanted(graph, node, known, derived, as_value=as_value)
    return needed, captured


def _wanted(
    graph: Graph, node: Node, known: set[str], derived: set[str], *, as_value: bool
) -> Iterator[tuple[str, bool]]:
    """Yield what a node reads, and whether its value or its tensor is wanted."""
    positions, types = value_operands(node), TYPE_OPERANDS.get(node.op, ())
    for position, name in enumerate(node.inputs):
        producer = graph.producers.get(name)
        if position in types and producer and producer.op in RANDOM_TYPES:
            yield from ((operand, False) for operand in producer.inputs)
        elif as_value and position not in types:
            yield name, True
        else:
            yield name, name in derived or (position in positions and name in known)
    for name in captured_names(node.proto):
        yield name, name in derived


def captured_names(node: onnx.NodeProto) -> Iterator[str]:
    """Yield the outer values that the graphs inside a node read."""
    for branch in branches_of(node):
        local = {i.name for i in branch.input} | {t.name for t in branch.initializer}
        local |= {o for inner in branch.node for o in inner.output}
        for inner in branch.node:
            yield from (i for i in inner.input if i and i not in local)
            yield from (c for c in captured_names(inner) if c not in local)
        yield from (o.name for o in branch.output if o.name not in local)


def read_by(node: Node) -> set[str]:
    """Return what a node reads, and what the graphs inside it do."""
    return {*node.inputs, *captured_names(node.proto)} - {""}


def read_in(graph: Graph) -> set[str]:
    """Return what the nodes of a graph and its caller read."""
    return {*graph.outputs}.union(*map(read_by, graph.nodes))
