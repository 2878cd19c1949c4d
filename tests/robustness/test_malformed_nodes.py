"""Nodes whose attributes or operands are wrong: each is refused in words that name it."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from malformed import X, Y, node, refused
from onnx import defs, helper

from tvmfuse.errors import MalformedModelError, ModelError
from tvmfuse.frontend.onnx.choices import CHOICES, check_choices


def test_an_attribute_of_the_wrong_type() -> None:
    refused(onnx_model([node("Softmax", ["x"], ["y"], name="n", axis="last")], X, Y), "axis", "'n'")
    refused(onnx_model([node("Transpose", ["x"], ["y"], name="n", perm=1)], X, Y), "perm", "'n'")


def test_an_attribute_that_the_operator_does_not_have() -> None:
    refused(onnx_model([node("Relu", ["x"], ["y"], name="n", slope=0.1)], X, Y), "slope", "'n'")


def test_missing_required_attributes() -> None:
    refused(onnx_model([node("Concat", ["x", "x"], ["y"], name="n")], X, Y), "axis", "'n'")
    refused(onnx_model([node("Cast", ["x"], ["y"], name="n")], X, Y), "to", "'n'")
    refused(
        onnx_model([node("If", ["x"], ["y"], name="n")], {"x": ("bool", ())}, Y), "'n'", "branch"
    )
    refused(onnx_model([node("Constant", [], ["y"], name="n")], X, Y), "Constant")


def test_missing_and_surplus_operands() -> None:
    refused(onnx_model([node("Add", ["x"], ["y"], name="n")], X, Y), "'n'")
    refused(onnx_model([node("Relu", ["x", "x"], ["y"], name="n")], X, Y), "'n'")
    refused(onnx_model([node("Add", ["x", ""], ["y"], name="n")], X, Y), "n", kind=ModelError)
    refused(onnx_model([node("Relu", ["x"], ["y", "z"], name="n")], X, Y), "'n'")


@pytest.mark.parametrize(
    ("operator", "shape", "attributes"),
    [
        ("Softmax", (2, 3), {"axis": 5}),
        ("Transpose", (2, 3), {"perm": [0, 0]}),
        ("Transpose", (2, 3), {"perm": [0, 7]}),
        ("Transpose", (2, 3), {"perm": [0]}),
        ("Flatten", (2, 3), {"axis": 9}),
        ("Cast", (2, 3), {"to": 77}),
        ("Cast", (2, 3), {"to": 0}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [2]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [0, 0]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [-2, 2]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [2, 2], "strides": [0, 0]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [9, 9]}),
        ("AveragePool", (1, 1, 4, 4), {"kernel_shape": [9, 9]}),
        ("LpPool", (1, 1, 4, 4), {"kernel_shape": [9, 9]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [2, 2], "auto_pad": "SOME"}),
        ("AveragePool", (1, 1, 4, 4), {"kernel_shape": [2, 2], "strides": [0, 1]}),
        ("DepthToSpace", (1, 3, 4, 4), {"blocksize": 2}),
        ("DepthToSpace", (1, 4, 4, 4), {"blocksize": 0}),
        ("SpaceToDepth", (1, 3, 5, 4), {"blocksize": 2}),
        ("ReduceMax", (2, 3), {"axes": [5]}),
        ("LRN", (1, 3, 4, 4), {"size": 0}),
    ],
)  # fmt: skip
def test_attributes_that_make_no_sense(
    operator: str, shape: tuple[int, ...], attributes: Any
) -> None:
    model = onnx_model(
        [node(operator, ["x"], ["y"], name="n", **attributes)], {"x": ("float32", shape)}, Y
    )
    model.graph.output[0].type.tensor_type.elem_type = int(attributes.get("to", 1))
    refused(model, kind=ModelError)


@pytest.mark.parametrize(
    "attributes",
    [
        {"strides": [0, 0]}, {"strides": [-1, 1]}, {"strides": [1]}, {"dilations": [0, 1]},
        {"group": 0}, {"group": 2}, {"group": -1}, {"pads": [1, 1]}, {"pads": [-9, -9, -9, -9]},
        {"kernel_shape": [5, 5]}, {"kernel_shape": [3]},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("operator", ["Conv", "ConvTranspose"])
def test_convolutions_that_make_no_sense(operator: str, attributes: Any) -> None:
    model = onnx_model(
        [node(operator, ["x", "w"], ["y"], name="the conv", **attributes)],
        {"x": ("float32", (1, 3, 4, 4))}, Y, {"w": np.ones((3, 3, 3, 3), "float32")},
    )  # fmt: skip
    refused(model, kind=ModelError)


@pytest.mark.parametrize(
    ("operator", "operand"),
    [
        ("Reshape", [7, 7]), ("Reshape", [-1, -1]), ("Reshape", [-2, 3]), ("Reshape", [-1, 4]), ("Reshape", [2, 3, 0]),
        ("Expand", [5, 5]), ("Expand", [-2, 3]), ("Squeeze", [0]), ("Squeeze", [4]), ("Unsqueeze", [7]), ("Unsqueeze",
            [1, 1]),
        ("Tile", [1]), ("Tile", [-1, 2]), ("Split", [1, 3]), ("Split", [-1, 3]), ("Pad", [1]), ("Pad", [-5, 0, 0, 0]),
    ],
    ids=str,
)  # fmt: skip
def test_operands_that_make_no_sense(operator: str, operand: list[int]) -> None:
    outputs = {"y": "float32", "z": "float32"} if operator == "Split" else Y
    model = onnx_model(
        [node(operator, ["x", "c"], [*outputs], name="n")], X, outputs, {"c": np.array(operand)}
    )
    refused(model, kind=ModelError)


# Types of inputs and weights.


@pytest.mark.parametrize(
    ("operator", "attribute"),
    [(name, attribute) for name, said in CHOICES.items() for attribute in said]
    + [(name, "auto_pad") for name in ("Conv", "ConvTranspose", "MaxPool", "LpPool")],
)
def test_a_word_that_the_operator_does_not_have(operator: str, attribute: str) -> None:
    """Taken for a default, it would be compiled to other numbers."""
    schema = defs.get_schema(operator, 9 if operator == "Upsample" else 21)
    assert str(schema.attributes[attribute].type).endswith("STRING")
    for word in ("dinear", "", b"\xff"):
        made = node(operator, ["x"], ["y"], name="n")
        made.attribute.append(helper.make_attribute(attribute, word))
        with pytest.raises(MalformedModelError, match=f"node 'n' .{operator}.: {attribute} is b"):
            check_choices([made])


@pytest.mark.parametrize(("operator", "said"), CHOICES.items(), ids=CHOICES)
def test_a_word_that_the_operator_has(operator: str, said: Any) -> None:
    for attribute, words in said.items():
        for word in words:
            made = node(operator, ["x"], ["y"])
            made.attribute.append(helper.make_attribute(attribute, word))
            check_choices([made])
        default = defs.get_schema(operator, 9 if operator == "Upsample" else 21)
        value = default.attributes[attribute].default_value
        if value.type:
            assert value.s.decode() in words


def test_a_model_with_a_word_of_nobody_is_refused() -> None:
    inputs, sizes = {"x": ("float32", (1, 1, 4, 4))}, {"s": np.array([1, 1, 2, 2], "float32")}
    for attributes, words in (
        ({"mode": "dinear"}, "mode is b'dinear', and ONNX has nearest, linear, cubic"),
        ({"coordinate_transformation_mode": "half"}, "is b'half', and ONNX has half_pixel"),
    ):
        resize = node("Resize", ["x", "", "s"], ["y"], name="n", **attributes)
        refused(onnx_model([resize], inputs, Y, sizes), "node 'n' (Resize): ", words)


@pytest.mark.parametrize(
    "equation", [b"ij,jk>\x94ik", b"i.j,jk->ik", b"i1,1k->ik", b"ij-jk", b"i->j->k", b"......"]
)
def test_an_equation_that_is_none(equation: bytes) -> None:
    """Onnx's shape inference never ends on the first two."""
    einsum = node("Einsum", ["x", "x"], ["y"], name="n", equation=equation)
    refused(onnx_model([einsum], {"x": ("float32", [2, 2])}, Y), "expected terms of letters", "'n'")
