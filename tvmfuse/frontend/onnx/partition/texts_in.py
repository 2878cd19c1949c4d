"""Whether a model has strings, maps or the like, which no kernel holds."""

from __future__ import annotations

from typing import Final

import onnx
from onnx import TensorProto

from tvmfuse.frontend.onnx.partition.labels_apart import is_split
from tvmfuse.frontend.onnx.read import Source, read_without_weights
from tvmfuse.text.movement import MOVEMENT
from tvmfuse.text.node import operator_of
from tvmfuse.text.table import OPERATORS

OF_TEXTS: Final = OPERATORS.keys() - MOVEMENT.keys() - {"Cast"}
"""Operators that read or make such values, whatever they are given."""


def has_texts(source: Source) -> bool:
    """Whether a model has values that are no tensors of numbers, or operators of such.

    Args:
        source: A path, a serialized model, or a model.

    Raises:
        TvmfuseError: What `read_model` raises.
    """
    graph = read_without_weights(source).graph
    return (
        any(map(_is_other, (*graph.input, *graph.output)))
        or any(tensor.data_type == TensorProto.STRING for tensor in graph.initializer)
        or any(operator_of(node) in OF_TEXTS or is_split(node) for node in graph.node)
    )


def _is_other(value: onnx.ValueInfoProto) -> bool:
    kind = value.type
    return (
        kind.tensor_type.elem_type == TensorProto.STRING
        or kind.HasField("sequence_type")
        or (kind.HasField("map_type"))
    )
