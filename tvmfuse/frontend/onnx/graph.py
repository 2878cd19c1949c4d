"""The graph as the importer sees it: named nodes in order, and constants as arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import onnx
from onnx import numpy_helper

from tvmfuse.arrays import aligned
from tvmfuse.errors import MalformedModelError

STANDARD: Final = ("", "ai.onnx")
OPSET_KEY: Final = "tvmfuse.opset"
"""Node metadata: the version of its domain where that is another one than the model's."""

_CONSTANT_ATTRIBUTES: Final = {
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}


@dataclass(frozen=True, eq=False)
class Node:
    """One ONNX node.

    Attributes:
        name: Unique in the model; made up where the model gives none.
        opset: The version of the node's domain that is in force.
        renames: Whether it is an Identity of our own, whose result is its operand and no copy.
        stated_rank: Of its first result, where the model states it: it decides what nothing else
            does.
    """

    name: str
    opset: int
    proto: onnx.NodeProto = field(repr=False)
    renames: bool = False
    stated_rank: int | None = None

    @cached_property
    def op(self) -> str:
        """The operator, with its domain where that is not ONNX's own."""
        domain = self.proto.domain
        return self.proto.op_type if domain in STANDARD else f"{domain}::{self.proto.op_type}"

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The operands' names; "" where an optional one is absent."""
        return tuple(self.proto.input)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The results' names; "" where nobody wants one."""
        return tuple(self.proto.output)

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        """Attributes as Python values: int, float, str, lists, protos."""
        return {a.name: _attribute(a) for a in self.proto.attribute}

    def __str__(self) -> str:
        return f"{self.op} (opset {self.opset}, node {self.name!r})"


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph whose nodes come after what they read.

    Attributes:
        inputs: Those that have a default come last.
        constants: Initializers and outputs of Constant nodes, by name.
        defaults: Initializers that a caller may replace: the values of the last inputs, in order.
        stated_ranks: Ranks of outputs, where the model states them. Who edits a model may forget
            them: they decide what nothing else does.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[onnx.ValueInfoProto, ...]
    outputs: tuple[str, ...]
    constants: Mapping[str, np.ndarray]
    defaults: Mapping[str, np.ndarray] = field(default_factory=dict)
    stated_ranks: Mapping[str, int] = field(default_factory=dict)

    def with_defaults_bound(self) -> Graph:
        """Return the graph whose inputs with a default are constants."""
        return replace(
            self,
            inputs=tuple(i for i in self.inputs if i.name not in self.defaults),
            constants={**self.constants, **self.defaults},
            defaults={},
        )

    @cached_property
    def producers(self) -> Mapping[str, Node]:
        """Which node makes a value."""
        return {name: node for node in self.nodes for name in node.outputs if name}


def branches_of(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Yield the graphs inside a node."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def read_graph(
    proto: onnx.GraphProto,
    initializers: Iterable[onnx.TensorProto],
    opsets: Mapping[str, int],
    overridable: Collection[str] = (),
    weights: Mapping[str, np.ndarray] = MappingProxyType({}),
    stated: Mapping[str, int] = MappingProxyType({}),
) -> Graph:
    """Read a checked graph.

    Args:
        proto: Each node has a name; nodes are sorted.
        initializers: The graph's, weights included.
        opsets: Domain -> version.
        overridable: The initializers that are inputs with a default, and no constants.
        weights: The numbers of initializers that are not in `initializers`, by name.
        stated: Ranks of values that the model states, and the checked graph does not.
    """
    constants = {
        t.name: weights[t.name] if t.name in weights else array_of(t) for t in initializers
    }
    nodes, ranks = [], {**stated_ranks([*proto.output, *proto.value_info]), **stated}
    for node in proto.node:
        if node.op_type == "Constant" and node.domain in STANDARD:
            constants[node.output[0]] = _constant(node)
        else:
            rank = ranks.get(node.output[0]) if node.output else None
            nodes.append(Node(node.name, opset_of(node, opsets), node, stated_rank=rank))
    defaults = {i.name: constants.pop(i.name) for i in proto.input if i.name in overridable}
    fed = [i for i in proto.input if i.name not in constants]
    return Graph(
        nodes=tuple(nodes),
        inputs=tuple(sorted(fed, key=lambda i: i.name in defaults)),
        outputs=tuple(o.name for o in proto.output),
        constants=constants,
        defaults=defaults,
        stated_ranks=stated,
    )


