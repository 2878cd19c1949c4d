"""Operators of tensors whose sizes are symbolic where mostly they are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError

RNG = np.random.default_rng(0)


def loaded(nodes: list[onnx.NodeProto], inputs: dict[str, Any], outputs: dict[str, str]) -> Any:
    """Return a model, and what runs it."""
    model = onnx_model(nodes, inputs, outputs, {"two": np.array([2])})
    return model, tvmfuse.compile(model).load(num_threads=1)


ROWS = helper.make_node("Shape", ["x"], ["rows"], start=0, end=1)
HALF = helper.make_node("Div", ["rows", "two"], ["a"])


@pytest.mark.parametrize(
    ("sizes", "takes"),
    [
        ([HALF, helper.make_node("Sub", ["rows", "a"], ["b"])], (7, 2, 1, 0)),
        ([helper.make_node("Sub", ["rows", "two"], ["a"]), helper.make_node("Identity", ["two"], ["b"])], (7, 2)),
    ],
)  # fmt: skip
def test_split_into_parts_of_symbolic_sizes(
    sizes: list[onnx.NodeProto], takes: tuple[int, ...]
) -> None:
    nodes = [
        ROWS, *sizes, helper.make_node("Concat", ["a", "b"], ["k"], axis=0),
        helper.make_node("Split", ["x", "k"], ["y", "z"], axis=0),
    ]  # fmt: skip
    outputs = dict.fromkeys("yz", "float32")
    model, run = loaded(nodes, {"x": ("float32", ["n", "m"])}, outputs)
    for rows in takes:
        feeds = {"x": RNG.standard_normal((rows, 3), "float32")}
        assert_agrees(run(feeds), reference(model, feeds))
    for rows in {0, 1} - set(takes):
        with pytest.raises(InputError, match="the model takes at least 2 for 'n'"):
            run(x=np.zeros((rows, 3), "float32"))


def test_split_into_a_part_that_two_sizes_tell() -> None:
    """Whether it is less than nothing shows as the model runs."""
    nodes = [
        ROWS, helper.make_node("Shape", ["w"], ["b"]), helper.make_node("Sub", ["rows", "b"], ["a"]),
        helper.make_node("Concat", ["a", "b"], ["k"], axis=0),
        helper.make_node("Split", ["x", "k"], ["y", "z"], "parts", axis=0),
    ]  # fmt: skip
    inputs = {"x": ("float32", ["n", "m"]), "w": ("float32", ["t"])}
    model, run = loaded(nodes, inputs, dict.fromkeys("yz", "float32"))
    for rows, last in ((7, 3), (4, 4)):
        feeds = {
            "x": RNG.standard_normal((rows, 3), "float32"), "w": np.zeros(last, "float32"),
        }  # fmt: skip
        assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="for 'parts' it has to hold that no part is less than"):
        run(x=np.zeros((3, 3), "float32"), w=np.zeros(5, "float32"))


def test_one_hot_with_its_two_values_in_a_vector_of_any_size() -> None:
    depth = helper.make_node("Constant", [], ["depth"], value_int=5)
    node = helper.make_node("OneHot", ["x", "depth", "values"], ["y"])
    inputs = {"x": ("int64", ["n", "m"]), "values": ("float32", ["k"])}
    model, run = loaded([depth, node], inputs, {"y": "float32"})
    feeds = {
        "x": RNG.integers(-5, 5, (3, 4)), "values": np.array([0.5, 2], "float32"),
    }  # fmt: skip
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="'values'"):
        run(feeds | {"values": np.zeros(3, "float32")})


def test_a_grid_of_points_of_any_size() -> None:
    node = helper.make_node("GridSample", ["x", "grid"], ["y"])
    inputs = {"x": ("float32", ["n", "c", "h", "w"]), "grid": ("float32", ["n", "p", "q", "r"])}
    model, run = loaded([node], inputs, {"y": "float32"})
    feeds = {
        "x": RNG.standard_normal((2, 3, 5, 7), "float32"),
        "grid": RNG.uniform(-1, 1, (2, 4, 6, 2)).astype("float32"),
    }
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="'grid'"):
        run(feeds | {"grid": np.zeros((2, 4, 6, 3), "float32")})


@pytest.mark.parametrize(
    ("settings", "images"),
    [
        ({}, [(8, 9), (4, 6)]),
        ({"strides": [2, 2]}, [(8, 9), (4, 7)]),
        ({"strides": [2, 3], "pads": [1, 0, 0, 1]}, [(7, 8), (5, 5)]),
    ],
)
def test_maxima_go_back_to_their_places(
    settings: dict[str, Any], images: list[tuple[int, int]]
) -> None:
    pool = {"kernel_shape": [2, 3], **settings}
    nodes = [
        helper.make_node("MaxPool", ["x"], ["y", "at"], **pool),
        helper.make_node("MaxUnpool", ["y", "at"], ["z"], **pool),
    ]
    model, run = loaded(nodes, {"x": ("float32", ["n", "c", "h", "w"])}, {"z": "float32"})
    for batch, image in enumerate(images, 1):
        feeds = {"x": RNG.standard_normal((batch, 2, *image), "float32")}
        assert_agrees(run(feeds), reference(model, feeds))
