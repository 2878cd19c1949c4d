"""Types that onnx's inference takes for known: it ends the process where one of them is not.

They are those of what LabelEncoder, DictVectorizer and RegexFullMatch read, which may come from an
operator of another domain.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import onnx
from onnx import TensorProto, helper

from tvmfuse.errors import UnsupportedModelError

READERS: Final = frozenset({"LabelEncoder", "DictVectorizer", "RegexFullMatch"})

KEYS: Final = {
    "keys_strings": TensorProto.STRING,
    "keys_int64s": TensorProto.INT64,
    "keys_floats": TensorProto.FLOAT,
}
"""Attributes that list keys -> their type."""


def state_key_types(model: onnx.ModelProto) -> None:
    """State the element type of what these operators read, where the model says none.

    Raises:
        UnsupportedModelError: It does not follow.
    """
    graph, open_ones = model.graph, list[onnx.NodeProto]()
    readers = [node for node in graph.node if node.op_type in READERS and node.input]
    if not readers:
        return
    stated = {value.name for value in (*graph.input, *graph.value_info)}
    stated |= {tensor.name for tensor in graph.initializer}
    for node in readers:
        if node.input[0] in stated:
            continue
        if kind := _type_of_keys(node):
            stated.add(node.input[0])
            state_type(graph, node.input[0], kind)
        else:
            open_ones.append(node)
    while open_ones:
        known = _known_without(model, open_ones)
        left = [node for node in open_ones if node.input[0] not in known]
        if len(left) == len(open_ones):
            raise UnsupportedModelError(
                f"{left[0].op_type} {left[0].name!r} reads {left[0].input[0]!r}, whose type is not "
                "known"
            )
        open_ones = left


def state_type(graph: onnx.GraphProto, name: str, element: int) -> None:
    """State the element type of a value."""
    kind = helper.make_tensor_type_proto(element, None)
    graph.value_info.append(helper.make_value_info(name, kind))


def _type_of_keys(node: onnx.NodeProto) -> int:
    """Return the type of what a node reads, as it says; 0 if it does not."""
    if node.op_type == "RegexFullMatch":
        return TensorProto.STRING
    types = [KEYS[a.name] for a in node.attribute if a.name in KEYS]
    types += [a.t.data_type for a in node.attribute if a.name == "keys_tensor"]
    return types[0] if types else 0


def _known_without(model: onnx.ModelProto, nodes: Collection[onnx.NodeProto]) -> set[str]:
    """Return the values whose type follows in a model without some nodes."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    names = {node.output[0] for node in nodes}
    del copy.graph.node[:]
    copy.graph.node.extend(n for n in model.graph.node if n.output[0] not in names)
    del copy.graph.output[:]
    found = onnx.shape_inference.infer_shapes(copy).graph
    return {value.name for value in (*found.value_info, *found.input)}
