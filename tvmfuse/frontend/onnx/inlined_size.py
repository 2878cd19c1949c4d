"""How large a model gets once functions have given way to their bodies, without doing it.

A function that calls two functions that call two functions is small in the file, and as a graph
larger than any memory: the sizes are added up here, each function's once.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import branches_of

Key = tuple[str, str, str]
"""Domain, name and overload of a function."""


@dataclass(frozen=True)
class InlinedSize:
    """What a node becomes, or the nodes of a function's body.

    Attributes:
        nodes: How many nodes.
        depth: How many functions, If, Loop and Scan they lie in at the deepest place.
        bytes: What bodies bring along.
        names: How often a name of the caller is written into them.
        references: How often the attributes of the caller are.
    """

    nodes: int = 0
    depth: int = 0
    bytes: int = 0
    names: int = 0
    references: int = 0


class InlinedSizes:
    """The sizes of a model's functions.

    Args:
        functions: The model's.

    Raises:
        MalformedModelError: One calls itself.
    """

    def __init__(self, functions: Sequence[onnx.FunctionProto]) -> None:
        self._of_function: dict[Key, InlinedSize] = {}
        bodies = {(f.domain, f.name, f.overload): f for f in functions}
        for key in _callees_first(bodies):
            function = bodies[key]
            size = self._of_nodes(
                function.node, sum(a.ByteSize() for a in function.attribute_proto)
            )
            self._of_function[key] = replace(
                size,
                depth=size.depth + 1,
                bytes=size.bytes + sum(node.ByteSize() for node in function.node),
            )

    def of(self, node: onnx.NodeProto) -> InlinedSize:
        """Return what a node of the main graph becomes, with the nodes inside it."""
        return self._of_nodes([node], 0)

    def _of_nodes(self, nodes: Iterable[onnx.NodeProto], defaults: int) -> InlinedSize:
        """Add up what nodes become; `defaults` are the bytes of attributes that they refer to."""
        total = InlinedSize()
        for node, depth in nested(nodes):
            callee = self._of_function.get(_key(node), _NODE)
            refs = sum(1 for a in node.attribute if a.ref_attr_name)
            longest = 1 + max(map(len, (node.name, *node.input, *node.output)))
            attributes = sum(a.ByteSize() for a in node.attribute) + refs * defaults
            total = InlinedSize(
                nodes=total.nodes + callee.nodes,
                depth=max(total.depth, depth + callee.depth),
                bytes=total.bytes
                + refs * defaults
                + callee.bytes
                + callee.names * longest
                + callee.references * attributes,
                names=total.names + _names(node) + callee.names,
                references=total.references + refs * (1 + callee.references),
            )
        return total


_NODE = InlinedSize(nodes=1)


def _callees_first(bodies: Mapping[Key, onnx.FunctionProto]) -> list[Key]:
    calls = {k: {_key(n) for n, _ in nested(f.node)} & bodies.keys() for k, f in bodies.items()}
    try:
        return list(graphlib.TopologicalSorter(calls).static_order())
    except graphlib.CycleError as error:
        name = error.args[1][0][1]
        raise MalformedModelError(f"function {name!r} calls itself; ONNX forbids that") from error


def nested(nodes: Iterable[onnx.NodeProto]) -> Iterator[tuple[onnx.NodeProto, int]]:
    """Yield nodes and those of the graphs inside them, with how many graphs each lies in."""
    todo = [iter([(node, 0) for node in nodes])]
    while todo:
        found = next(todo[-1], None)
        if found is None:
            todo.pop()
            continue
        yield found
        inner = [(n, found[1] + 1) for branch in branches_of(found[0]) for n in branch.node]
        if inner:
            todo.append(iter(inner))


def _key(node: onnx.NodeProto) -> Key:
    return node.domain, node.op_type, node.overload


def _names(node: onnx.NodeProto) -> int:
    inside = sum(
        len(b.input) + len(b.output) + len(b.initializer) + len(b.value_info)
        for b in branches_of(node)
    )
    return 1 + len(node.input) + len(node.output) + inside
