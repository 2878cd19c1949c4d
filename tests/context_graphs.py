"""Graphs where EPContext nodes of ours stand among others, for onnxruntime."""

from pathlib import Path

import onnx
from onnx import NodeProto, TensorProto, helper


def floats(name: str, *sizes: int | str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)


def context_node(model: Path, inputs: str, outputs: str) -> NodeProto:
    """Return a model's node with other inputs and outputs."""
    (node,) = onnx.load(model).graph.node
    assert isinstance(node, NodeProto)
    del node.input[:], node.output[:]
    node.input.extend(inputs.split())
    node.output.extend(outputs.split())
    return node


def whole(
    nodes: list[NodeProto],
    inputs: list[onnx.ValueInfoProto],
    outputs: list[onnx.ValueInfoProto],
    between: tuple[onnx.ValueInfoProto, ...] = (),
) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "whole", inputs, outputs, value_info=between)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)
