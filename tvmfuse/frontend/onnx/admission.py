"""What a model asks for as it is written: asked of the gate before anything is computed of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx.dims import dtype_of_input
from tvmfuse.frontend.onnx.graph import STANDARD, bits_of, branches_of
from tvmfuse.frontend.onnx.inlined_size import InlinedSizes, nested

UNBOUNDED: Final[Mapping[str, tuple[str, ...]]] = {
    "Constant": ("value_int", "value_ints"),
    "Slice": ("starts", "ends"),
    "TfIdfVectorizer": ("pool_int64s",),
    "ai.onnx.ml::Imputer": ("imputed_value_int64s", "replaced_value_int64"),
    "ai.onnx.ml::LabelEncoder": ("keys_int64s", "values_int64s", "default_int64"),
    "ai.onnx.ml::LinearClassifier": ("classlabels_ints",),
    "ai.onnx.ml::OneHotEncoder": ("cats_int64s",),
    "ai.onnx.ml::SVMClassifier": ("classlabels_ints",),
    "ai.onnx.ml::TreeEnsembleClassifier": ("classlabels_int64s",),
}
"""Operator -> integer attributes that are no sizes: numbers, and ends "as far as it goes"."""

TYPES: Final[Mapping[str, tuple[str, ...]]] = {"Cast": ("to",), "EyeLike": ("dtype",)}
"""Operator -> attributes that are an element type, and have to be one."""

LONGEST: Final = 200
"""Letters of a name that an error repeats."""


def admit(model: onnx.ModelProto, gate: Gate) -> None:
    """Ask for all that a model states, whose inputs are tensors of numbers; see `admit_sizes`.

    Raises:
        LimitExceededError: It asks for more than the limits admit.
        MalformedModelError: A function calls itself, a dimension is below 0, or an element type is
            none.
        UnsupportedModelError: An input is no tensor of numbers.
    """
    for value in model.graph.input:
        if value.name:  # `check_names` says the rest
            dtype_of_input(value)
    admit_sizes(model, gate)


def admit_sizes(model: onnx.ModelProto, gate: Gate) -> None:
    """Ask for all that a model states: its nodes, its tensors, and the sizes in its attributes.

    Args:
        model: As it was read.
        gate: Remembers what the weights take.

    Raises:
        LimitExceededError: It asks for more than the limits admit.
        MalformedModelError: A function calls itself, a dimension is below 0, an element type is
            none, or an attribute refers to one of a function that it is not in.
    """
    _admit_nodes(model, gate)
    for value in model.graph.input:
        _admit_value(f"input {value.name!r}", value, gate)
    _admit_initializers(model.graph, gate)
    for node, _ in nested(model.graph.node):
        _check_values(node)
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node, _ in nested(nodes):
            _admit_node(node, gate)


def admit_types(model: onnx.ModelProto, gate: Gate) -> None:
    """Ask for the tensors whose types shape inference has found.

    Raises:
        LimitExceededError: One is more than the limits admit.
    """
    values = (*model.graph.value_info, *model.graph.output)
    types = {value.name: value.type.tensor_type for value in values}
    for node in model.graph.node:
        for name in types.keys() & set(node.output):
            if types[name].HasField("shape"):
                dims = [d.dim_value for d in types[name].shape.dim]
                gate.tensor(f"{name!r} of {said(node)}", dims, bits_of(types[name].elem_type))


def _admit_nodes(model: onnx.ModelProto, gate: Gate) -> None:
    sizes, count, added = InlinedSizes(model.functions), 0, 0
    for node in model.graph.node:
        who, size = said(node), sizes.of(node)
        count += size.nodes
        added += size.bytes
        gate.nesting(who, size.depth)
        gate.nodes(who, count)
        gate.inlined(who, added)


def _admit_value(who: str, value: onnx.ValueInfoProto, gate: Gate) -> None:
    tensor = value.type.tensor_type
    dims = [d.dim_value for d in tensor.shape.dim]
    gate.tensor(who, dims, bits_of(tensor.elem_type))


def _check_dims(who: str, dims: Sequence[int]) -> None:
    for place, dim in enumerate(dims):
        if dim < 0:  # onnx's shape inference aborts the process
            raise MalformedModelError(f"dimension {place} of {who} is {dim}; expected at least 0")


def _check_element(who: str, number: int) -> None:
    if not number or number not in onnx.TensorProto.DataType.values():
        raise MalformedModelError(f"{who}: {number} is no element type of ONNX's")


def _admit_initializers(graph: onnx.GraphProto, gate: Gate) -> None:
    for tensor in graph.initializer:
        if tensor.name:  # `check_names` says the rest
            _admit_tensor(f"initializer {tensor.name!r}", tensor, gate)
    for sparse in graph.sparse_initializer:
        _admit_sparse(f"initializer {sparse.values.name!r}", sparse, gate)


def _admit_tensor(who: str, tensor: onnx.TensorProto, gate: Gate) -> None:
    _check_element(who, tensor.data_type)
    _check_dims(who, tensor.dims)
    bits = bits_of(tensor.data_type)
    if tensor.data_type == onnx.TensorProto.STRING:  # numpy gives each the room of the longest
        bits = 32 * max(map(len, tensor.string_data), default=1)
    gate.weights(who, tensor.dims, bits)


def _admit_sparse(who: str, sparse: onnx.SparseTensorProto, gate: Gate) -> None:
    gate.constant(who, sparse.dims, bits_of(sparse.values.data_type))
    for tensor in (sparse.values, sparse.indices):
        _admit_tensor(who, tensor, gate)


def _admit_node(node: onnx.NodeProto, gate: Gate) -> None:
    who = said(node)
    operator = node.op_type if node.domain in STANDARD else f"{node.domain}::{node.op_type}"
    if operator == "Split":
        _check_parts(who, node)
    unbounded, types = UNBOUNDED.get(operator, ()), TYPES.get(operator, ())
    for attribute in node.attribute:
        if attribute.name in types and not attribute.ref_attr_name:
            _check_element(f"{who}, its attribute {attribute.name!r}", attribute.i)
        if attribute.name not in unbounded:
            for number in (attribute.i, *attribute.ints):
                gate.size(who, f"its attribute {attribute.name!r}", number)
        for tensor in (*_present(attribute, "t"), *attribute.tensors):
            _admit_tensor(who, tensor, gate)
        for sparse in (*_present(attribute, "sparse_tensor"), *attribute.sparse_tensors):
            _admit_sparse(who, sparse, gate)
    for branch in branches_of(node):
        _admit_initializers(branch, gate)
        for value in (*branch.input, *branch.output, *branch.value_info):
            _admit_value(f"{value.name!r} in {who}", value, gate)


def _check_parts(who: str, node: onnx.NodeProto) -> None:
    """Check that there are as many parts as outputs: onnx's shape inference makes room for each."""
    for attribute in node.attribute:
        if attribute.name == "num_outputs" and not attribute.ref_attr_name:
            parts, outputs = attribute.i, len(node.output)
            if parts != outputs:
                raise MalformedModelError(
                    f"{who}: num_outputs is {parts}, and it has {outputs} outputs"
                )


def _check_values(node: onnx.NodeProto) -> None:
    """Check that attributes outside of functions have values."""
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            raise MalformedModelError(
                f"{said(node)}: its attribute {attribute.name!r} refers to the attribute "
                f"{attribute.ref_attr_name!r} of a function, and it is in none; expected a value"
            )


def _present(attribute: onnx.AttributeProto, field: str) -> list[Any]:
    return [getattr(attribute, field)] if attribute.HasField(field) else []


def said(node: onnx.NodeProto) -> str:
    """Name a node in an error.

    >>> said(onnx.helper.make_node("Relu", ["x"], ["y"], name="n"))
    "node 'n' (Relu)"
    """
    name = node.name or ", ".join(node.output)
    short = name if len(name) <= LONGEST else f"{name[:LONGEST]}..."
    return f"node {short!r} ({node.op_type})"
