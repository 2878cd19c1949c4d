"""Truth values that become numbers are chosen, not cast."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from tvm import te, tirx

import tvmfuse
from tvmfuse.build.kernels.selected_truths import with_selected_truths

#: Each is followed by a function whose code gives its operand a name.
AFTER = "Tanh", "Exp", "Sqrt", "Sigmoid", "Erf", "Softplus", "Log"


def with_casts(expr: Any) -> Any:
    x = te.placeholder((20,), name="x")
    return te.create_prim_func([x, te.compute((20,), lambda i: expr(x[i]), name="y")])


def test_a_cast_becomes_a_choice() -> None:
    function = with_selected_truths(with_casts(lambda x: tirx.Cast("float32", x > 0)))
    assert "Cast" not in function.script()
    assert "T.Select" in function.script()


def test_vectors_have_constants_of_their_lanes() -> None:
    lanes = tirx.Ramp(tirx.const(0, "int32"), tirx.const(1, "int32"), 8)
    there = tirx.LT(lanes, tirx.Broadcast(tirx.const(5, "int32"), 8))
    vector = tirx.Evaluate(tirx.Cast("float32x8", there))
    script = with_selected_truths(with_casts(lambda x: x).with_body(vector)).script()
    assert "T.Broadcast(T.float32(1.0), 8)" in script
    assert "Cast" not in script


def test_other_casts_stay() -> None:
    function = with_casts(lambda x: tirx.Cast("float32", tirx.Cast("int32", x)))
    assert with_selected_truths(function).same_as(function)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("exponent", [None, 0.5, 1.5])
def test_numbers_of_signs(after: str, exponent: float | None) -> None:
    """A sign is a difference of two comparisons, where torch writes it."""
    nodes = [
        helper.make_node("Greater", ["x", "zero"], ["more"]),
        helper.make_node("Less", ["x", "zero"], ["less"]),
        helper.make_node("Cast", ["more"], ["a"], to=1),
        helper.make_node("Cast", ["less"], ["b"], to=1),
        helper.make_node("Sub", ["a", "b"], ["s"]),
        helper.make_node("Pow", ["s", "e"], ["p"])
        if exponent
        else helper.make_node("Neg", ["s"], ["p"]),
        helper.make_node(after, ["p"], ["y"]),
    ]
    numbers = {"zero": np.array(0, "float32"), "e": np.array(exponent or 1, "float32")}
    x = np.linspace(-3, 3, 37, dtype="float32")
    for shape in ((37,), ("n",)):
        model = onnx_model(nodes, {"x": ("float32", shape)}, {"y": "float32"}, numbers)
        with np.errstate(all="ignore"):
            found = tvmfuse.compile(model, strict=True).load()({"x": x})
        assert_agrees(found, reference(model, {"x": x}))
