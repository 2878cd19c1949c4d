"""A model in float32 in which each layer can be quantized alone, by a switch.

A layer is a node whose operands the quantizer rounds: what it reads, its weights, and what it hands
to the caller. In front of each stands an If: one branch rounds the operand as the quantized model
does, with its scale and zero point; the other hands it on. So one session answers for each set of
layers what it does to the outputs, and neither weights nor ranges are computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from tvmfuse.quantization.quantizer import Pair

SWITCHES: Final = "tvmfuse.switches"
"""The input that says which layers are quantized: one boolean for each."""

MOVES: Final = (
    "Expand", "Flatten", "Identity", "MaxPool", "Reshape", "Slice", "Split", "Squeeze", "Transpose",
    "Unsqueeze",
)  # fmt: skip
"""Operators whose result has their operand's scale: what they read is rounded by its readers."""

Rounding = Callable[[str], list[NodeProto]]
"""Makes of a value's name the nodes that round it; the last one's output is the rounded value."""


@dataclass(frozen=True)
class Layer:
    """A node that is quantized."""

    name: str
    op: str


@dataclass(frozen=True, eq=False)
class Switched:
    """A model with switches.

    Attributes:
        model: In float32; `SWITCHES` is an input of it.
        layers: What the switches are for, in their order.
    """

    model: onnx.ModelProto
    layers: tuple[Layer, ...]


def switched(pair: Pair) -> Switched:
    """Put switches into a model, for what became of it when it was quantized."""
    dynamic, without = pair.settings.mode == "dynamic", {*pair.settings.exclude}
    model = onnx.ModelProto()
    model.CopyFrom(pair.prepared)
    graph, build = model.graph, _Builder(pair.quantized.graph)
    roundings = build.dynamic if dynamic else build.static
    nodes: list[NodeProto] = []
    for node in graph.node:
        found = [] if node.op_type in MOVES or node.name in without else roundings(node)
        for place, rounding in found:
            nodes += build.switch(node, node.input[place], rounding)
            node.input[place] = nodes[-1].output[0]
        nodes.append(node)
        for place, name in enumerate(node.output):
            last = None if dynamic else build.of_result(name, graph.output)
            if last is not None:
                node.output[place] = f"{name}/unrounded"
                nodes += build.switch(node, node.output[place], last, name)
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(kept)
    taken = {tensor.name for tensor in graph.initializer}
    graph.initializer.extend(tensor for tensor in build.constants() if tensor.name not in taken)
    layers = tuple(build.layers.values())
    graph.input.append(helper.make_tensor_value_info(SWITCHES, TensorProto.BOOL, [len(layers)]))
    return Switched(model, layers)


