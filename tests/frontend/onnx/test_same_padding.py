"""SAME_UPPER and SAME_LOWER of images of any size, as TensorFlow's models are padded."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse

pytestmark = pytest.mark.sampled(5)

MODES = pytest.mark.parametrize("mode", ["SAME_UPPER", "SAME_LOWER"])
SIZES = [(1, 16, 16), (2, 15, 17), (1, 7, 30), (1, 5, 6), (3, 1, 2)]
RNG = np.random.default_rng(0)


def agree(model: onnx.ModelProto, level: str = "all") -> tvmfuse.Artifact:
    """Compare one artifact with ONNX's definition, at several sizes."""
    artifact = tvmfuse.compile(model, level=level)
    run = artifact.load(num_threads=1)
    for n, h, w in SIZES:
        feeds = {"x": RNG.standard_normal((n, 3, h, w), "float32")}
        assert_agrees(run(feeds), reference(model, feeds))
    return artifact


@MODES
@pytest.mark.parametrize(
    ("kernel", "strides"),
    [
        ((3, 3), (2, 2)),
        ((5, 5), (3, 2)),
        ((1, 1), (2, 2)),
        ((4, 2), (4, 1)),
        ((3, 1), (2, 1)),
        ((2, 3), (3, 5)),
    ],
)
@pytest.mark.sampled(3)
def test_convolutions(mode: str, kernel: tuple[int, int], strides: tuple[int, int]) -> None:
    weight = RNG.standard_normal((16, 3, *kernel), "float32")
    node = helper.make_node("Conv", ["x", "w"], ["y"], auto_pad=mode, strides=strides)
    inputs: dict[str, Any] = {"x": ("float32", ["n", 3, "h", "w"])}
    agree(onnx_model([node], inputs, {"y": "float32"}, {"w": weight}))


@MODES
def test_convolutions_of_bytes(mode: str) -> None:
    """What is padded is the zero point, whose number after centering is 0."""
    given = {
        "w": RNG.integers(-5, 6, (4, 3, 3, 3)).astype("int8"),
        "zero": np.array(7, "uint8"),
        "w_zero": np.array(0, "int8"),
        "scale": np.array(0.1, "float32"),
        "one": np.array(1, "float32"),
    }
    quantized = ["x", "scale", "zero", "w", "scale", "w_zero", "one", "zero"]
    nodes = [
        helper.make_node(op, operands, [y], auto_pad=mode, strides=[2, 3])
        for y, op, operands in (
            ("y", "ConvInteger", ["x", "w", "zero"]),
            ("z", "QLinearConv", quantized),
        )
    ]
    inputs: dict[str, Any] = {"x": ("uint8", ["n", 3, "h", "wide"])}
    model = onnx_model(nodes, inputs, {"y": "int32", "z": "uint8"}, given)
    run = tvmfuse.compile(model).load(num_threads=1)
    for n, h, w in SIZES:
        feeds = {"x": RNG.integers(0, 256, (n, 3, h, w)).astype("uint8")}
        assert_agrees(run(feeds), reference(model, feeds))


