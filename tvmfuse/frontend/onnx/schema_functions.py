"""Operators that have no converter, and that ONNX itself defines by simpler ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import onnx
from onnx import defs

from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx.graph import STANDARD, canonical, opset_of
from tvmfuse.frontend.onnx.inline import inline
from tvmfuse.frontend.onnx.operands import RANDOM
from tvmfuse.frontend.onnx.without_weights import all_nodes

DEFINING: Final = (*STANDARD, "ai.onnx.preview")
"""The domains in which ONNX defines operators by simpler ones."""


def expand_schema_functions(model: onnx.ModelProto, converted: Collection[str], gate: Gate) -> None:
    """Replace operators without a converter by the body that their schema gives.

    Args:
        model: Is changed in place.
        converted: Operators that stay.
        gate: Is asked for the nodes.

    Raises:
        LimitExceededError: It would have more nodes than the limits admit.
    """
    opsets = {canonical(o.domain): o.version for o in model.opset_import}
    changed = True
    while changed:
        types: dict[str, onnx.TypeProto] = {}

        def body(
            node: onnx.NodeProto, types: dict[str, onnx.TypeProto] = types
        ) -> onnx.FunctionProto | None:
            if node.domain not in DEFINING or node.op_type in converted or node.op_type in RANDOM:
                return None
            if not types:
                types.update(_types(model))
            opset = opset_of(node, opsets)
            function = schema_function(node, opset, types)
            if function is not None:
                state_defaults(node, opset)
            return function

        changed = inline(model.graph, body, opsets)
        gate.nodes("what operators stand for", sum(1 for _ in all_nodes(model.graph.node)))


def schema_function(
    node: onnx.NodeProto, opset: int, types: Mapping[str, onnx.TypeProto]
) -> onnx.FunctionProto | None:
    """Return the body that ONNX gives for an operator, or None if it gives none.

    Args:
        node: Of one of ONNX's domains.
        opset: In force for the node.
        types: Of values, by name; the body of some operators depends on them.
    """
    domain = canonical(node.domain)
    if not defs.has(node.op_type, opset, domain):
        return None
    schema: Any = defs.get_schema(node.op_type, opset, domain)
    if schema.has_function:
        version = max(schema.function_opset_versions)
        return _parsed(schema.get_function_with_opset_version(version))
    if not schema.has_context_dependent_function:
        return None
    version = max(schema.context_dependent_function_opset_versions)
    known = [types.get(i, onnx.TypeProto()).SerializeToString() for i in node.input]
    return _parsed(
        schema.get_context_dependent_function_with_opset_version(
            version, node.SerializeToString(), known
        )
    )


def state_defaults(node: onnx.NodeProto, opset: int) -> None:
    """Write down the attributes that the node leaves to their defaults: the body refers to them."""
    stated = {a.name for a in node.attribute}
    schema = defs.get_schema(node.op_type, opset, canonical(node.domain))
    for name, attribute in schema.attributes.items():
        if name not in stated and attribute.default_value.type:
            node.attribute.append(attribute.default_value)


def _parsed(data: bytes) -> onnx.FunctionProto | None:
    function = onnx.FunctionProto.FromString(data)
    return function if function.node else None


def _types(model: onnx.ModelProto) -> dict[str, onnx.TypeProto]:
    graph = onnx.shape_inference.infer_shapes(model).graph
    types = {v.name: v.type for v in (*graph.input, *graph.value_info, *graph.output)}
    for tensor in graph.initializer:
        types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
    return types
