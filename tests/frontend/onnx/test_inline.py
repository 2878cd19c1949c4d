"""Functions give way to their bodies: the model's, and those of ONNX's own operators."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, ops, run
from onnx import helper

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of

node = helper.make_node
X = {"x": ("float32", [2, 3])}
Y = {"y": "float32"}
FEED = {"x": np.random.default_rng(0).standard_normal((2, 3)).astype("float32")}


def with_functions(nodes: Any, *functions: onnx.FunctionProto) -> onnx.ModelProto:
    model = onnx_model(nodes, X, Y)
    model.functions.extend(functions)
    model.opset_import.append(helper.make_opsetid("local", 1))
    return model


def function(
    name: str,
    inputs: Any,
    outputs: Any,
    nodes: Any,
    attributes: Any = (),
    defaults: Any = (),
    opset: int = 17,
) -> onnx.FunctionProto:
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    return helper.make_function(
        "local", name, inputs, outputs, nodes, opsets, list(attributes), list(defaults)
    )


def names(model: onnx.ModelProto) -> list[tuple[str, ...]]:
    main = import_model(model).module["main"]
    return [nodes_of(value) for _, value in Dataflow.of(main).bindings]


DOUBLE = function("Double", ["a"], ["b"], [node("Add", ["a", "a"], ["b"], "sum")])
TWICE = function(
    "Twice", ["p"], ["q"],
    [node("Double", ["p"], ["m"], "first", domain="local"), node("Double", ["m"], ["q"], domain="local")],
)  # fmt: skip


def test_nested_functions_keep_the_outer_name(agrees: Any) -> None:
    model = with_functions([node("Twice", ["x"], ["y"], "outer", domain="local")], TWICE, DOUBLE)
    agrees(model, FEED)
    assert names(model) == [("outer/first/sum",), ("outer/Double_1/sum",)]


def test_the_same_function_twice(agrees: Any) -> None:
    nodes = [
        node("Double", ["x"], ["h"], domain="local"),
        node("Double", ["h"], ["y"], domain="local"),
    ]
    agrees(with_functions(nodes, DOUBLE), FEED)


def test_attributes_of_the_caller_reach_the_body(agrees: Any) -> None:
    inner = node("Elu", ["a"], ["b"])
    reference = onnx.AttributeProto(
        name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name="slope"
    )
    inner.attribute.append(reference)
    given = function("F", ["a"], ["b"], [inner], attributes=["slope"])
    agrees(with_functions([node("F", ["x"], ["y"], domain="local", slope=0.25)], given), FEED)
    default = function("F", ["a"], ["b"], [inner], defaults=[helper.make_attribute("slope", 3.0)])
    agrees(with_functions([node("F", ["x"], ["y"], domain="local")], default), FEED)


def test_an_input_may_be_an_output() -> None:
    both = function("Both", ["a"], ["b", "a"], [node("Neg", ["a"], ["b"])])
    nodes = [node("Both", ["x"], ["m", "same"], domain="local"), node("Sub", ["m", "same"], ["y"])]
    [y] = run(import_model(with_functions(nodes, both)).module, FEED["x"])
    np.testing.assert_array_equal(y, -2 * FEED["x"])


def test_an_optional_operand_may_be_absent(agrees: Any) -> None:
    clip = function("F", ["a", "low", "high"], ["b"], [node("Clip", ["a", "low", "high"], ["b"])])
    agrees(with_functions([node("F", ["x"], ["y"], domain="local")], clip), FEED)


def test_recursion_is_refused() -> None:
    loop = function("F", ["a"], ["b"], [node("F", ["a"], ["b"], domain="local")])
    with pytest.raises(MalformedModelError, match="must not be recursive|calls itself"):
        import_model(with_functions([node("F", ["x"], ["y"], domain="local")], loop))


def test_a_function_with_a_branch(agrees: Any) -> None:
    def branch(op: str) -> onnx.GraphProto:
        value = helper.make_tensor_value_info("r", 1, None)
        return helper.make_graph([node(op, ["a"], ["r"])], op, [], [value])

    nodes = [
        node("ReduceSum", ["a"], ["s"], keepdims=0),
        node("Cast", ["s"], ["c"], to=onnx.TensorProto.BOOL),
        node("If", ["c"], ["b"], then_branch=branch("Exp"), else_branch=branch("Neg")),
    ]
    model = with_functions(
        [node("F", ["x"], ["y"], domain="local")], function("F", ["a"], ["b"], nodes)
    )
    agrees(model, FEED, {"x": np.zeros((2, 3), "float32")})


@pytest.mark.parametrize(
    ("op", "opset", "attributes"),
    [
        ("Celu", 12, {"alpha": 2.0}),
        ("Celu", 17, {}),
        ("MeanVarianceNormalization", 13, {"axes": [1]}),
    ],
)
def test_operators_that_onnx_defines_by_others(
    agrees: Any, op: str, opset: int, attributes: dict[str, Any]
) -> None:
    agrees(onnx_model([node(op, ["x"], ["y"], "n", **attributes)], X, Y, opset=opset), FEED)


def test_an_operator_whose_body_depends_on_its_types(agrees: Any) -> None:
    inputs = {"x": ("float32", [3, 5]), "t": ("int64", [3])}
    nodes = [node("SoftmaxCrossEntropyLoss", ["x", "t"], ["y"], "loss", reduction="mean")]
    model = onnx_model(nodes, inputs, Y, opset=13)
    scores = np.random.default_rng(0).standard_normal((3, 5)).astype("float32")
    agrees(model, {"x": scores, "t": np.array([0, 4, 2])})
    assert all(n.startswith("loss/") for [n] in names(model))


def test_what_has_a_converter_is_not_taken_apart() -> None:
    model = onnx_model([node("Gelu", ["x"], ["y"])], X, Y, opset=20)
    assert ops(import_model(model).module) == ["gelu"]
