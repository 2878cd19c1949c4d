"""Functions of a model: called twice, nested, of other opsets, malformed."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from onnx.reference import ReferenceEvaluator
from small_models import DATA, X, Y, agrees

import tvmfuse
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node


def function(
    name: str,
    nodes: Any,
    inputs: Any,
    outputs: Any,
    attributes: Any = (),
    domain: str = "my",
    opset: int = 17,
) -> onnx.FunctionProto:
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("my", 1)]
    return helper.make_function(domain, name, inputs, outputs, nodes, opsets, attributes)


def with_functions(model: onnx.ModelProto, *functions: onnx.FunctionProto) -> onnx.ModelProto:
    model.functions.extend(functions)
    for domain in {f.domain for f in functions}:
        model.opset_import.append(helper.make_opsetid(domain, 1))
    return model


def leaky(default: float | None = None) -> onnx.FunctionProto:
    """A function whose attribute goes on to a node inside."""
    inner = node("LeakyRelu", ["a"], ["b"])
    inner.attribute.append(
        onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    )
    made = function("Leaky", [inner], ["a"], ["b"], ["slope"] if default is None else [])
    if default is not None:
        made.attribute_proto.append(helper.make_attribute("slope", default))
    return made


def test_a_function_with_an_attribute_called_twice() -> None:
    calls = [
        node("Leaky", ["x"], ["h"], domain="my", slope=0.5),
        node("Leaky", ["h"], ["y"], domain="my", slope=-2.0),
    ]
    agrees(with_functions(onnx_model(calls, X, Y), leaky()), x=DATA)


def test_a_default_of_a_functions_attribute() -> None:
    calls = [
        node("Leaky", ["x"], ["h"], domain="my"),
        node("Leaky", ["h"], ["y"], domain="my", slope=3.0),
    ]
    agrees(with_functions(onnx_model(calls, X, Y), leaky(0.25)), x=DATA)


def test_functions_in_functions_with_the_same_names_inside() -> None:
    inner = function("Inner", [node("Neg", ["a"], ["t"]), node("Exp", ["t"], ["b"])], ["a"], ["b"])
    outer = function(
        "Outer",
        [node("Inner", ["a"], ["t"], domain="my"), node("Inner", ["t"], ["u"], domain="my"), node("Sub", ["u", "t"], [
        "b"])],
        ["a"], ["b"],
    )  # fmt: skip
    nodes = [node("Outer", ["x"], ["t"], domain="my"), node("Outer", ["t"], ["y"], domain="my")]
    agrees(with_functions(onnx_model(nodes, X, Y), outer, inner), x=DATA)


def test_a_function_of_an_own_opset() -> None:
    """ONNX allows it where both opsets have the same version of each operator in it."""
    body = function(
        "Old", [node("Neg", ["a"], ["t"]), node("Tanh", ["t"], ["b"])], ["a"], ["b"], opset=13
    )
    agrees(
        with_functions(onnx_model([node("Old", ["x"], ["y"], domain="my")], X, Y, opset=18), body),
        x=DATA,
    )


def test_a_function_of_an_opset_that_has_other_operators() -> None:
    """ReduceMax took its axes as an attribute until opset 17, as ONNX's evaluator reads it."""
    body = function("Old", [node("ReduceMax", ["a"], ["b"], axes=[1])], ["a"], ["b"], opset=13)
    model = onnx_model([node("Old", ["x"], ["y"], domain="my")], X, Y, opset=18)
    whole = with_functions(model, body)
    (expected,) = ReferenceEvaluator(whole).run(None, {"x": DATA})
    np.testing.assert_array_equal(tvmfuse.compile(whole).load()(x=DATA)["y"], expected)


def test_a_function_in_one_of_another_opset() -> None:
    inner = function("Inner", [node("Relu", ["a"], ["b"])], ["a"], ["b"], opset=13)
    calls = [node("Inner", ["a"], ["t"], domain="my"), node("Neg", ["t"], ["b"])]
    outer = function("Outer", calls, ["a"], ["b"], opset=17)
    nodes = [node("Outer", ["x"], ["y"], domain="my")]
    agrees(with_functions(onnx_model(nodes, X, Y, opset=17), outer, inner), x=DATA)


def test_a_function_is_checked_by_the_opset_that_it_imports() -> None:
    body = function("New", [node("ReduceMax", ["a"], ["b"], axes=[1])], ["a"], ["b"], opset=18)
    model = onnx_model([node("New", ["x"], ["y"], domain="my")], X, Y, opset=13)
    with pytest.raises(ModelError, match="axes"):
        import_model(with_functions(model, body))


def test_a_function_with_optional_operands_and_unread_outputs() -> None:
    body = function(
        "Bound",
        [node("Clip", ["a", "", "high"], ["b"]), node("Neg", ["a"], ["c"])],
        ["a", "high"],
        ["b", "c"],
    )
    nodes = [node("Bound", ["x", "top"], ["y", ""], domain="my")]
    agrees(with_functions(onnx_model(nodes, X, Y, {"top": np.array(1, "float32")}), body), x=DATA)


def test_functions_of_one_name_in_two_domains() -> None:
    one, two = (
        function("F", [node(op, ["a"], ["b"])], ["a"], ["b"], domain=d)
        for op, d in (("Neg", "my"), ("Abs", "your"))
    )
    nodes = [node("F", ["x"], ["h"], domain="my"), node("F", ["h"], ["y"], domain="your")]
    agrees(with_functions(onnx_model(nodes, X, Y), one, two), x=DATA)


def test_two_functions_of_one_name_are_refused_or_the_same() -> None:
    model = with_functions(
        onnx_model([node("Leaky", ["x"], ["y"], domain="my", slope=1.0)], X, Y), leaky(), leaky()
    )
    with pytest.raises(ModelError, match="Leaky"):
        import_model(model)


def test_a_function_that_calls_itself() -> None:
    body = function("F", [node("F", ["a"], ["b"], domain="my")], ["a"], ["b"])
    with pytest.raises(ModelError, match="F"):
        import_model(with_functions(onnx_model([node("F", ["x"], ["y"], domain="my")], X, Y), body))


def test_a_function_that_reads_what_it_does_not_have() -> None:
    body = function("F", [node("Add", ["a", "x"], ["b"])], ["a"], ["b"])
    with pytest.raises(ModelError, match="'x'"):
        import_model(with_functions(onnx_model([node("F", ["x"], ["y"], domain="my")], X, Y), body))
