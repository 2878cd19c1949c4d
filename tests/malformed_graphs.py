"""Models that are wrong beside their nodes: versions, names, types, scopes, functions, weights.

Each is a line, with a word that its refusal has to have: the name of what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from graphs import onnx_model
from malformed import X, Y, changed, node, with_input
from onnx import AttributeProto, TensorProto, helper, numpy_helper

Wrong = tuple[onnx.ModelProto | bytes, str]


def graph(*nodes: onnx.NodeProto, inputs: Any = X, **constants: Any) -> onnx.ModelProto:
    weights = {name: np.asarray(value) for name, value in constants.items()}
    return onnx_model(nodes, inputs, Y, weights)


def with_(model: onnx.ModelProto, change: Callable[[onnx.ModelProto], object]) -> onnx.ModelProto:
    change(model)
    return model


def relu() -> onnx.ModelProto:
    return graph(node("Relu", ["x"], ["y"], name="n"))


def setting(field: str, value: Any) -> onnx.ModelProto:
    return changed(lambda m: setattr(m, field, value))


def opsets(*versions: tuple[str, int]) -> onnx.ModelProto:
    made = relu()
    del made.opset_import[:]
    made.opset_import.extend(helper.make_opsetid(*version) for version in versions)
    return made


VERSIONS: Final[Mapping[str, Wrong]] = {
    "an IR of 0": (setting("ir_version", 0), "no IR version"),
    "an IR of -1": (setting("ir_version", -1), "no IR version"),
    "an IR of 99": (setting("ir_version", 99), "IR version 99"),
    "an opset of 0": (opsets(("", 0)), "0 is no version"),
    "an opset of -1": (opsets(("", -1)), "-1 is no version"),
    "an opset of 99": (opsets(("", 99)), "opset 99"),
    "an opset of 2^63 - 1": (opsets(("", 2**63 - 1)), "opset 9223372036854775807"),
    "an opset of a stranger of 2^40": (opsets(("", 17), ("my", 2**40)), "1099511627776"),
    "no opset": (opsets(), "no operator set"),
    "another domain's opset alone": (opsets(("my", 1)), "'n'"),
    "two versions of one domain": (opsets(("", 17), ("", 13)), "''"),
    "two versions of one domain, by two names": (opsets(("ai.onnx", 17), ("", 9)), "''"),
}


def renamed(place: str, to: str) -> onnx.ModelProto:
    made = graph(node("Relu", ["x"], ["h"], name="n"), node("Exp", ["h"], ["y"], name="m"))
    holder, _, field = place.rpartition(".")
    owner = {"input": made.graph.input[0], "output": made.graph.output[0]}.get(holder)
    setattr(owner, field, to)
    return made


def bytes_in(change: Callable[[onnx.ModelProto], object]) -> bytes:
    """Return a model in which the word BROKEN is no UTF-8."""
    data: bytes = relu_with(change).SerializeToString()
    return data.replace(b"BROKEN", b"\xff\xfe\xfd\xfc\xfb\xfa")


def relu_with(change: Callable[[onnx.ModelProto], object]) -> onnx.ModelProto:
    return with_(relu(), change)


def circle(*names: str) -> onnx.ModelProto:
    """A circle of nodes, each of which reads the one before."""
    nodes = [
        node("Add", ["x", names[place - 1]], [name], name=name) for place, name in enumerate(names)
    ]
    return graph(*nodes, node("Relu", [names[-1]], ["y"], name="last"))


def branch(*nodes: onnx.NodeProto, gives: str = "r", weights: Any = ()) -> onnx.GraphProto:
    value = helper.make_tensor_value_info(gives, TensorProto.FLOAT, None)
    return helper.make_graph(nodes, "branch", [], [value], weights)


def chosen(yes: onnx.GraphProto, no: onnx.GraphProto, *more: onnx.NodeProto) -> onnx.ModelProto:
    made = node("If", ["c"], ["y"], name="choice", then_branch=yes, else_branch=no)
    return graph(*more, made, inputs=X | {"c": ("bool", ())})


ONE: Final = branch(node("Relu", ["x"], ["r"], name="one"))
TWO: Final = branch(node("Exp", ["x"], ["r"], name="two"))

NAMES: Final[Mapping[str, Wrong]] = {
    "a circle of one": (circle("a"), "'a'"),
    "a circle of two": (circle("a", "b"), "'a' -> 'b'"),
    "a circle of five": (circle(*"abcde"), "cycle"),
    "a circle through a branch": (
        chosen(branch(node("Relu", ["y"], ["r"])), ONE), "'choice'"),
    "a value from nowhere": (graph(node("Relu", ["z"], ["y"], name="n")), "'z'"),
    "a value of a later branch": (
        graph(node("Relu", ["r"], ["y"], name="n")), "'r'"),
    "a value of the other branch": (
        chosen(branch(node("Exp", ["r"], ["s"], name="n"), gives="s"), ONE), "'r'"),
    "a value of a branch that is read outside": (
        chosen(ONE, TWO, node("Exp", ["r"], ["h"], name="n")), "'r'"),
    "a branch that defines what is outside": (
        chosen(branch(node("Relu", ["x"], ["x"], name="n"), gives="x"), ONE), "'n'"),
    "an output from nowhere": (renamed("output.name", "z"), "'z'"),
    "an output without a name": (renamed("output.name", ""), "''"),
    "an input without a name": (renamed("input.name", ""), "a graph input has no name"),
    "an input of another name": (renamed("input.name", "z"), "'x'"),
    "no output": (changed(lambda m: m.graph.ClearField("output")), "no output"),
    "no graph": (changed(lambda m: m.ClearField("graph")), "no graph"),
    "two inputs of one name": (
        changed(lambda m: m.graph.input.append(m.graph.input[0])), "'image'"),
    "two initializers of one name": (
        changed(lambda m: m.graph.initializer.append(m.graph.initializer[0])), "'w'"),
    "an initializer without a name": (
        changed(lambda m: m.graph.initializer.add(data_type=1)), "no name"),
    "a node that defines an input": (graph(node("Relu", ["x"], ["x"], name="n")), "'n'"),
    "a node that defines an initializer": (graph(node("Relu", ["x"], ["y"], name="n"), y=1.0), "'y'"),
    "two nodes that define one value": (
        graph(node("Relu", ["x"], ["y"], name="a"), node("Exp", ["x"], ["y"], name="b")), "'b'"),
    "a node that defines a value twice": (
        graph(node("Split", ["x"], ["y", "y"], name="n", axis=0)), "'n'"),
    "a node without outputs": (
        graph(node("Relu", ["x"], [], name="silent"), node("Relu", ["x"], ["y"])), "'silent'"),
    "a node that names no operator": (graph(node("", ["x"], ["y"], name="n")), "'n'"),
    "an operator of nobody": (graph(node("Rleu", ["x"], ["y"], name="n")), "'n'"),
    "an operator in another case": (graph(node("relu", ["x"], ["y"], name="n")), "'n'"),
    "a domain that is not imported": (
        graph(node("Relu", ["x"], ["y"], name="n", domain="my")), "'my'"),
    "a domain of nobody": (
        with_(graph(node("F", ["x"], ["y"], name="n", domain="my")),
              lambda m: m.opset_import.append(helper.make_opsetid("my", 1))), "'n'"),
    "no text: a node's name": (
        bytes_in(lambda m: setattr(m.graph.node[0], "name", "BROKEN")), "UTF-8"),
    "no text: an operator": (
        bytes_in(lambda m: setattr(m.graph.node[0], "op_type", "BROKEN")), "UTF-8"),
    "no text: an operand": (bytes_in(lambda m: m.graph.node[0].input.append("BROKEN")), "UTF-8"),
    "no text: a node's domain": (
        bytes_in(lambda m: setattr(m.graph.node[0], "domain", "BROKEN")), "UTF-8"),
    "no text: an attribute": (
        bytes_in(lambda m: m.graph.node[0].attribute.add(name="BROKEN", type=2, i=1)), "UTF-8"),
    "no text: an input": (
        bytes_in(lambda m: setattr(m.graph.input[0], "name", "BROKEN")), "UTF-8"),
    "no text: an output": (
        bytes_in(lambda m: setattr(m.graph.output[0], "name", "BROKEN")), "UTF-8"),
    "no text: a dimension": (
        bytes_in(lambda m: setattr(
            m.graph.input[0].type.tensor_type.shape.dim[0], "dim_param", "BROKEN")), "UTF-8"),
    "no text: an initializer": (
        bytes_in(lambda m: m.graph.initializer.add(name="BROKEN", data_type=1)), "UTF-8"),
    "no text: the graph's name": (
        bytes_in(lambda m: setattr(m.graph, "name", "BROKEN")), "UTF-8"),
    "no text: an opset's domain": (
        bytes_in(lambda m: m.opset_import.add(domain="BROKEN", version=1)), "UTF-8"),
    "no text: a function": (
        bytes_in(lambda m: m.functions.add(name="BROKEN", domain="my")), "UTF-8"),
}  # fmt: skip


def kind(element: int) -> onnx.ModelProto:
    made = graph(node("Identity", ["x"], ["y"], name="n"))
    for value in (made.graph.input[0], made.graph.output[0]):
        value.type.tensor_type.elem_type = element
    return made


def typed(change: Callable[[onnx.TypeProto], object]) -> onnx.ModelProto:
    def clear(value: onnx.ValueInfoProto) -> None:
        value.ClearField("type")
        change(value.type)

    return with_input(clear)


def dim(place: int, value: int) -> onnx.ModelProto:
    return with_input(lambda i: setattr(i.type.tensor_type.shape.dim[place], "dim_value", value))


def stated(dims: Sequence[int], element: int = TensorProto.FLOAT) -> onnx.ModelProto:
    """An initializer that is an input of another type, too."""
    made = graph(node("Add", ["x", "w"], ["y"], name="n"), w=np.ones(3, "float32"))
    made.graph.input.append(helper.make_tensor_value_info("w", element, dims))
    return made


def gives(element: int, dims: Sequence[int] | None = None) -> onnx.ModelProto:
    made = relu()
    made.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", element, dims))
    return made


TYPES: Final[Mapping[str, Wrong]] = {
    "an input without a type": (with_input(lambda i: i.ClearField("type")), "input 'x'"),
    "an input of no element type": (kind(0), "input 'x'"),
    "an input of element type 99": (kind(99), "input 'x'"),
    "an input of element type -1": (kind(-1), "input 'x'"),
    "an input of strings": (kind(TensorProto.STRING), "input 'x'"),
    "an input of complex numbers": (kind(TensorProto.COMPLEX64), "input 'x'"),
    "an input without a rank": (
        with_input(lambda i: i.type.tensor_type.ClearField("shape")), "'x'"),
    "an input that is a sequence": (
        typed(lambda t: t.sequence_type.elem_type.tensor_type.SetInParent()), "'x'"),
    "an input that is a map": (typed(lambda t: setattr(t.map_type, "key_type", 7)), "'x'"),
    "an input that is optional": (
        typed(lambda t: t.optional_type.elem_type.tensor_type.SetInParent()), "'x'"),
    "an input that is sparse": (
        typed(lambda t: setattr(t.sparse_tensor_type, "elem_type", 1)), "'x'"),
    "a dimension of 2^63 - 1": (dim(0, 2**63 - 1), "'x'"),
    "a dimension of 2^31": (dim(1, 2**31), "'x'"),
    "an output of another dtype": (gives(TensorProto.INT64), "'n'"),
    "an output of element type 99": (gives(99), "'n' (Relu)"),
    "an output that is a sequence": (
        with_(relu(), lambda m: m.graph.output[0].CopyFrom(
            helper.make_tensor_sequence_value_info("y", 1, None))), "'n'"),
    "an initializer of another shape than its input": (stated([4]), "'w'"),
    "an initializer of another rank than its input": (stated([1, 3]), "'w'"),
    "an initializer of another dtype than its input": (stated([3], 7), "'w'"),
}  # fmt: skip


def weights(**fields: Any) -> onnx.ModelProto:
    made = graph(node("Add", ["x", "w"], ["y"], name="n"))
    given: dict[str, Any] = {"name": "w", "dims": [3], "data_type": 1, "raw_data": bytes(12)}
    made.graph.initializer.append(TensorProto(**given | fields))
    return made


def sparse(
    values: Any = (5, 7), indices: Any = (0, 2), dims: Any = (3,), **fields: Any
) -> onnx.ModelProto:
    made = graph(node("Add", ["x", "w"], ["y"], name="n"))
    both = [np.asarray(values, fields.get("dtype", "float32")), np.asarray(indices)]
    parts = [numpy_helper.from_array(a, fields.get("name", "w")) for a in both]
    made.graph.sparse_initializer.append(helper.make_sparse_tensor(parts[0], parts[1], dims))
    return made


def inside(**fields: Any) -> onnx.ModelProto:
    """A tensor in an attribute."""
    given: dict[str, Any] = {"dims": [3], "data_type": 1, "raw_data": bytes(12)}
    value = TensorProto(**given | fields)
    return graph(
        node("Constant", [], ["k"], name="culprit", value=value), node("Add", ["x", "k"], ["y"])
    )


TENSORS: Final[Mapping[str, Wrong]] = {
    "weights: too few bytes": (weights(raw_data=bytes(8)), "'w'"),
    "weights: part of an element": (weights(raw_data=bytes(11)), "'w'"),
    "weights: too many bytes": (weights(raw_data=bytes(16)), "'w'"),
    "weights: no bytes": (weights(raw_data=b""), "'w'"),
    "weights: another shape": (weights(dims=[2, 4]), "'w'"),
    "weights: a negative dimension": (weights(dims=[-3]), "'w'"),
    "weights: two negative dimensions": (weights(dims=[-1, -3]), "'w'"),
    "weights: 2^80 elements": (weights(dims=[2**40, 2**40]), "'w'"),
    "weights: 2^64 elements, which wrap to 0": (weights(dims=[2**32, 2**32]), "'w'"),
    "weights: no element type": (weights(data_type=0), "'w'"),
    "weights: element type 99": (weights(data_type=99), "'w'"),
    "weights: element type -1": (weights(data_type=-1), "'w'"),
    "weights: another dtype": (weights(data_type=7), "'w'"),
    "weights: strings": (weights(data_type=8, raw_data=b"", string_data=[b"a", b"b", b"c"]), "'n' (Add)"),
    "weights: strings as bytes": (weights(data_type=8), "initializer 'w'"),
    "weights: complex numbers": (weights(data_type=14, raw_data=bytes(24)), "'n' (Add)"),
    "weights: bytes and numbers": (weights(float_data=[1, 2, 3]), "'w'"),
    "weights: too few numbers": (weights(raw_data=b"", float_data=[1, 2]), "'w'"),
    "weights: too many numbers": (weights(raw_data=b"", float_data=[1, 2, 3, 4]), "'w'"),
    "weights: numbers of another field": (weights(raw_data=b"", int32_data=[1, 2, 3]), "'w'"),
    "weights: doubles for floats": (weights(raw_data=b"", double_data=[1, 2, 3]), "'w'"),
    "weights: halves that are too few": (
        weights(data_type=10, raw_data=b"", int32_data=[1, 2]), "initializer 'w'"),
    "weights: nibbles that are too few": (weights(data_type=22, raw_data=bytes(1)), "initializer 'w'"),
    "weights: in another file": (
        weights(raw_data=b"", data_location=TensorProto.EXTERNAL), "'w'"),
    "weights: a segment": (
        weights(segment=TensorProto.Segment(begin=0, end=2), raw_data=bytes(8)), "initializer 'w'"),
    "large weights: too few bytes": (weights(dims=[1000, 2, 3], raw_data=bytes(4000)), "'w'"),
    "large weights: two negative dimensions": (
        weights(dims=[-1000, -3], raw_data=bytes(12000)), "'w'"),
    "in a node: too few bytes": (inside(raw_data=bytes(8)), "'culprit'"),
    "in a node: too many bytes": (inside(raw_data=bytes(16)), "'culprit'"),
    "in a node: a negative dimension": (inside(dims=[-3]), "'culprit'"),
    "in a node: element type 99": (inside(data_type=99), "'culprit'"),
    "in a node: no element type": (inside(data_type=0), "'culprit'"),
    "in a node: in another file": (
        inside(raw_data=b"", data_location=TensorProto.EXTERNAL), "another file"),
    "sparse: an index beyond": (sparse(indices=(0, 3)), "(w)"),
    "sparse: a negative index": (sparse(indices=(-1, 2)), "(w)"),
    "sparse: an index twice": (sparse(indices=(1, 1)), "(w)"),
    "sparse: out of order": (sparse(indices=(2, 0)), "(w)"),
    "sparse: more indices than values": (sparse(indices=(0, 1, 2)), "(w)"),
    "sparse: more values than indices": (sparse(values=(5, 6, 7)), "(w)"),
    "sparse: indices of floats": (sparse(indices=(0.0, 2.0)), "(w)"),
    "sparse: indices of rank 3": (sparse(indices=[[[0, 2]]]), "(w)"),
    "sparse: indices of another rank": (sparse(indices=[[0, 1], [0, 2]]), "(w)"),
    "sparse: values of rank 2": (sparse(values=[[5, 7]]), "(w)"),
    "sparse: no shape": (sparse(dims=()), "(w)"),
    "sparse: a negative dimension": (sparse(dims=(-3,)), "(w)"),
    "sparse: no name": (sparse(name=""), "no name"),
}  # fmt: skip


def attribute(**fields: Any) -> onnx.ModelProto:
    made = graph(node("Softmax", ["x"], ["y"], name="culprit"))
    made.graph.node[0].attribute.append(AttributeProto(**{"name": "axis", **fields}))
    return made


INT: Final = AttributeProto.INT
ATTRIBUTES: Final[Mapping[str, Wrong]] = {
    "an attribute without a type": (attribute(i=1), "'culprit'"),
    "an attribute without a name": (attribute(name="", type=INT, i=1), "'culprit'"),
    "an attribute of another type": (attribute(type=AttributeProto.FLOAT, f=1.0), "'culprit'"),
    "an attribute whose number is elsewhere": (attribute(type=INT, f=1.0), "'culprit'"),
    "an attribute of two values": (attribute(type=INT, i=1, f=1.0), "'culprit'"),
    "an attribute that is a list": (attribute(type=AttributeProto.INTS, ints=[1]), "'culprit'"),
    "an attribute that is a graph": (
        attribute(type=AttributeProto.GRAPH, g=ONE), "'culprit'"),
    "an attribute of a caller, outside of a function": (
        attribute(type=INT, ref_attr_name="a"), "'culprit'"),
    "an attribute twice": (
        with_(attribute(type=INT, i=1), lambda m: m.graph.node[0].attribute.append(
            m.graph.node[0].attribute[0])), "'culprit'"),
    "an attribute of 2^62": (attribute(type=INT, i=2**62), "'culprit'"),
    "an attribute of nobody": (attribute(name="axes", type=INT, i=1), "'culprit'"),
}  # fmt: skip


ODD: Final[Mapping[str, onnx.ModelProto]] = {
    "a dimension of -1": dim(0, -1),
    "a dimension of -2^63": dim(0, -(2**63)),
    "one domain twice, in one version": opsets(("", 17), ("ai.onnx", 17)),
    "a domain of nobody that no node is of": opsets(("", 17), ("my", 1)),
    "an output that is an initializer": with_(
        graph(node("Relu", ["x"], ["h"]), y=np.ones(2, "float32")), lambda m: m),
    "an output twice": relu_with(lambda m: m.graph.output.append(m.graph.output[0])),
    "an input that nobody reads": relu_with(
        lambda m: m.graph.input.append(helper.make_tensor_value_info("z", 7, ["n", 2]))),
    "an initializer that nobody reads": graph(node("Relu", ["x"], ["y"]), w=np.ones(3)),
    "an initializer that is an input, too": stated([3]),
    "a quantization of nobody": relu_with(
        lambda m: m.graph.quantization_annotation.add(tensor_name="nobody")),
    "a type for a value of nobody": relu_with(
        lambda m: m.graph.value_info.append(helper.make_tensor_value_info("nobody", 7, [3]))),
    "a key of metadata twice": relu_with(
        lambda m: m.metadata_props.extend([onnx.StringStringEntryProto(key="k", value="v")] * 2)),
    "a name with a NUL": graph(node("Relu", ["x"], ["a\0b"]), node("Exp", ["a\0b"], ["y"])),
    "nodes of one name": graph(
        node("Relu", ["x"], ["h"], name="n"), node("Exp", ["h"], ["y"], name="n")),
    "a dimension without a name": relu_with(
        lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[0], "dim_param", "")),
    "a shape of an output that is another": gives(TensorProto.FLOAT, [7, 7, 7]),
    "a dimension of 0": dim(0, 0),
}  # fmt: skip
"""What is strange, and does no harm: it is read."""
