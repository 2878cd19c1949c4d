"""Windows that reach beyond the image: what ONNX says of them, and no work for what is not there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.convert.windows import Windows, clipped
from tvmfuse.ir.dataflow import Dataflow

SHAPE = (1, 3, 7, 6)

CASES: dict[str, dict[str, Any]] = {
    "whole image": {"kernel_shape": [1280, 1280], "strides": [1280, 1280], "ceil_mode": 1},
    "padded": {"kernel_shape": [20, 20], "strides": [20, 20], "pads": [9, 9, 9, 9]},
    "to one side": {"kernel_shape": [9, 9], "strides": [1, 1], "pads": [1, 2, 3, 4]},
    "one axis": {"kernel_shape": [9, 3], "strides": [2, 2], "pads": [4, 1, 4, 1]},
    "rounded up": {"kernel_shape": [9, 9], "strides": [4, 4], "pads": [3] * 4, "ceil_mode": 1},
    "none behind the image": {"kernel_shape": [1, 2], "strides": [3, 5], "ceil_mode": 1},
    "nor in padding": {
        "kernel_shape": [2] * 2,
        "strides": [2] * 2,
        "pads": [1] * 4,
        "ceil_mode": 1,
    },
    "far apart": {"kernel_shape": [20, 20], "dilations": [2, 2], "pads": [16, 16, 17, 17]},
    "dilated": {"kernel_shape": [3, 3], "dilations": [4, 4], "pads": [2] * 4, "strides": [2, 2]},
}


def pool(op: str, shape: Sequence[int | str] = SHAPE, **attributes: Any) -> onnx.ModelProto:
    node = helper.make_node(op, ["x"], ["y"], name="pool", **attributes)
    return onnx_model([node], {"x": ("float32", shape)}, {"y": "float32"}, opset=19)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "counting padding"])
def test_agrees_with_onnxruntime(agrees: Any, op: str, case: str) -> None:
    counted: dict[str, Any] = {"count_include_pad": 1} if op == "counting padding" else {}
    model = pool("AveragePool" if counted else op, **CASES[case], **counted)
    x = np.random.default_rng(0).standard_normal(SHAPE).astype("float32")
    # Of a NaN, onnxruntime's maximum depends on where it stands.
    x[0, 0, 3, 3], x[0, 1, 0, 0] = np.inf if op == "MaxPool" else np.nan, np.inf
    agrees(model, {"x": x})


@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize("case", CASES)
def test_norms_of_windows(agrees: Any, case: str, p: int) -> None:
    """onnxruntime's LpPool takes the padding for zeros, and reads nothing behind it."""
    x = np.random.default_rng(0).standard_normal(SHAPE).astype("float32")
    x[0, 0, 3, 3], x[0, 1, 0, 0] = np.nan, np.inf
    agrees(pool("LpPool", SHAPE, p=p, **CASES[case]), {"x": x})


@pytest.mark.parametrize("counted", [0, 1])
def test_pools_of_float64(counted: int) -> None:
    """Windows that are clipped are multiplied by how much of them is left; nobody else has LpPool."""
    x = np.random.default_rng(0).standard_normal(SHAPE)
    op, more = ("AveragePool", {"count_include_pad": 1}) if counted else ("LpPool", {"p": 3})
    said: dict[str, Any] = {**CASES["padded"], **more}
    node = helper.make_node(op, ["x"], ["y"], **said)
    model = onnx_model([node], {"x": ("float64", SHAPE)}, {"y": "float64"}, opset=19)
    [found] = run(import_model(model).module, x)
    whole = x.mean((2, 3)) * 42 / 400 if counted else (np.abs(x) ** 3).sum((2, 3)) ** (1 / 3)
    np.testing.assert_allclose(found[..., 0, 0], whole, rtol=1e-12)


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "LpPool"])
@pytest.mark.parametrize("shape", [("n", 3, 7, 6), (1, 3, "h", 6)], ids=str)
def test_sizes_known_when_the_model_runs(agrees: Any, op: str, shape: Any) -> None:
    """Axes that are known are clipped, the others stay as they are."""
    whole: dict[str, Any] = {"kernel_shape": [9, 1280], "strides": [9, 1280], "ceil_mode": 1}
    model = pool(op, shape, **whole)
    x = np.random.default_rng(0).standard_normal(SHAPE).astype("float32")
    imported = agrees(model, {"x": x})
    [kernel] = {
        tuple(map(int, value.attrs.pool_size))
        for _, value in Dataflow.of(imported.module["main"]).bindings
        if hasattr(value.attrs, "pool_size")
    }
    assert kernel == (9 if "h" in shape else 7, 6)


