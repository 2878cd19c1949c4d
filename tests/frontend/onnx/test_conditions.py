"""What has to hold of fed numbers: where it does not, the error names the node, and says what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError

pytestmark = pytest.mark.sampled(5)

X = np.arange(1, 13, dtype="float32").reshape(3, 4)
ANY = ("float32", ("n", "m"))


def i64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def f32(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


# Operator, attributes, feeds that are right, the one that is not, what the error says.
CASES: dict[str, tuple[str, dict[str, Any], dict[str, np.ndarray], dict[str, np.ndarray], str]] = {
    "expand": (
        "Expand", {}, {"x": X, "k": i64(2, 3, 4)}, {"k": i64(2, 2, 4)},
        "one size is 1 or both are equal",
    ),
    "step": (
        "Slice", {}, {"x": X, "b": i64(0), "e": i64(3), "a": i64(0), "s": i64(2)}, {"s": i64(0)},
        "no step is zero",
    ),
    "axes": (
        "Slice", {}, {"x": X, "b": i64(0), "e": i64(3), "a": i64(1)}, {"a": i64(2)},
        "its axes differ and are within the rank",
    ),
    "count": ("TopK", {}, {"x": X, "k": i64(2)}, {"k": i64(5)}, "it takes no more than there are"),
    "squeeze": (
        "Squeeze", {}, {"x": X[:1], "a": i64(0)}, {"a": i64(1)}, "what it squeezes has one element",
    ),
    "lengths": (
        "ReverseSequence", {}, {"x": X, "k": i64(0, 1, 2, 3)}, {"k": i64(0, 1, 2, 4)},
        "no length is beyond the axis of time",
    ),
    "cut": (
        "Pad", {}, {"x": X, "p": i64(0, 1, -1, 0)}, {"p": i64(0, 0, -4, 0)},
        "no more is cut off than there is",
    ),
    "mirrored": (
        "Pad", {"mode": "edge"}, {"x": X, "p": i64(0, 1, -1, 0)}, {"p": i64(1, 0, -3, 0)},
        "what it mirrors or repeats is not empty",
    ),
    "scales": (
        "Resize", {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
        {"x": X, "": f32(), "s": f32(2, 1.5)}, {"s": f32(1.5, 1.5)}, "its scales give whole sizes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize("case", CASES)
def test_the_error_says_what_has_to_hold(case: str, level: str) -> None:
    op, attributes, right, wrong, what = CASES[case]
    inputs = {name: (str(a.dtype), a.shape) for name, a in right.items() if name}
    made = [f"y{i}" for i in range(2 if op == "TopK" else 1)]
    node = helper.make_node(op, list(right), made, "at/fault", **attributes)
    outputs = dict.fromkeys(made, "float32") | ({"y1": "int64"} if op == "TopK" else {})
    model = onnx_model([node], {**inputs, "x": ANY}, outputs, opset=18)
    run = tvmfuse.compile(model, level=level).load()
    feeds = {name: array for name, array in right.items() if name}
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match=f"cannot have: for 'at_fault' it has to hold that {what}"):
        run(feeds | wrong)
    assert_agrees(run(feeds), reference(model, feeds))


def test_of_several_nodes_the_one_at_fault_is_named() -> None:
    nodes = [
        helper.make_node("Slice", [x, "b", "e", "a", s], [y], y)
        for x, s, y in (("x", "s", "first"), ("first", "t", "second"))
    ]
    one = ("int64", (1,))
    model = onnx_model(
        nodes, {"x": ANY, **dict.fromkeys("beast", one)}, {"second": "float32"}, opset=18
    )
    run = tvmfuse.compile(model).load()
    feeds = {"x": X, "b": i64(0), "e": i64(3), "a": i64(0), "s": i64(1), "t": i64(1)}
    assert_agrees(run(feeds), reference(model, feeds))
    for step, name in (("s", "first"), ("t", "second")):
        with pytest.raises(InputError, match=f"for '{name}' it has to hold that no step is zero"):
            run(feeds | {step: i64(0)})


def test_a_node_with_two_underscores_asks_for_nothing_by_its_name() -> None:
    node = helper.make_node("Reshape", ["x", "k"], ["y"], "node__to_copy")
    inputs = {"x": ANY, "k": ("int64", (2,))}
    run = tvmfuse.compile(onnx_model([node], inputs, {"y": "float32"}, opset=18)).load()
    for shape in (i64(5, 5), i64(2**40, 2**40)):
        with pytest.raises(InputError, match=r"has to be -?\d+ \(.*node__to_copy_0"):
            run(x=X, k=shape)


def test_two_sizes_that_have_to_be_one_are_told() -> None:
    node = helper.make_node("Split", ["x", "k"], ["y0", "y1"], "parts", axis=0)
    inputs = {"x": ANY, "k": ("int64", (2,))}
    model = onnx_model([node], inputs, dict.fromkeys(("y0", "y1"), "float32"), opset=18)
    run = tvmfuse.compile(model).load()
    assert_agrees(run(x=X, k=i64(1, 2)), reference(model, {"x": X, "k": i64(1, 2)}))
    with pytest.raises(InputError, match=r"is 3, and has to be 4 \(parts_0 \+ parts_1\)"):
        run(x=X, k=i64(1, 3))


def test_sizes_of_the_run_meet_those_of_an_input_in_half_precision() -> None:
    """Between the check and its use there is a tensor, of float32, whose memory is planned."""
    nodes = [
        helper.make_node("Pad", ["x", "pads"], ["p"]),
        helper.make_node("Sum", ["p", "q", "q"], ["y"]),
    ]
    inputs = {
        "x": ("float16", ("a", "b", "c")), "q": ("float16", ("d", "e", "f")),
        "pads": ("int64", (6,)),
    }  # fmt: skip
    model = onnx_model(nodes, inputs, {"y": "float16"}, opset=18)
    run = tvmfuse.compile(model).load()
    feeds = {
        "x": np.ones((2, 3, 4), "float16"), "q": np.ones((3, 4, 5), "float16"),
        "pads": i64(1, 0, 0, 0, 1, 1),
    }  # fmt: skip
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match=r"is 5, and has to be 4 \(Pad_0_2\)"):
        run(feeds | {"pads": i64(1, 0, 0, 0, 1, 0)})
