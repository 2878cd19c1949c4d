"""The types of random tensors: all that is known of them, and all that Shape wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from onnx import TensorProto

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.symbols import Dim

Type = tuple[tuple[Dim, ...], str]


def _stated(node: Node, type_of: Callable[[str], Type]) -> Type:
    del type_of
    element_type = node.attributes.get("dtype", TensorProto.FLOAT)
    return tuple(node.attributes["shape"]), dtype_name(element_type)


def _like_operand(node: Node, type_of: Callable[[str], Type]) -> Type:
    shape, dtype = type_of(node.inputs[0])
    element_type = node.attributes.get("dtype")
    return shape, dtype if element_type is None else dtype_name(element_type)


RANDOM_TYPES: Final[Mapping[str, Callable[[Node, Callable[[str], Type]], Type]]] = {
    "Bernoulli": _like_operand,
    "RandomNormal": _stated,
    "RandomNormalLike": _like_operand,
    "RandomUniform": _stated,
    "RandomUniformLike": _like_operand,
}
"""Random operator -> its result's type, from the node and the types of what it reads."""