ROUNDED_UP: dict[str, dict[str, Any]] = {
    "3x3 / 2": {"kernel_shape": [3, 3], "strides": [2, 2]},
    "padded": {"kernel_shape": [3, 2], "strides": [2, 3], "pads": [1, 1, 1, 0]},
    "none behind the image": {"kernel_shape": [1, 2], "strides": [3, 5]},
    "dilated": {
        "kernel_shape": [2, 3],
        "strides": [3, 4],
        "dilations": [2, 2],
        "pads": [0, 2, 1, 0],
    },
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", ROUNDED_UP)
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "counting padding", "LpPool"])
@pytest.mark.parametrize("level", ["none", "all"])
def test_windows_of_any_size_are_rounded_up(op: str, case: str, level: Any) -> None:
    """By arithmetic: TVM fuses no kernel whose shape is a choice, and says so by an error.

    With epilogue, so that there is something to fuse.
    """
    said: dict[str, Any] = {**ROUNDED_UP[case], "ceil_mode": 1}
    if op == "counting padding":
        op, said = "AveragePool", {**said, "count_include_pad": 1}
    nodes = [
        helper.make_node(op, ["x"], ["pooled"], **said),
        helper.make_node("Sigmoid", ["pooled"], ["y"]),
    ]
    model = onnx_model(nodes, {"x": ("float32", ("n", 2, "h", "w"))}, {"y": "float32"}, opset=22)
    compiled = tvmfuse.compile(model, level=level, strict=True)
    run_ = compiled.load()
    for size in ((1, 5, 5), (2, 6, 9), (1, 17, 40), (3, 8, 11)):
        x = np.random.default_rng(0).standard_normal((size[0], 2, *size[1:]), "float32")
        assert_agrees(run_({"x": x}), reference(model, {"x": x}))


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "LpPool"])
def test_the_kernel_visits_the_image_alone(op: str) -> None:
    manifest = tvmfuse.compile(pool(op, **CASES["whole image"])).manifest
    pixels = int(np.prod(SHAPE))
    counted = [k.work.flop for k in manifest.kernels if k.work is not None]
    assert 0 < sum(n for n in counted if isinstance(n, int)) <= 4 * pixels


def test_windows_inside_the_image_stay() -> None:
    inside = Windows(size=56, kernel=3, stride=2, dilation=1, begin=1, end=1)
    assert inside.count == 28
    assert clipped([inside, inside]) is None


def test_taps_that_meet_no_pixel_go() -> None:
    given = Windows(size=7, kernel=20, stride=20, dilation=1, begin=9, end=9)
    assert clipped([given]) == [Windows(size=7, kernel=7, stride=20, dilation=1, begin=0, end=0)]
    assert given.divisors().tolist() == [20]


def test_a_single_window_stays_one() -> None:
    given = Windows(size=8, kernel=20, stride=1, dilation=2, begin=0, end=31)
    assert given.count == 1
    assert given.clipped.kernel == 4
    assert given.clipped.count == 1


def test_what_a_window_that_was_rounded_up_counts() -> None:
    given = Windows(size=5, kernel=3, stride=2, dilation=2, begin=0, end=1, rounds_up=True)
    assert given.count == 2
    assert given.divisors().tolist() == [3, 2]
    assert given.even.divisors().tolist() == [3, 3]
