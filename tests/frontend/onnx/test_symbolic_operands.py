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
    model = onnx_model(nodes, inputs, outputs, {"two": np.array([2])}, opset=21)
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
    with pytest.raises(InputError, match=r"ask for a tensor of a negative size \(n - t\)"):
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


@pytest.mark.parametrize("mode", ["NOTSET", "SAME_UPPER"])
def test_a_transposed_convolution_says_how_large_its_result_is(mode: str) -> None:
    """It is cut off at both ends, or grows at its end."""
    node = helper.make_node(
        "ConvTranspose", ["x", "w"], ["y"], strides=[3, 2], output_shape=[10, 8], auto_pad=mode
    )
    weights = {"w": RNG.standard_normal((2, 3, 3, 3), "float32")}
    inputs: dict[str, Any] = {"x": ("float32", ["n", 2, "h", "w_"])}
    model = onnx_model([node], inputs, {"y": "float32"}, weights)
    run = tvmfuse.compile(model).load(num_threads=1)
    for n, h, w in ((1, 3, 3), (2, 3, 4), (1, 5, 6), (3, 1, 1)):
        feeds = {"x": RNG.standard_normal((n, 2, h, w), "float32")}
        known = tvmfuse.compile(model, dims={"n": n, "h": h, "w_": w}).load(num_threads=1)
        assert_agrees(run(feeds), known(feeds))
        if (h, w) != (1, 1):  # onnxruntime adds no more than there is
            assert_agrees(run(feeds), reference(model, feeds))


def test_group_normalization_of_any_number_of_channels() -> None:
    node = helper.make_node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=4)
    vector = ("float32", ["c"])
    inputs = {"x": ("float32", ["n", "c", "h", "w"]), "s": vector, "b": vector}
    model, run = loaded([node], inputs, {"y": "float32"})
    for channels in (4, 12):
        feeds = {
            name: RNG.standard_normal(shape, "float32")
            for name, shape in (("x", (2, channels, 3, 5)), ("s", channels), ("b", channels))
        }
        assert_agrees(run(feeds), reference(model, feeds))
    six = np.zeros(6, "float32")
    with pytest.raises(InputError, match=r"c//4\*4 == c|c == .*c//4"):
        run(x=np.zeros((2, 6, 3, 5), "float32"), s=six, b=six)


@pytest.mark.parametrize("center", [0, 1])
def test_as_many_boxes_as_it_is_fed_of_any_number(center: int) -> None:
    node = helper.make_node(
        "NonMaxSuppression", ["boxes", "scores", "most", "overlap"], ["y"], center_point_box=center
    )
    inputs = {
        "boxes": ("float32", ["n", "b", "four"]), "scores": ("float32", ["n", "c", "b"]),
        "most": ("int64", [1]), "overlap": ("float32", [1]),
    }  # fmt: skip
    model, run = loaded([node], inputs, {"y": "int64"})
    for count, most in ((9, 3), (40, 7), (5, 100)):
        corners = RNG.random((2, count, 2, 2), "float32")
        feeds = {
            "boxes": np.sort(corners, 2).reshape(2, count, 4),
            "scores": RNG.random((2, 3, count), "float32"),
            "most": np.array([most]), "overlap": np.array([0.4], "float32"),
        }  # fmt: skip
        assert_agrees(run(feeds), reference(model, feeds))
