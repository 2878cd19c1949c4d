"""Models whose functions or branches are wrong: each is a line, with a word of its refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import onnx
from malformed import node
from malformed_graphs import ONE, TWO, Wrong, branch, chosen, graph, with_
from onnx import TensorProto, helper

BODY: Final = [node("Neg", ["a"], ["b"])]
CALL: Final = node("F", ["x"], ["y"], name="caller", domain="my")


def function(
    nodes: Sequence[onnx.NodeProto] = BODY,
    inputs: Sequence[str] = ("a",),
    outputs: Sequence[str] = ("b",),
    name: str = "F",
    domain: str = "my",
    attributes: Sequence[str] = (),
    opset: int = 17,
) -> onnx.FunctionProto:
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("my", 1)]
    return helper.make_function(domain, name, inputs, outputs, nodes, opsets, attributes)


def calling(
    *functions: onnx.FunctionProto, call: onnx.NodeProto = CALL, **more: Any
) -> onnx.ModelProto:
    made = graph(call, **more)
    made.functions.extend(functions)
    made.opset_import.append(helper.make_opsetid("my", 1))
    return made


def refers(to: str) -> onnx.NodeProto:
    made = node("LeakyRelu", ["a"], ["b"], name="inner")
    made.attribute.add(name="alpha", ref_attr_name=to, type=onnx.AttributeProto.FLOAT)
    return made


def without_opsets() -> onnx.FunctionProto:
    made = function()
    del made.opset_import[:]
    return made


FUNCTIONS: Final[Mapping[str, Wrong]] = {
    "a function that calls itself": (
        calling(function([node("F", ["a"], ["b"], domain="my")])), "'F'"),
    "functions that call each other": (
        calling(function([node("G", ["a"], ["b"], domain="my")]),
                function([node("F", ["a"], ["b"], domain="my")], name="G")), "'F'"),
    "functions of a circle of three": (
        calling(function([node("G", ["a"], ["b"], domain="my")]),
                function([node("H", ["a"], ["b"], domain="my")], name="G"),
                function([node("F", ["a"], ["b"], domain="my")], name="H")), "'F'"),
    "a function that calls itself in a branch": (
        calling(function([
            node("Constant", [], ["c"], value_int=1), node("Cast", ["c"], ["d"], to=9),
            node("If", ["d"], ["b"], then_branch=branch(node("F", ["a"], ["r"], domain="my")),
                 else_branch=branch(node("Neg", ["a"], ["r"])))])), "'F'"),
    "two functions of one name": (calling(function(), function()), "'my::F'"),
    "more operands than it takes": (
        calling(function(), call=node("F", ["x", "x"], ["y"], name="caller", domain="my")),
        "'caller'"),
    "more outputs than it gives": (
        calling(function(), call=node("F", ["x"], ["y", "z"], name="caller", domain="my")),
        "'caller'"),
    "no operand, where it reads one": (
        calling(function(), call=node("F", [], ["y"], name="caller", domain="my")), "'caller'"),
    "an absent operand, where it reads one": (
        calling(function(), call=node("F", [""], ["y"], name="caller", domain="my")), "'caller'"),
    "an attribute that it does not take": (
        calling(function(), call=node("F", ["x"], ["y"], name="caller", domain="my", k=1)),
        "'caller'"),
    "an attribute of another type": (
        calling(function([refers("slope")], attributes=["slope"]),
                call=node("F", ["x"], ["y"], name="caller", domain="my", slope="steep")), "'caller'"),
    "a body that reads nothing": (calling(function([node("Neg", ["z"], ["b"])])), "'z'"),
    "a body that reads the graph's values": (
        calling(function([node("Neg", ["x"], ["b"])])), "'x'"),
    "a body that gives nothing": (calling(function(outputs=["z"])), "'z'"),
    "a body of an operator of nobody": (
        calling(function([node("Rleu", ["a"], ["b"], name="inner")])), "'inner'"),
    "a body of a domain of nobody": (
        calling(function([node("Neg", ["a"], ["b"], name="inner", domain="your")])), "'inner'"),
    "a body with a circle": (
        calling(function([node("Add", ["a", "b"], ["b"], name="inner")])), "'inner'"),
    "a body that defines a value twice": (
        calling(function([node("Neg", ["a"], ["b"]), node("Exp", ["a"], ["b"], name="inner")])),
        "'b'"),
    "a body that defines its input": (
        calling(function([node("Neg", ["a"], ["a"]), node("Exp", ["a"], ["b"])])), "'a'"),
    "an input twice": (
        calling(function(inputs=["a", "a"]),
                call=node("F", ["x", "x"], ["y"], name="caller", domain="my")), "'a'"),
    "no output": (calling(function(outputs=[])), "'caller'"),
    "no name": (calling(function(name="")), "no name"),
    "another name": (calling(function(name="G")), "'caller'"),
    "no opset": (calling(without_opsets()), "'F'"),
    "an opset of 99": (calling(function(opset=99)), "opset 99"),
    "an opset of 0": (calling(function(opset=0)), "0 is no version"),
    "a body whose shapes clash": (
        calling(function([node("MatMul", ["a", "a"], ["b"], name="inner")])), "'inner'"),
}  # fmt: skip


def value(name: str, element: int = TensorProto.FLOAT, dims: Any = None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element, dims)


def typed(element: int, dims: Any = None) -> onnx.GraphProto:
    made = branch(node("Relu", ["x"], ["r"], name="one"))
    made.output[0].CopyFrom(value("r", element, dims))
    return made


def weighted(**fields: Any) -> onnx.GraphProto:
    given: dict[str, Any] = {"name": "w", "dims": [3], "data_type": 1, "raw_data": bytes(12)}
    return branch(
        node("Add", ["x", "w"], ["r"], name="one"), weights=[TensorProto(**given | fields)]
    )


BRANCHES: Final[Mapping[str, Wrong]] = {
    "branch: an output of another dtype": (chosen(typed(TensorProto.INT64), TWO), "'one'"),
    "branch: an output of no element type": (chosen(typed(99), TWO), "'choice'"),
    "branch: dtypes that disagree": (
        chosen(branch(node("Cast", ["x"], ["r"], to=7)), TWO), "'choice'"),
    "branch: weights that are too short": (chosen(weighted(raw_data=bytes(8)), TWO), "(tensor name: w)"),
    "branch: weights of a negative size": (chosen(weighted(dims=[-3]), TWO), "initializer 'w'"),
    "branch: weights of no element type": (chosen(weighted(data_type=99), TWO), "initializer 'w'"),
    "branch: weights without a name": (chosen(weighted(name=""), TWO), "'one'"),
    "branch: weights in another file": (
        chosen(weighted(raw_data=b"", data_location=TensorProto.EXTERNAL), TWO), "'w'"),
    "branch: two weights of one name": (
        chosen(branch(node("Add", ["x", "w"], ["r"]),
                      weights=[*weighted().initializer, *weighted().initializer]), TWO),
        "w initializer name is not unique"),
    "branch: a circle": (
        chosen(branch(node("Add", ["x", "s"], ["r"], name="one"),
                      node("Exp", ["r"], ["s"], name="two")), TWO), "'one'"),
    "branch: a node without outputs": (
        chosen(branch(node("Relu", ["x"], [], name="one"), node("Exp", ["x"], ["r"])), TWO),
        "'one'"),
    "branch: shapes that clash": (
        chosen(branch(node("MatMul", ["x", "x"], ["r"], name="one")), TWO), "'one'"),
    "branch: an attribute of nobody": (
        chosen(branch(node("Relu", ["x"], ["r"], name="one", slope=1.0)), TWO), "slope"),
    "branch: a name that stands outside already": (
        chosen(branch(node("Relu", ["x"], ["h"], name="one"), gives="h"), TWO,
               node("Exp", ["x"], ["h"], name="outer")), "'h'"),
    "branch: in a branch, from nowhere": (
        chosen(branch(node("If", ["c"], ["r"], name="deep", else_branch=TWO, then_branch=branch(
            node("Exp", ["no"], ["s"], name="one"), gives="s"))), TWO), "'no'"),
    "branch: no text": (
        chosen(branch(node("Relu", ["x"], ["r"], name="BROKEN")), TWO)
        .SerializeToString().replace(b"BROKEN", b"\xff\xfe\xfd\xfc\xfb\xfa"), "UTF-8"),
    "branch: graphs for a node that takes none": (
        with_(graph(node("Relu", ["x"], ["y"], name="culprit", then_branch=ONE)), lambda m: m),
        "'culprit'"),
}  # fmt: skip
