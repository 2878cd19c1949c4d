"""Parts of a model around some of its nodes, each a model of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.utils import Extractor

from tvmfuse.frontend.onnx.plan import captured_names
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.reference import Feeds, Reference

FOLDED: Final = 64
"""Elements. Integers of at most one axis and this size are shapes, axes and indices: the part gets
them as constants, for kernels are made for them."""


@dataclass(frozen=True)
class Part:
    """A part of a model.

    Attributes:
        model: Its inputs and outputs have the sizes of the arrays.
        feeds: What the whole model computes for its inputs, by name.
        expected: What the whole model computes for its outputs, by name.
    """

    model: onnx.ModelProto
    feeds: dict[str, Array]
    expected: dict[str, Array]


def grown(graph: onnx.GraphProto, nodes: Collection[str], steps: int) -> set[str]:
    """Return some nodes of a graph with those that are at most so many edges away.

    Args:
        graph: Each of its nodes has a name.
        nodes: Names of nodes.
        steps: From 0.
    """
    found = {node.name for node in graph.node if node.name in nodes}
    for _ in range(steps):
        inside = [node for node in graph.node if node.name in found]
        made = {name for node in inside for name in node.output if name}
        read = {name for node in inside for name in _reads(node)}
        found |= {
            node.name
            for node in graph.node
            if not made.isdisjoint(_reads(node)) or not read.isdisjoint(node.output)
        }
    return found


def part_of(
    model: onnx.ModelProto, nodes: Collection[str], feeds: Feeds, reference: Reference
) -> Part:
    """Cut nodes out of a model, with the arrays that flow in and out.

    Args:
        model: Each of its nodes has a name. It holds no sparse initializers.
        nodes: Names of nodes.
        feeds: The model's inputs.
        reference: What computes the arrays.

    Raises:
        ValueError: onnx cannot cut it out, or what flows in or out is no tensor.
    """
    graph = model.graph
    weights = {t.name for t in graph.initializer} - set(feeds)
    constants = [n for n in graph.node if n.op_type == "Constant"]
    weights |= {name for node in constants for name in node.output}
    inside = [n for n in graph.node if n.name in nodes and n.op_type != "Constant"]
    made = {name for node in inside for name in node.output if name}
    enter = dict.fromkeys(
        name for node in inside for name in _reads(node) if name not in made | weights
    )
    outside = {n for node in graph.node if node.name not in nodes for n in _reads(node)}
    outside |= {output.name for output in graph.output}
    leave = [name for name in made if name in outside]
    arrays = reference.tensors(model, feeds, [*enter, *leave])
    if missing := [name for name in (*enter, *leave) if name not in arrays]:
        raise ValueError(f"no tensors: {', '.join(missing)}")
    known = {name for name in enter if name not in feeds and _is_shape(arrays[name])}
    cut = _extracted(model, enter, leave, arrays)
    _fix(cut.graph, known, arrays)
    fed = {name: arrays[name] for name in enter if name not in known}
    return Part(cut, fed, {name: arrays[name] for name in leave})


def _extracted(
    model: onnx.ModelProto, enter: Iterable[str], leave: Iterable[str], arrays: Feeds
) -> onnx.ModelProto:
    """Let onnx cut between tensors, to which it is told the types that the arrays have."""
    sized = onnx.ModelProto()
    sized.CopyFrom(model)
    graph = sized.graph
    for values in (graph.value_info, graph.input, graph.output):
        del values[:]
    graph.value_info.extend(_sized(name, arrays[name]) for name in (*enter, *leave))
    return Extractor(sized).extract_model(list(enter), list(leave))


def _fix(graph: onnx.GraphProto, known: Collection[str], arrays: Feeds) -> None:
    """Make these inputs constants; changes the graph in place."""
    for value in [i for i in graph.input if i.name in known]:
        graph.input.remove(value)
    graph.initializer.extend(numpy_helper.from_array(arrays[name], name) for name in known)
    del graph.value_info[:]


def _sized(name: str, array: Array) -> onnx.ValueInfoProto:
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, kind, array.shape)


def _is_shape(array: Array) -> bool:
    return np.issubdtype(array.dtype, np.integer) and array.ndim <= 1 and array.size <= FOLDED


def _reads(node: onnx.NodeProto) -> list[str]:
    return [name for name in (*node.input, *captured_names(node)) if name]