@pytest.mark.sampled(3)
@MODES
@pytest.mark.parametrize("level", ["none", "all"])
def test_a_stem_with_a_shortcut(mode: str, level: str) -> None:
    """Both ways to the sum have as many lines and columns, which their dimensions say."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], auto_pad=mode, strides=(2, 2)),
        helper.make_node(
            "MaxPool", ["a"], ["b"], auto_pad=mode, strides=(2, 2), kernel_shape=(3, 3)
        ),
        helper.make_node("Conv", ["b", "v"], ["c"], auto_pad=mode),
        helper.make_node("Conv", ["a", "s"], ["d"], auto_pad=mode, strides=(2, 2)),
        helper.make_node("Add", ["c", "d"], ["y"]),
    ]
    weights = {
        "w": RNG.standard_normal((16, 3, 7, 7), "float32") / 12,
        "v": RNG.standard_normal((16, 16, 3, 3), "float32") / 12,
        "s": RNG.standard_normal((16, 16, 1, 1), "float32") / 4,
    }
    inputs: dict[str, Any] = {"x": ("float32", ["n", 3, "h", "w"])}
    agree(onnx_model(nodes, inputs, {"y": "float32"}, weights), level)


@MODES
@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("AveragePool", {"kernel_shape": [3, 2], "strides": [2, 2]}),
        ("AveragePool", {"kernel_shape": [3, 3], "strides": [2, 1]}),
        ("AveragePool", {"kernel_shape": [3, 3], "strides": [2, 2], "count_include_pad": 1}),
        ("LpPool", {"kernel_shape": [3, 4], "strides": [2, 2], "p": 2}),
    ],
)
def test_means_of_what_lies_in_the_image(mode: str, op: str, attributes: dict[str, Any]) -> None:
    node = helper.make_node(op, ["x"], ["y"], auto_pad=mode, **attributes)
    agree(onnx_model([node], {"x": ("float32", ["n", 3, "h", "w"])}, {"y": "float32"}))


@MODES
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_maxima_of_bytes(mode: str, dtype: str) -> None:
    node = helper.make_node(
        "MaxPool", ["x"], ["y"], auto_pad=mode, kernel_shape=[3, 2], strides=[2, 2]
    )
    model = onnx_model([node], {"x": (dtype, ["n", 3, "h", "w"])}, {"y": dtype})
    run, numbers = tvmfuse.compile(model).load(num_threads=1), np.iinfo(dtype)
    for n, h, w in SIZES:
        feeds = {"x": RNG.integers(numbers.min, numbers.min + 9, (n, 3, h, w), dtype)}
        assert_agrees(run(feeds), reference(model, feeds))


@MODES
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize(("kernel", "strides"), [((3, 3), (2, 2)), ((3, 4), (2, 4))])
def test_places_of_maxima(
    mode: str, order: int, kernel: Sequence[int], strides: Sequence[int]
) -> None:
    """They count pixels of the image, not of what it is padded to."""
    node = helper.make_node(
        "MaxPool", ["x"], ["y", "at"], auto_pad=mode, kernel_shape=kernel, strides=strides,
        storage_order=order,
    )  # fmt: skip
    inputs: dict[str, Any] = {"x": ("float32", ["n", 3, "h", "w"])}
    agree(onnx_model([node], inputs, {"y": "float32", "at": "int64"}))


@MODES
def test_places_of_maxima_apart_are_those_of_known_sizes(mode: str) -> None:
    """onnxruntime has fewer windows where taps lie apart."""
    node = helper.make_node(
        "MaxPool", ["x"], ["y", "at"], auto_pad=mode, kernel_shape=[3, 2], strides=[2, 1],
        dilations=[2, 3],
    )  # fmt: skip
    outputs = {"y": "float32", "at": "int64"}
    model = onnx_model([node], {"x": ("float32", ["n", 3, "h", "w"])}, outputs)
    run = tvmfuse.compile(model).load(num_threads=1)
    for n, h, w in SIZES[:3]:
        feeds = {"x": RNG.standard_normal((n, 3, h, w), "float32")}
        known = tvmfuse.compile(model, dims={"n": n, "h": h, "w": w}).load(num_threads=1)
        assert_agrees(run(feeds), known(feeds))


@MODES
def test_places_of_maxima_where_one_axis_is_known(mode: str) -> None:
    node = helper.make_node(
        "MaxPool", ["x"], ["y", "at"], auto_pad=mode, kernel_shape=[3, 3], strides=[2, 2]
    )
    outputs = {"y": "float32", "at": "int64"}
    model = onnx_model([node], {"x": ("float32", ["n", 3, 7, "w"])}, outputs)
    run = tvmfuse.compile(model).load(num_threads=1)
    for n, w in ((1, 16), (2, 17), (3, 1)):
        feeds = {"x": RNG.standard_normal((n, 3, 7, w), "float32")}
        assert_agrees(run(feeds), reference(model, feeds))
