"""A model that is going to be parted, with what is known of each of its values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import onnx
from onnx import TensorProto, TypeProto

from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.main_function import spec_of, stated_constraints
from tvmfuse.frontend.onnx.admission import admit_sizes
from tvmfuse.frontend.onnx.check import check_text
from tvmfuse.frontend.onnx.dims import DTYPES, Shapes, input_types
from tvmfuse.frontend.onnx.graph import STANDARD, Graph, Node, canonical, read_graph
from tvmfuse.frontend.onnx.importer import metadata_of, typed
from tvmfuse.frontend.onnx.operands import RANDOM, SEQUENCES
from tvmfuse.frontend.onnx.partition.labels_apart import with_labels_apart
from tvmfuse.frontend.onnx.partition.value_types import STRING, element_of, spec_of_value
from tvmfuse.frontend.onnx.plan import CONTROL_FLOW, captured_names, plan_of
from tvmfuse.frontend.onnx.read import Source, read_model
from tvmfuse.frontend.onnx.sequence_inputs import with_tensor_inputs
from tvmfuse.frontend.onnx.without_weights import all_nodes, arrange
from tvmfuse.frontend.shape_constraints import with_shape_constraints
from tvmfuse.frontend.symbols import Symbols
from tvmfuse.limits import Limits
from tvmfuse.manifest import PartNode
from tvmfuse.size_ranges import Bounds, GivenShapes, GivenSizes, SizeRange
from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec

#: What a weight that nobody looks into stands for among the constants.
NUMBERS, TEXTS = np.empty(0, np.float32), np.empty(0, np.str_)


@dataclass(frozen=True, eq=False)
class WholeModel:
    """A checked model; its nodes are those of the graph as it was given.

    Attributes:
        proto: The model; each node has a name of its own, and stands after what it reads. Its
            inputs are those that a caller feeds, with the sizes that were fixed.
        graph: The same, as the importer reads it; of weights only the names are looked at.
        types: By name, of the values whose type follows.
        ranges: The sizes that a caller says symbolic dimensions have, by their names.
        constraints: What sizes are to be that are stated as arithmetic over others.
        metadata: What the model says about itself.
    """

    proto: onnx.ModelProto
    graph: Graph
    types: Mapping[str, TypeProto]
    ranges: Mapping[str, SizeRange]
    constraints: Sequence[ShapeConstraint]
    metadata: Mapping[str, object]

    @cached_property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """What a caller feeds."""
        specs = (self._spec(value) for value in self.graph.inputs)
        return with_shape_constraints(specs, self.constraints)

    def _spec(self, value: onnx.ValueInfoProto) -> TensorSpec:
        spec = spec_of_value(value.name, value.type)
        given = [self.ranges.get(str(dim), SizeRange()) for dim in spec.shape]
        if not any(str(dim) in self.ranges for dim in spec.shape):
            return spec
        least, most = (tuple(r.least for r in given), tuple(r.most for r in given))
        return replace(spec, min_sizes=least, max_sizes=most)

    def bounds(self, names: Iterable[str], types: Mapping[str, TypeProto]) -> dict[str, Bounds]:
        """Return the sizes that dimensions of some values are said to have."""
        dims = {d.dim_param for name in names for d in types[name].tensor_type.shape.dim}
        return {name: (r.least, r.most) for name, r in self.ranges.items() if name in dims}

    @cached_property
    def opset(self) -> int:
        """The version of ONNX's own operators."""
        return next((o.version for o in self.proto.opset_import if o.domain in STANDARD), 0)

    @cached_property
    def protos(self) -> Mapping[str, onnx.NodeProto]:
        """The nodes by their names, those that state constants, too."""
        return {node.name: node for node in self.proto.graph.node}

    @cached_property
    def stated(self) -> Mapping[str, onnx.NodeProto]:
        """The nodes that state constants, by what they make."""
        return {
            node.output[0]: node
            for node in self.proto.graph.node
            if node.op_type == "Constant" and node.domain in STANDARD
        }

    @cached_property
    def initializers(self) -> Mapping[str, TensorProto]:
        """The dense initializers, by name."""
        return {tensor.name: tensor for tensor in self.proto.graph.initializer}

    @cached_property
    def sparse(self) -> Mapping[str, onnx.SparseTensorProto]:
        """The sparse initializers, by name."""
        return {s.values.name: s for s in self.proto.graph.sparse_initializer}

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes by their names, but those that state constants."""
        return {node.name: node for node in self.graph.nodes}

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        nodes = self.graph.nodes
        return {inner.name: node.name for node in nodes for inner in all_nodes([node.proto])}

    def owner(self, name: str) -> str | None:
        """Return the node that a node of the importer's comes from: itself, or what it lies in.

        The importer calls what it puts in a node's place `node/inner`.
        """
        while name not in self._owners and "/" in name:
            name = name.rpartition("/")[0]
        return self._owners.get(name)

    def node(self, name: str, why: str = "") -> PartNode:
        """Describe a node."""
        proto = self.protos[name]
        own = proto.domain in STANDARD
        return PartNode(name, proto.op_type if own else f"{proto.domain}.{proto.op_type}", why)

    def free_nodes(self, marked: Collection[str]) -> frozenset[str]:
        """Name the nodes that each part computes for itself: of sizes and constants alone.

        Args:
            marked: Nodes that are not compiled: what follows from them is not known.
        """
        ours = [node for node in self.graph.nodes if node.name not in marked]
        derived = plan_of(replace(self.graph, nodes=tuple(ours))).shape_derived
        constant = set(self.graph.constants)
        for node in ours:
            if constant.issuperset(reads_of(node)) and node.op not in (
                CONTROL_FLOW | RANDOM | SEQUENCES
            ):
                constant.update(node.outputs)
        known = constant | derived
        outputs = set(self.graph.outputs)
        return frozenset(
            node.name
            for node in ours
            if known.issuperset(filter(None, node.outputs)) and outputs.isdisjoint(node.outputs)
        )


def reads_of(node: Node) -> Iterator[str]:
    """Yield what a node reads, with what the graphs inside it capture."""
    yield from filter(None, node.inputs)
    yield from captured_names(node.proto)


def whole_model(
    source: Source,
    *,
    shapes: GivenShapes | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | None = None,
) -> WholeModel:
    """Read and check a model, whatever its inputs and operators are.

    Initializers that a caller may replace are constants here, and strings that are only labels are
    looked up by nodes of their own; see `labels_apart`.

    Args:
        source: A path, a serialized model, or a model; the last is never changed.
        shapes: Input name -> shape; a number fixes a dimension, a range bounds it, None leaves it
            as it is.
        dims: Symbolic dimension -> number or range.
        limits: How much the model may ask for.

    Raises:
        ConfigurationError: `shapes` or `dims` do not fit the model.
        LimitExceededError: It asks for more than the limits admit.
        MalformedModelError: It breaks the ONNX specification.
    """
    read = with_labels_apart(read_model(source))
    (given, tensors), model = with_tensor_inputs(read, shapes), onnx.ModelProto()
    check_text(given)
    admit_sizes(given, Gate(limits))
    model.CopyFrom(given)
    arrange(model.graph)
    bound = {t.name for t in model.graph.initializer}
    fed = [value for value in model.graph.input if value.name not in bound]
    inputs, ranges, constraints = _sized(fed, tensors, dims)
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    known = typed(model)
    values = (*known.graph.input, *known.graph.value_info, *known.graph.output)
    types = {v.name: v.type for v in values if v.type.WhichOneof("value")}
    graph, metadata = _graph(known, model), metadata_of(model, known)
    return WholeModel(model, graph, types, ranges, constraints, metadata)


def _graph(known: onnx.ModelProto, model: onnx.ModelProto) -> Graph:
    opsets = {canonical(o.domain): int(o.version) for o in known.opset_import}
    graph = read_graph(known.graph, known.graph.initializer, opsets)
    weights = {
        tensor.name: TEXTS if tensor.data_type == TensorProto.STRING else NUMBERS
        for tensor in model.graph.initializer
    }
    return replace(graph, inputs=tuple(model.graph.input), constants={**weights, **graph.constants})


def _sized(
    inputs: Sequence[onnx.ValueInfoProto], shapes: Shapes | None, dims: GivenSizes | None
) -> tuple[list[onnx.ValueInfoProto], Mapping[str, SizeRange], Sequence[ShapeConstraint]]:
    """Return the inputs, with fixed sizes and names, and the ranges and constraints of these."""
    tensors = [
        _with_numbers(value)
        for value in inputs
        if element_of(value.type) in DTYPES | {STRING}
        and (value.type.tensor_type.HasField("shape") or value.name in (shapes or {}))
    ]
    symbols = Symbols()
    types = input_types(tensors, symbols, shapes, dims)
    sized = [_with_shape(i, types[i.name]) if i.name in types else i for i in inputs]
    return sized, symbols.ranges, stated_constraints(types)


def _with_numbers(value: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    """Return a tensor of strings as one of bytes: only its sizes are asked for."""
    if element_of(value.type) != STRING:
        return value
    copy = onnx.ValueInfoProto()
    copy.CopyFrom(value)
    copy.type.tensor_type.elem_type = TensorProto.UINT8
    return copy


def _with_shape(value: onnx.ValueInfoProto, ty: object) -> onnx.ValueInfoProto:
    copy = onnx.ValueInfoProto()
    copy.CopyFrom(value)
    tensor = copy.type.tensor_type
    del tensor.shape.dim[:]
    tensor.shape.SetInParent()
    for dim in spec_of(value.name, ty).shape:
        new = tensor.shape.dim.add()
        if isinstance(dim, int):
            new.dim_value = dim
        else:
            new.dim_param = dim
    return copy
