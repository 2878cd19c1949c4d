"""Dimensions below 0, which exporters write for sizes that they do not know.

ONNX has none, onnxruntime takes each for unknown, and onnx's shape inference ends the process.
"""

from __future__ import annotations

from collections.abc import Iterator

import onnx

from tvmfuse.frontend.onnx.graph import branches_of
from tvmfuse.frontend.onnx.without_weights import all_nodes

Dimension = onnx.TensorShapeProto.Dimension


def has_negative_sizes(model: onnx.ModelProto) -> bool:
    """Whether a type anywhere in a model states a dimension below 0."""
    return any(_negative(model))


def forget_negative_sizes(model: onnx.ModelProto) -> None:
    """Have each of them be unknown, as one without a name; changes the model in place."""
    for dim in _negative(model):
        dim.ClearField("dim_value")


def _negative(model: onnx.ModelProto) -> Iterator[Dimension]:
    return (d for t in _types(model) for d in _dims(t) if d.dim_value < 0)


def _types(model: onnx.ModelProto) -> Iterator[onnx.TypeProto]:
    yield from _graph_types(model.graph)
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node in all_nodes(nodes):
            for attribute in node.attribute:
                yield from (attribute.tp, *attribute.type_protos)
            for branch in branches_of(node):
                yield from _graph_types(branch)
    for function in model.functions:
        yield from (value.type for value in function.value_info)


def _graph_types(graph: onnx.GraphProto) -> Iterator[onnx.TypeProto]:
    yield from (value.type for value in (*graph.input, *graph.output, *graph.value_info))


def _dims(kind: onnx.TypeProto) -> Iterator[Dimension]:
    yield from (*kind.tensor_type.shape.dim, *kind.sparse_tensor_type.shape.dim)
    for inner in (kind.sequence_type, kind.optional_type):
        if inner.HasField("elem_type"):
            yield from _dims(inner.elem_type)
    if kind.map_type.HasField("value_type"):
        yield from _dims(kind.map_type.value_type)
