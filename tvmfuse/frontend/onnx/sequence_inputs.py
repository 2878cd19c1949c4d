"""Inputs that are sequences or optional: each tensor in them is an input of its own.

A caller says of what they are made, as `shapes`: a list of shapes for a sequence, whose elements
are `x[0]`, `x[1]` and so on; a shape for an optional tensor that is there, `x[0]`; None for one
that is absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import onnx
from onnx import helper

from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.onnx.dims import Shapes
from tvmfuse.frontend.onnx.without_weights import all_nodes


def element_name(name: str, place: int) -> str:
    """Return the name of a sequence's element.

    >>> element_name("x", 2)
    'x[2]'
    """
    return f"{name}[{place}]"


def with_tensor_inputs(
    model: onnx.ModelProto, shapes: Mapping[str, Any] | None
) -> tuple[onnx.ModelProto, Shapes | None]:
    """Return a model whose inputs are tensors, as far as `shapes` says of what they are made.

    Args:
        model: Is not changed.
        shapes: Input name -> shape; see above. Elements may differ in their sizes: a name that the
            model gives a dimension of elements ties them to nothing.

    Returns:
        The model, and the shapes of its tensors.

    Raises:
        ConfigurationError: They are not said as is expected, or a sequence is said to be absent.
    """
    given = shapes if isinstance(shapes, Mapping) else {}
    made = {
        value.name
        for value in model.graph.input
        if value.name in given and _kind(value.type) in ("sequence_type", "optional_type")
    }
    if not made:
        return model, shapes
    changed, said = onnx.ModelProto(), dict(given)
    changed.CopyFrom(model)
    del changed.graph.input[:]
    for value in model.graph.input:
        if value.name not in made:
            changed.graph.input.append(value)
            continue
        for tensor, shape in _taken_apart(value, said.pop(value.name), changed.graph):
            changed.graph.input.append(tensor)
            said |= {} if shape is None else {tensor.name: shape}
    return changed, said


def _kind(ty: onnx.TypeProto) -> str | None:
    kind: str | None = ty.WhichOneof("value")
    return kind


def _taken_apart(
    value: onnx.ValueInfoProto, given: Any, graph: onnx.GraphProto
) -> list[tuple[onnx.ValueInfoProto, Any]]:
    """Return the tensors in an input with their shapes; the graph receives what joins them."""
    name, held = value.name, value.type
    if _kind(held) == "sequence_type":
        return _elements(name, name, held, given, graph)
    held = held.optional_type.elem_type
    if given is None:
        _leave_out(name, graph)
        graph.node.append(helper.make_node("Optional", [], [name], type=held))
        return []
    if _kind(held) == "sequence_type":
        inside = f"{name}[:]"
        tensors = _elements(name, inside, held, given, graph)
    else:
        inside = element_name(name, 0)
        tensors = [(_element(inside, held), given)]
    graph.node.append(helper.make_node("Optional", [inside], [name]))
    return tensors


def _elements(
    name: str, sequence: str, ty: onnx.TypeProto, given: Any, graph: onnx.GraphProto
) -> list[tuple[onnx.ValueInfoProto, Any]]:
    """Return the elements of an input with their shapes; the graph receives what joins them."""
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise ConfigurationError(
            f"shapes: {name!r} is to be {given!r}; it holds a sequence: expected a list with the "
            "shape of each element, None for one that is as the model says"
        )
    element = ty.sequence_type.elem_type
    names = [element_name(name, place) for place in range(len(given))]
    dtype = element.tensor_type.elem_type
    empty = helper.make_node("SequenceEmpty", [], [sequence], dtype=dtype)
    graph.node.append(helper.make_node("SequenceConstruct", names, [sequence]) if names else empty)
    return [(_element(n, element), shape) for n, shape in zip(names, given, strict=True)]


def _element(name: str, ty: onnx.TypeProto) -> onnx.ValueInfoProto:
    """Return an input for an element, whose sizes are its own."""
    value = onnx.ValueInfoProto(name=name)
    value.type.CopyFrom(ty)
    for dim in value.type.tensor_type.shape.dim:
        if dim.HasField("dim_param"):
            dim.Clear()
    return value


def _leave_out(absent: str, graph: onnx.GraphProto) -> None:
    """Answer all who ask whether an absent value is there."""
    for node in all_nodes(graph.node):
        if node.op_type == "OptionalHasElement" and absent in node.input:
            no = helper.make_tensor("", onnx.TensorProto.BOOL, [], [False])
            node.CopyFrom(helper.make_node("Constant", [], node.output, node.name, value=no))
