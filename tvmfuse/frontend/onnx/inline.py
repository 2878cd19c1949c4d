"""Functions give way to their bodies: those of the model, and those of ONNX's own operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import OPSET_KEY, branches_of, canonical

DEEPEST: Final = 64
"""Functions inside functions. ONNX forbids recursion, and nothing sensible is nested this far."""

Nodes = onnx.GraphProto | onnx.FunctionProto
"""What has nodes, in an order that is theirs to change."""
Body = Callable[[onnx.NodeProto], onnx.FunctionProto | None]
"""Gives a node's function, or None where the node stays as it is."""


def inline_model_functions(model: onnx.ModelProto) -> None:
    """Replace calls of the model's functions by their bodies.

    Args:
        model: Is changed in place; it has no functions afterwards.

    Raises:
        MalformedModelError: A function calls itself.
    """
    functions = {(f.domain, f.name, f.overload): f for f in model.functions}

    def body(node: onnx.NodeProto) -> onnx.FunctionProto | None:
        return functions.get((node.domain, node.op_type, node.overload))

    inline(model.graph, body, {canonical(o.domain): o.version for o in model.opset_import})
    for function in model.functions:
        known = {canonical(o.domain) for o in model.opset_import}
        model.opset_import.extend(
            o for o in function.opset_import if canonical(o.domain) not in known
        )
    del model.functions[:]


def inline(graph: Nodes, body: Body, opsets: Mapping[str, int], depth: int = 0) -> bool:
    """Replace nodes that have a function by its body, until none has one.

    A node inside is called `outer/inner`, and so are the values that only the body sees.

    Args:
        graph: A graph or a function. Is changed in place, with the graphs inside its nodes.
        body: Looks up a node's function.
        opsets: Domain -> version of the graph's nodes.
        depth: How many functions this graph lies in.

    Returns:
        Whether anything was replaced.
    """
    changed = False
    todo = [(node, depth) for node in reversed(graph.node)]
    done: list[onnx.NodeProto] = []
    while todo:
        node, level = todo.pop()
        for branch in branches_of(node):
            changed |= inline(branch, body, opsets, level)
        function = body(node)
        if function is None:
            done.append(node)
            continue
        if level >= DEEPEST:
            raise MalformedModelError(
                f"node {node.name!r}: function {function.name!r} calls itself; ONNX forbids that"
            )
        changed = True
        todo += [(inner, level + 1) for inner in reversed(expand(node, function, opsets))]
    if changed:
        nodes = [_copy(n) for n in done]
        del graph.node[:]
        graph.node.extend(nodes)
    return changed


def expand(
    node: onnx.NodeProto, function: onnx.FunctionProto, opsets: Mapping[str, int]
) -> list[onnx.NodeProto]:
    """Return the body of a function as this node calls it."""
    renaming = _Renaming(node, function)
    nodes = [renaming.node(inner, place) for place, inner in enumerate(function.node)]
    versions = {canonical(o.domain): o.version for o in function.opset_import}
    for inner in nodes:
        _say_opset(inner, versions, opsets)
    return [*nodes, *renaming.forwarded()]


def _say_opset(
    node: onnx.NodeProto, versions: Mapping[str, int], opsets: Mapping[str, int]
) -> None:
    domain = canonical(node.domain)
    if domain in versions and versions[domain] != opsets.get(domain):
        node.metadata_props.add(key=OPSET_KEY, value=str(versions[domain]))
    for branch in branches_of(node):
        for inner in branch.node:
            _say_opset(inner, versions, opsets)


def _copy(proto: onnx.NodeProto) -> onnx.NodeProto:
    copy = onnx.NodeProto()
    copy.CopyFrom(proto)
    return copy


class _Renaming:
    """How the names and attributes of a function's body become those of its caller."""

    def __init__(self, caller: onnx.NodeProto, function: onnx.FunctionProto) -> None:
        self._caller = caller
        self._function = function
        self._names = dict.fromkeys(function.input, "")
        self._names.update(zip(function.input, caller.input, strict=False))
        self._outputs = [
            (formal, actual)
            for formal, actual in zip(function.output, caller.output, strict=False)
            if actual
        ]
        self._names |= {f: a for f, a in self._outputs if f not in self._names}
        self._attributes = {a.name: a for a in function.attribute_proto}
        self._attributes |= {a.name: a for a in caller.attribute}

    def node(self, inner: onnx.NodeProto, place: int) -> onnx.NodeProto:
        """Return a node of the body, renamed."""
        node = _copy(inner)
        node.name = f"{self._caller.name}/{inner.name or f'{inner.op_type}_{place}'}"
        self._rename(node)
        return node

    def forwarded(self) -> Iterable[onnx.NodeProto]:
        """Yield an Identity for each output that is an input of the function."""
        for formal, actual in self._outputs:
            if formal in self._function.input:
                name = f"{self._caller.name}/{actual}"
                yield onnx.helper.make_node("Identity", [self._names[formal]], [actual], name)

    def _rename(self, node: onnx.NodeProto) -> None:
        node.input[:] = [self._name(i) for i in node.input]
        node.output[:] = [self._name(o) for o in node.output]
        attributes = [self._attribute(a) for a in node.attribute]
        del node.attribute[:]
        node.attribute.extend(a for a in attributes if a is not None)
        for branch in branches_of(node):
            self._rename_graph(branch)

    def _rename_graph(self, graph: onnx.GraphProto) -> None:
        for value in [*graph.input, *graph.output, *graph.initializer, *graph.value_info]:
            value.name = self._name(value.name)
        for place, node in enumerate(graph.node):
            node.name = f"{self._caller.name}/{node.name or f'{node.op_type}_{place}'}"
            self._rename(node)

    def _name(self, name: str) -> str:
        if not name:
            return ""
        return self._names.setdefault(name, f"{self._caller.name}/{name}")

    def _attribute(self, attribute: onnx.AttributeProto) -> onnx.AttributeProto | None:
        if not attribute.ref_attr_name:
            return attribute
        given = self._attributes.get(attribute.ref_attr_name)
        if given is None:
            return None
        if given.type != attribute.type:
            kinds = onnx.AttributeProto.AttributeType
            raise MalformedModelError(
                f"node {self._caller.name!r}: its function {self._function.name!r} takes the "
                f"attribute {given.name!r} as {kinds.Name(attribute.type)}, found "
                f"{kinds.Name(given.type)}"
            )
        copy = onnx.AttributeProto()
        copy.CopyFrom(given)
        copy.name = attribute.name
        return copy
