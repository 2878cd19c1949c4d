"""The model of one group: what its nodes need travels with them.

Each group has copies of the constants that its nodes read. Those that onnxruntime reads and that
are large stay outside of its models, by name: several groups share one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, TypeProto, defs, helper, numpy_helper

from tvmfuse.frontend.onnx.graph import STANDARD, bits_of
from tvmfuse.frontend.onnx.partition.division import Group
from tvmfuse.frontend.onnx.partition.value_types import value_info
from tvmfuse.frontend.onnx.partition.whole import WholeModel
from tvmfuse.frontend.onnx.plan import captured_names
from tvmfuse.frontend.onnx.without_weights import all_nodes

IR_VERSION: Final = 10
"""Of the file format: the first with all that a graph of one engine may have."""

OPSET: Final = 21
"""Of ONNX's own operators, where a group's are no newer: the first of that format."""

POOLED: Final = 4096
"""Bytes from which on a constant is held once for all groups of onnxruntime."""

OUTSIDE: Final = "weights"
"""Where a tensor of a sub-model lies that is not in it: a name, and no file."""


def sub_model(
    whole: WholeModel, group: Group, types: Mapping[str, TypeProto], number: int
) -> onnx.ModelProto:
    """Return the model of a group.

    Args:
        whole: What it is a part of.
        group: The nodes.
        types: Of its inputs, and as far as they are known of its outputs.
        number: Of the group, for the graph's name.
    """
    nodes = _nodes(whole, group)
    read = {name for node in nodes for name in (*node.input, *captured_names(node))}
    read.update(group.outputs)
    constants = [tensor for name, tensor in whole.initializers.items() if name in read]
    pooled = frozenset() if group.ours else pooled_weights(whole, [group]).keys()
    graph = helper.make_graph(
        nodes,
        f"{whole.proto.graph.name or 'main'}, part {number}",
        [value_info(name, types[name]) for name in group.inputs],
        [_output(name, types, typed=group.ours) for name in group.outputs],
        [_outside(tensor) if tensor.name in pooled else tensor for tensor in constants],
        sparse_initializer=[sparse for name, sparse in whole.sparse.items() if name in read],
    )
    functions = _functions(whole, nodes)
    opsets = whole.proto.opset_import
    if not group.ours and not functions:
        opsets = [_oldest(opset, nodes) for opset in opsets]
    return helper.make_model(
        graph, opset_imports=opsets, functions=functions, ir_version=IR_VERSION
    )


def pooled_weights(whole: WholeModel, groups: Iterable[Group]) -> dict[str, np.ndarray]:
    """Return the large constants that groups of onnxruntime read, each once, by name."""
    read = {
        name
        for group in groups
        if not group.ours
        for node in _nodes(whole, group)
        for name in (*node.input, *captured_names(node))
    }
    return {
        name: numpy_helper.to_array(tensor)
        for name, tensor in whole.initializers.items()
        if name in read and _is_pooled(tensor)
    }


def _oldest(
    opset: onnx.OperatorSetIdProto, nodes: Iterable[onnx.NodeProto]
) -> onnx.OperatorSetIdProto:
    """Return a version from `OPSET` on in which ONNX's operators are what they are in a newer one.

    onnxruntime refuses the newest, whatever the operators are.
    """
    used = {node.op_type for node in all_nodes(nodes) if node.domain in STANDARD}
    if opset.domain not in STANDARD or not all(defs.has(o, opset.version, "") for o in used):
        return opset
    since = (defs.get_schema(o, opset.version, "").since_version for o in used)
    return helper.make_opsetid(opset.domain, min(opset.version, max([OPSET, *since])))


def _nodes(whole: WholeModel, group: Group) -> list[onnx.NodeProto]:
    """Return the nodes of a group, the free ones and those that state constants, in order."""
    named = {*group.nodes, *group.free}
    own = [whole.protos[name] for name in named]
    read = {name for node in own for name in (*node.input, *captured_names(node))}
    read.update(group.outputs)
    named |= {node.name for name, node in whole.stated.items() if name in read}
    return [node for name, node in whole.protos.items() if name in named]


def _is_pooled(tensor: TensorProto) -> bool:
    if tensor.data_type == TensorProto.STRING:
        return False
    native = helper.tensor_dtype_to_np_dtype(tensor.data_type).isbuiltin == 1
    return native and math.prod(tensor.dims) * bits_of(tensor.data_type) >= 8 * POOLED


def _outside(tensor: TensorProto) -> TensorProto:
    place = TensorProto(
        name=tensor.name,
        data_type=tensor.data_type,
        dims=tensor.dims,
        data_location=TensorProto.EXTERNAL,
    )
    place.external_data.add(key="location", value=OUTSIDE)
    return place


def _output(name: str, types: Mapping[str, TypeProto], *, typed: bool) -> onnx.ValueInfoProto:
    """Return an output without a shape; onnxruntime finds out the type as well."""
    if not typed:
        return onnx.ValueInfoProto(name=name)
    # onnx's checker asks for an element type; that of nothing stands for what is not known.
    untyped = helper.make_tensor_type_proto(TensorProto.UNDEFINED, None)
    value = value_info(name, types.get(name, untyped))
    if value.type.HasField("tensor_type"):
        value.type.tensor_type.ClearField("shape")
    return value


def _functions(whole: WholeModel, nodes: Collection[onnx.NodeProto]) -> list[onnx.FunctionProto]:
    """Return the model's functions that some nodes call, and those that these call."""
    known = {(f.domain, f.name, f.overload): f for f in whole.proto.functions}
    found: dict[tuple[str, str, str], onnx.FunctionProto] = {}
    waiting = [*_calls(nodes)]
    while waiting:
        called = waiting.pop()
        if called in known and called not in found:
            found[called] = known[called]
            waiting += _calls(known[called].node)
    return [function for called, function in known.items() if called in found]


def _calls(nodes: Iterable[onnx.NodeProto]) -> Iterator[tuple[str, str, str]]:
    for node in all_nodes(nodes):
        yield node.domain, node.op_type, node.overload
