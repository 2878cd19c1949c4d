"""Initializers that a caller may replace: from IR version 4 on, those that are inputs, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import onnx

from tvmfuse.frontend.onnx.operands import VALUE_OPERANDS
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.onnx.without_weights import all_nodes
from tvmfuse.narrow_types import STORAGE

FIRST_IR_VERSION: Final = 4
"""Before, each initializer had to be an input, which said nothing about who may replace it."""

TENSORS_TOO: Final = frozenset({"Clip", "If"})
"""Operators whose value operands need not be known before the model runs."""


def overridable_in(model: onnx.ModelProto) -> frozenset[str]:
    """Return the initializers that a caller may replace.

    One that is of another type or shape than the input of its name says is none of them, nor is one
    of a type without kernels.
    """
    if model.ir_version < FIRST_IR_VERSION:
        return frozenset()
    stated = {i.name: i.type.tensor_type for i in model.graph.input}
    return frozenset(
        t.name for t in model.graph.initializer if t.name in stated and _fits(t, stated[t.name])
    )


def _fits(tensor: onnx.TensorProto, stated: onnx.TypeProto.Tensor) -> bool:
    dims = [d.dim_value if d.HasField("dim_value") else None for d in stated.shape.dim]
    return (
        tensor.data_type == stated.elem_type
        and dtype_name(tensor.data_type) not in STORAGE
        and len(dims) == len(tensor.dims)
        and all(d in (None, size) for d, size in zip(dims, tensor.dims, strict=True))
    )


def giving_shapes(graph_nodes: Iterable[onnx.NodeProto]) -> frozenset[str]:
    """Return the values that say how, not what: from which shapes, axes and counts follow.

    Kernels are made for these, so that nobody can replace them.
    """
    nodes = list(all_nodes(graph_nodes))
    producers = {name: node for node in nodes for name in node.output}
    todo = [
        node.input[place]
        for node in nodes
        if node.op_type not in TENSORS_TOO
        for place in VALUE_OPERANDS.get(node.op_type, ())
        if place < len(node.input)
    ]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        producer = producers.get(name)
        if producer is not None and producer.op_type not in ("Shape", "Size"):
            todo += producer.input
    return frozenset(seen)
