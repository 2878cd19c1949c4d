"""An ONNX model as `ir.source_graph` asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.shape_inference import infer_shapes
from onnx.utils import Extractor

from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx.admission import admit
from tvmfuse.frontend.onnx.check import check_text
from tvmfuse.frontend.onnx.graph import STANDARD, Graph, Node, canonical, opset_of, read_graph
from tvmfuse.frontend.onnx.importer import prepared
from tvmfuse.frontend.onnx.plan import captured_names
from tvmfuse.frontend.onnx.read import Source, read_model
from tvmfuse.frontend.onnx.without_weights import arrange
from tvmfuse.ir.source_graph import Array
from tvmfuse.limits import Limits


@dataclass(frozen=True, eq=False)
class OnnxGraph:
    """A model's graph as the model has it.

    Attributes:
        source: The model; each of its nodes has a name of its own, and stands after what it reads.
        original: The model as it was given.
        limits: How much it may ask for.
    """

    source: onnx.ModelProto
    original: onnx.ModelProto
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, source: Source, limits: Limits | None = None) -> Self:
        """Read a model.

        Raises:
            ModelError: There is no such model, it is malformed, or it exceeds the limits.
        """
        original, model = read_model(source), onnx.ModelProto()
        check_text(original)
        admit(original, Gate(limits))
        model.CopyFrom(original)
        arrange(model.graph)
        return cls(model, original, limits or Limits())

    def serialized(self) -> bytes:
        """Return `source` as a file holds it."""
        content: bytes = self.source.SerializeToString()
        return content

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes; constants are none."""
        there = (n for n in self.source.graph.node if not _is_constant(n))
        return tuple(Node(node.name, opset_of(node, self.opsets), node) for node in there)

    @cached_property
    def opsets(self) -> Mapping[str, int]:
        """Domain -> version."""
        return {canonical(o.domain): int(o.version) for o in self.source.opset_import}

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of what a caller feeds."""
        return tuple(i.name for i in self.source.graph.input)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The names of what the model returns."""
        return tuple(o.name for o in self.source.graph.output)

    @cached_property
    def weights(self) -> frozenset[str]:
        """The names of the constants."""
        graph = self.source.graph
        made = {name for node in graph.node if _is_constant(node) for name in node.output}
        return frozenset(made | {t.name for t in graph.initializer})

    @cached_property
    def constants(self) -> Mapping[str, np.ndarray]:
        """The constants' values, by name."""
        graph = self.source.graph
        return read_graph(graph, graph.initializer, self.opsets).constants

    @cached_property
    def producers(self) -> Mapping[str, Node]:
        """Which node makes a value."""
        return {name: node for node in self.nodes for name in node.outputs if name}

    @cached_property
    def _by_name(self) -> Mapping[str, Node]:
        return {node.name: node for node in self.nodes}

    def reads(self, name: str) -> tuple[str, ...]:
        """Name the values that a node reads, once each, with those that its branches capture."""
        node = self._by_name[name]
        named = (*filter(None, node.inputs), *captured_names(node.proto))
        return tuple(dict.fromkeys(named))

    def expanded(self) -> OnnxGraph:
        """Return the graph as it is imported: functions are inlined, operators expanded."""
        checked = prepared(self.original, Gate(self.limits))
        opsets = {canonical(o.domain): int(o.version) for o in checked.opset_import}
        graph = read_graph(checked.graph, self.original.graph.initializer, opsets)
        return ExpandedGraph(self, graph, opsets)

    def alone(self, name: str, arrays: Mapping[str, Array]) -> onnx.ModelProto:
        """Return a model of one node, whose inputs are all that it reads."""
        node = self._by_name[name]
        versions = {**self.opsets, node.proto.domain: node.opset}
        inputs = [_value(read, array) for read, array in arrays.items()]
        outputs = [onnx.ValueInfoProto(name=made) for made in node.outputs if made]
        imports = [helper.make_opsetid(domain, version) for domain, version in versions.items()]
        return helper.make_model(
            helper.make_graph([node.proto], node.name, inputs, outputs),
            opset_imports=imports,
            ir_version=helper.find_min_ir_version_for(imports, ignore_unknown=True),
        )

    def with_outputs(self, names: Iterable[str]) -> Self:
        """Return the model with further outputs; those that are no tensors are left out."""
        asked = onnx.ModelProto()
        asked.CopyFrom(self.source)
        types = {value.name: value for value in infer_shapes(self.source).graph.value_info}
        wanted = [name for name in names if name in types and name not in self.outputs]
        asked.graph.output.extend(_without_shape(types[name]) for name in wanted)
        return type(self)(asked, asked, self.limits)

    def part(
        self,
        inputs: Mapping[str, Array],
        outputs: Mapping[str, Array],
        constants: Mapping[str, Array],
    ) -> Self:
        """Cut out what computes some values from others.

        Raises:
            ValueError: onnx cannot cut it out.
        """
        sized = onnx.ModelProto()
        sized.CopyFrom(self.source)
        graph, flow = sized.graph, {**inputs, **constants}
        for values in (graph.value_info, graph.input, graph.output):
            del values[:]
        graph.value_info.extend(_value(name, array) for name, array in {**flow, **outputs}.items())
        cut = Extractor(sized).extract_model(list(flow), list(outputs))
        for value in [i for i in cut.graph.input if i.name in constants]:
            cut.graph.input.remove(value)
        tensors = (numpy_helper.from_array(array, name) for name, array in constants.items())
        cut.graph.initializer.extend(tensors)
        del cut.graph.value_info[:]
        return type(self)(cut, cut, self.limits)


class ExpandedGraph(OnnxGraph):
    """A model's graph as the importer sees it.

    Args:
        whole: The graph as the model has it.
        graph: The graph with functions inlined and operators expanded.
        opsets: Domain -> version.
    """

    def __init__(self, whole: OnnxGraph, graph: Graph, opsets: Mapping[str, int]) -> None:
        super().__init__(whole.source, whole.original, whole.limits)
        known = {
            "nodes": graph.nodes,
            "opsets": opsets,
            "constants": graph.constants,
            "weights": frozenset(graph.constants),
        }
        self.__dict__.update(known)  # in place of what would be computed of the source


def _is_constant(node: onnx.NodeProto) -> bool:
    return node.op_type == "Constant" and node.domain in STANDARD


def _value(name: str, array: Array) -> onnx.ValueInfoProto:
    if array.dtype.kind in "USO":
        kind = int(onnx.TensorProto.STRING)
    else:
        kind = int(helper.np_dtype_to_tensor_dtype(np.dtype(array.dtype)))
    return helper.make_tensor_value_info(name, kind, array.shape)


def _without_shape(value: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    """Return the value with its dtype only: its shape is for whoever computes it to find."""
    found = onnx.ValueInfoProto()
    found.CopyFrom(value)
    found.type.tensor_type.ClearField("shape")
    return found
