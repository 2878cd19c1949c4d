"""Types of what the operators here make, where onnx's inference does not know them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import onnx
from onnx import TensorProto, TypeProto, defs, helper
from onnx.shape_inference import infer_node_outputs

from tvmfuse.text.node import operator_of

Types: TypeAlias = Mapping[str, TypeProto]


def _encoded(node: onnx.NodeProto, types: Types) -> TypeProto | None:
    """Return the type that LabelEncoder of opset 1 makes: the other one of strings and integers."""
    given = types.get(node.input[0])
    if given is None or not given.tensor_type.HasField("shape"):
        return None
    made = TypeProto()
    made.CopyFrom(given)
    back = given.tensor_type.elem_type == TensorProto.STRING
    made.tensor_type.elem_type = TensorProto.INT64 if back else TensorProto.STRING
    return made


def _tokens(node: onnx.NodeProto, types: Types) -> TypeProto | None:
    given = types.get(node.input[0])
    if given is None or not given.tensor_type.HasField("shape"):
        return None
    made = TypeProto()
    made.CopyFrom(given)
    made.tensor_type.shape.dim.add()
    return made


def _columns(node: onnx.NodeProto, types: Types) -> TypeProto | None:
    """Return the type that ArrayFeatureExtractor makes of a vector."""
    given = types.get(node.input[0])
    if given is None or len(given.tensor_type.shape.dim) != 1:
        return None
    return helper.make_tensor_type_proto(given.tensor_type.elem_type, [1, None])


RULES: Final[Mapping[str, Callable[[onnx.NodeProto, Types], TypeProto | None]]] = {
    "ai.onnx.ml.ArrayFeatureExtractor": _columns,
    "ai.onnx.ml.LabelEncoder": _encoded,
    "com.microsoft.Tokenizer": _tokens,
}


def types_of_outputs(model: onnx.ModelProto) -> dict[str, TypeProto]:
    """Return the types of a model's outputs; one that says nothing, where it does not follow.

    Node by node: onnx ends the process on some graphs whose outputs have no types.
    """
    graph, opsets = model.graph, {o.domain: o.version for o in model.opset_import}
    data = {tensor.name: tensor for tensor in graph.initializer}
    types = {n: helper.make_tensor_type_proto(t.data_type, t.dims) for n, t in data.items()}
    types |= {value.name: value.type for value in graph.input}
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            data[node.output[0]] = node.attribute[0].t
        types |= _inferred(node, types, data, opsets)
        rule, name = RULES.get(operator_of(node)), node.output[0]
        known = types.get(name, TypeProto()).tensor_type.HasField("shape")
        if rule is not None and not known and (made := rule(node, types)) is not None:
            types[name] = made
    return {value.name: types.get(value.name, TypeProto()) for value in graph.output}


def _inferred(
    node: onnx.NodeProto,
    types: Types,
    data: Mapping[str, onnx.TensorProto],
    opsets: Mapping[str, int],
) -> Types:
    """Return what onnx says of a node's results."""
    read = [*filter(None, node.input)]
    version = opsets.get(node.domain, 0)
    if not types.keys() >= {*read} or not defs.has(node.op_type, version, node.domain):
        return {}
    found: Types = infer_node_outputs(
        defs.get_schema(node.op_type, version, node.domain),
        node,
        {name: types[name] for name in read},
        {name: data[name] for name in read if name in data},
        opset_imports=[helper.make_opsetid(*opset) for opset in opsets.items()],
    )
    return found
