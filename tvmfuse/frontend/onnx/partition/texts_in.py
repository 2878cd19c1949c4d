"""Whether a model has strings, maps or what holds such, which no kernel does."""

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
        any(_is_other(value.type) for value in (*graph.input, *graph.output))
        or any(tensor.data_type == TensorProto.STRING for tensor in graph.initializer)
        or any(operator_of(node) in OF_TEXTS or is_split(node) for node in graph.node)
    )


def _is_other(kind: onnx.TypeProto) -> bool:
    """Whether something is a map, strings, or holds such."""
    match kind.WhichOneof("value"):
        case "map_type":
            return True
        case "sequence_type":
            return _is_other(kind.sequence_type.elem_type)
        case "optional_type":
            return _is_other(kind.optional_type.elem_type)
    return bool(kind.tensor_type.elem_type == TensorProto.STRING)