@dataclass
class _Builder:
    """Builds switches from a quantized graph.

    Attributes:
        graph: The quantized one.
        layers: By the names of their nodes, in the order of their switches.
    """

    graph: onnx.GraphProto
    layers: dict[str, Layer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._initializers = {tensor.name: tensor for tensor in self.graph.initializer}
        self._producers = {out: node for node in self.graph.node for out in node.output}
        self._nodes = {node.name: node for node in self.graph.node}
        self._read: dict[str, TensorProto] = {}
        self._count = 0

    def constants(self) -> Iterator[TensorProto]:
        """Yield the initializers that switches read."""
        yield from self._read.values()
        for place, name in enumerate(self.layers):
            yield numpy_helper.from_array(np.array(place), _place_of(name))

    def static(self, node: NodeProto) -> list[tuple[int, Rounding]]:
        """Return which operands of a node are rounded in a QDQ graph, and how."""
        twin = self._nodes.get(node.name)
        if twin is None or twin.op_type != node.op_type:
            return []
        found = ((i, self._dequantized(name)) for i, name in enumerate(twin.input))
        return [(i, rounding) for i, rounding in found if rounding is not None]

    def dynamic(self, node: NodeProto) -> list[tuple[int, Rounding]]:
        """Return the same for a graph whose activations are quantized as they come."""
        weights = 0 if node.op_type == "Gather" else 1
        twin = self._nodes.get(node.name)
        if node.op_type not in ("Conv", "MatMul", "Gather") or (
            twin is not None and twin.input[:] == node.input[:]
        ):
            return []
        names = [f"{node.input[weights]}_{part}" for part in ("quantized", "scale", "zero_point")]
        if not {*names} <= self._initializers.keys():
            return []
        # A Conv's channels are its weights' first axis, a MatMul's their last one.
        axis = 0 if node.op_type == "Conv" else len(self._initializers[names[0]].dims) - 1
        self._keep(names)
        found: list[tuple[int, Rounding]] = [
            (
                weights,
                lambda _: [helper.make_node("DequantizeLinear", names, ["rounded"], axis=axis)],
            )
        ]
        return found if node.op_type == "Gather" else [(0, _rounded_as_it_comes), *found]

    def of_result(self, name: str, outputs: Sequence[onnx.ValueInfoProto]) -> Rounding | None:
        """Return how a value is rounded that is handed to the caller; None where it is not."""
        return self._dequantized(name) if any(o.name == name for o in outputs) else None

    def _dequantized(self, name: str) -> Rounding | None:
        """Return how the value came about that a quantized graph dequantizes to this one."""
        last = self._producers.get(name)
        if last is None or last.op_type != "DequantizeLinear":
            return None
        first = self._producers.get(last.input[0])
        self._keep(last.input)
        if first is None:
            return lambda _: [_copy(last, last.input[0], "rounded")]
        self._keep(first.input)
        return lambda value: [
            _copy(first, value, "integers"), _copy(last, "integers", "rounded")
        ]  # fmt: skip

    def _keep(self, names: Sequence[str]) -> None:
        self._read |= {n: self._initializers[n] for n in names if n in self._initializers}

    def switch(
        self, node: NodeProto, value: str, rounding: Rounding, result: str = ""
    ) -> list[NodeProto]:
        """Return the nodes of a switch in front of a value, or behind it.

        Args:
            node: Whose switch it is.
            value: Its operand, or result.
            rounding: How it is rounded.
            result: What the switch's own result is called.
        """
        name = node.name
        self.layers.setdefault(name, Layer(name, node.op_type))
        self._count += 1
        stem = f"{SWITCHES}/{self._count}"
        branches = {
            "then_branch": _branch(f"{stem}/on", rounding(value)),
            "else_branch": _branch(
                f"{stem}/off", [helper.make_node("Identity", [value], ["same"])]
            ),
        }
        return [
            helper.make_node("Gather", [SWITCHES, _place_of(name)], [f"{stem}/is_on"]),
            helper.make_node("If", [f"{stem}/is_on"], [result or f"{stem}/value"], **branches),
        ]


def _place_of(layer: str) -> str:
    return f"{SWITCHES}/place of {layer}"


def _rounded_as_it_comes(value: str) -> list[NodeProto]:
    parts = ["integers", "scale", "zero_point"]
    return [
        helper.make_node("DynamicQuantizeLinear", [value], parts),
        helper.make_node("DequantizeLinear", parts, ["rounded"]),
    ]


def _copy(node: NodeProto, operand: str, result: str) -> NodeProto:
    copy = NodeProto()
    copy.CopyFrom(node)
    copy.input[0], copy.output[0] = operand, result
    return copy


def _branch(name: str, nodes: Sequence[NodeProto]) -> onnx.GraphProto:
    """Return a branch whose own values have names that nothing else has."""
    own = {out: f"{name}/{out}" for node in nodes for out in node.output}
    for node in nodes:
        node.input[:] = [own.get(n, n) for n in node.input]
        node.output[:] = [own[n] for n in node.output]
    last = helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)
    return helper.make_graph(nodes, name, [], [last])