def stated_ranks(values: Iterable[onnx.ValueInfoProto]) -> dict[str, int]:
    """Return the rank of each tensor of which it is stated, by name."""
    tensors = {value.name: value.type.tensor_type for value in values}
    return {name: len(ty.shape.dim) for name, ty in tensors.items() if ty.HasField("shape")}


def opset_of(node: onnx.NodeProto, opsets: Mapping[str, int]) -> int:
    """Return the version of a node's domain that is in force for this node."""
    said = next((p.value for p in node.metadata_props if p.key == OPSET_KEY), None)
    return opsets.get(canonical(node.domain), 0) if said is None else int(said)


def canonical(domain: str) -> str:
    """Return ONNX's own domain under its one name, others as they are.

    >>> canonical("ai.onnx"), canonical("com.microsoft")
    ('', 'com.microsoft')
    """
    return "" if domain in STANDARD else domain


def bits_of(element_type: int) -> int:
    """Return the bits of an element where numpy holds it; of what is no number, a pointer's.

    >>> bits_of(onnx.TensorProto.FLOAT16), bits_of(onnx.TensorProto.INT4), bits_of(0)
    (16, 8, 64)
    """
    if not element_type or element_type not in onnx.TensorProto.DataType.values():
        return 64
    return 8 * np.dtype(onnx.helper.tensor_dtype_to_np_dtype(element_type)).itemsize


def array_of(tensor: onnx.TensorProto, where: str = "") -> np.ndarray:
    """Return a tensor's numbers, in memory that a constant can share, or its strings.

    Args:
        tensor: An initializer, or an attribute.
        where: What errors call it; by default its name.

    Raises:
        MalformedModelError: There are fewer or more numbers than its shape says.
    """
    try:
        array = without_objects(numpy_helper.to_array(tensor))
        return array if array.dtype.kind == "U" else aligned(array)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise MalformedModelError(
            f"{where or f'tensor {tensor.name!r}'} of shape {list(tensor.dims)}: its numbers "
            f"cannot be read: {error}"
        ) from error


def without_objects(array: np.ndarray) -> np.ndarray:
    """Return strings as numpy's, of which `array.dtype` tells, and numbers as they are.

    >>> without_objects(np.array([b"a", "bc"], object))
    array(['a', 'bc'], dtype='<U2')
    """
    if array.dtype != object:
        return array
    texts = [t.decode("utf-8", "replace") if isinstance(t, bytes) else t for t in array.flat]
    return np.array(texts, np.str_).reshape(array.shape)


def _attribute(attribute: onnx.AttributeProto) -> Any:
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if attribute.type == onnx.AttributeProto.STRINGS:
        return [v.decode("utf-8", "replace") for v in value]
    return list(value) if isinstance(value, Iterable) else value


def _constant(node: onnx.NodeProto) -> np.ndarray:
    attribute = node.attribute[0]
    if attribute.name == "value":
        return array_of(attribute.t, f"node {node.name!r} (Constant)")
    if attribute.name == "sparse_value":
        return _dense(attribute.sparse_tensor)
    value = onnx.helper.get_attribute_value(attribute)
    dtype = _CONSTANT_ATTRIBUTES.get(attribute.name)
    return np.array(value, dtype) if dtype else without_objects(np.array(value, object))


def _dense(sparse: onnx.SparseTensorProto) -> np.ndarray:
    """Return a sparse tensor with its zeros: values (nnz,), indices (nnz,) or (nnz, rank)."""
    values, indices = array_of(sparse.values), array_of(sparse.indices)
    dense = np.zeros(tuple(sparse.dims), values.dtype)
    if indices.ndim == 1:
        dense.reshape(-1)[indices] = values
    else:
        dense[tuple(indices.T)] = values
    return dense
