"""Axes, bounds, widths and counts that are fed: as in onnxruntime, or refused as the model runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError

pytestmark = pytest.mark.sampled(5)

X = np.random.default_rng(0).uniform(0.5, 2, (2, 3, 4)).astype("float32")
FAR = 2**63 - 1
KINDS = ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"]
Feeds = Mapping[str, np.ndarray]
Inputs = dict[str, Any]  # name -> dtype and shape; of an absent one None


def i64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def one_node(
    op: str,
    inputs: Inputs,
    outputs: Sequence[str] = ("float32",),
    opset: int = 18,
    **attributes: Any,
) -> onnx.ModelProto:
    """Return a model of one node that is fed all its operands; a blank name is an absent one."""
    made = {f"y{i}": dtype for i, dtype in enumerate(outputs)}
    node = helper.make_node(op, [n.strip() for n in inputs], list(made), "node", **attributes)
    fed = {name: said for name, said in inputs.items() if said is not None}
    return onnx_model([node], fed, made, opset=opset)


def agree(
    model: onnx.ModelProto, feeds: Sequence[Feeds], wrong: Sequence[Feeds] = (), level: str = "all"
) -> None:
    """Compare with onnxruntime, feed by feed, and see that wrong feeds are refused."""
    run = tvmfuse.compile(model, level=level).load()
    for feed in feeds:
        assert_agrees(run(feed), reference(model, feed))
    for feed in wrong:
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            run(feed)


def reductions(kinds: Sequence[str], rank: int) -> onnx.ModelProto:
    """Return a model of some reductions of one tensor, every other one of which keeps its axes."""
    nodes = [
        helper.make_node(f"Reduce{kind}", ["x", "a"], [kind], keepdims=i % 2)
        for i, kind in enumerate(kinds)
    ]
    inputs: Inputs = {"x": ("float32", ["n", 3, 4][:rank]), "a": ("int64", [rank - 1])}
    return onnx_model(nodes, inputs, dict.fromkeys(kinds, "float32"), opset=18)


@pytest.mark.parametrize(("level", "kinds"), [("none", KINDS[3:5]), ("all", KINDS[:5])])
@pytest.mark.sampled(3)
def test_axes_of_reductions(level: str, kinds: Sequence[str]) -> None:
    good = [{"x": X[:n], "a": i64(*a)} for n, a in ((2, (0, 1)), (1, (-1, 0)), (2, (1, -1)))]
    wrong = [{"x": X, "a": i64(*a)} for a in ((0, 3), (-4, 1), (1, 1), (1, -2), (FAR, 0))]
    agree(reductions(kinds, 3), good, wrong, level)


def test_axes_of_reductions_of_a_matrix_and_of_nothing() -> None:
    feeds = [{"x": X[0, :n, :3], "a": i64(axis)} for n, axis in ((2, 0), (3, 1), (0, 0), (0, 1))]
    agree(reductions(["Min", "Prod", "SumSquare", "Sum"], 2), feeds)
    agree(reductions(["Mean"], 2), feeds[:2])


def test_there_are_no_axes() -> None:
    for noop in (0, 1):
        inputs: Inputs = {"x": ("float32", [2, 3]), "a": ("int64", [0])}
        model = one_node("ReduceSum", inputs, noop_with_empty_axes=noop)
        agree(model, [{"x": X[0, :2, :3], "a": i64()}])


def test_axes_that_are_dropped_and_added() -> None:
    squeeze = one_node("Squeeze", {"x": ("float32", [1, "n", 1]), "a": ("int64", [1])})
    x = X[:1, :, :1]
    agree(
        squeeze,
        [{"x": x, "a": i64(0)}, {"x": x, "a": i64(-1)}, {"x": x[:, :1], "a": i64(1)}],
        [{"x": x, "a": i64(1)}, {"x": x, "a": i64(3)}],
    )
    unsqueeze = one_node("Unsqueeze", {"x": ("float32", ["n", 3]), "a": ("int64", [2])})
    x = X[0, :2, :3]
    agree(
        unsqueeze,
        [{"x": x, "a": i64(*a)} for a in ((0, 1), (-1, 0), (3, 2), (1, 3))],
        [{"x": x, "a": i64(*a)} for a in ((0, 0), (-1, 3), (0, 4), (-5, 0))],
    )


def test_the_axis_of_a_running_total() -> None:
    inputs: Inputs = {"x": ("float32", ["n", 3, 4]), "a": ("int64", [])}
    model = one_node("CumSum", inputs, exclusive=1, reverse=1)
    good = [{"x": X[:n], "a": np.array(a)} for n, a in ((2, 0), (1, 1), (2, -1), (0, 2))]
    agree(model, good, [{"x": X, "a": np.array(a)} for a in (3, -4)])


BOUNDS = [
    ((0, 1), (2, 3), (0, 1), (1, 1)),
    ((-1, FAR), (-FAR, -FAR), (1, -1), (-1, -2)),
    ((1, -2), (FAR, FAR), (2, 0), (2, FAR)),
    ((5, 2), (9, 1), (0, 2), (1, 1)),
    ((-1, -(FAR) - 1), (0, FAR), (2, 1), (-(FAR), 1)),
    ((2, 0), (-1, 2), (1, -1), (-1, 1)),
]


@pytest.mark.parametrize("fed", ["axes", "steps"])
def test_bounds_and_steps_of_slices(fed: str) -> None:
    names = ["s", "e", "a", "t"]
    inputs: Inputs = {"x": ("float32", ["n", 3, 4]), **dict.fromkeys(names, ("int64", [2]))}
    good = [{"x": X, **dict(zip(names, map(np.array, b), strict=True))} for b in BOUNDS]
    good.append({**good[0], "x": X[:0]})
    stuck = {**good[0], "t": i64(1, 0)}
    if fed == "axes":
        twice = [{**good[0], "a": i64(*a)} for a in ((0, 0), (3, 0))]
        agree(one_node("Slice", inputs), good, [stuck, *twice])
        return
    node = helper.make_node("Slice", ["x", "s", "e", "a", "t"], ["y"])
    del inputs["a"]
    model = onnx_model([node], inputs, {"y": "float32"}, {"a": i64(0, -1)})
    agree(model, [{n: f for n, f in feed.items() if n != "a"} for feed in good])


def test_sizes_of_parts() -> None:
    outputs = ["float32"] * 3
    inputs: Inputs = {"x": ("float32", [3, "n"]), "s": ("int64", [3])}
    model = one_node("Split", inputs, outputs, axis=1)
    good = [{"x": X[0], "s": i64(*s)} for s in ((1, 2, 1), (0, 4, 0), (2, 2, 0))]
    wrong = [{"x": X[0], "s": i64(*s)} for s in ((1, 2, 2), (-1, 4, 1), (2**62, 2**62, 4))]
    agree(model, good, wrong)


def test_the_widths_of_padding() -> None:
    inputs: Inputs = {"x": ("float32", [3, "n"]), "p": ("int64", [4]), "v": ("float32", [])}
    fill = np.array(7.5, "float32")
    widths = [(0, 1, 2, 0), (1, 0, 1, 3), (-1, 2, 1, -1), (0, -2, 0, 0), (-3, 0, 1, 0)]
    good = [{"x": X[0], "p": i64(*w), "v": fill} for w in widths]
    wrong = [{"x": X[0], "p": i64(*w), "v": fill} for w in ((-4, 0, 0, 0), (0, FAR, 0, 0))]
    agree(one_node("Pad", inputs), good, wrong)
    del inputs["v"]
    for mode in ("edge", "reflect", "wrap"):
        good = [{"x": X[0], "p": i64(*w)} for w in widths[:4]]
        agree(
            one_node("Pad", inputs, opset=19, mode=mode), good, [{**good[0], "p": i64(-3, 0, 1, 0)}]
        )


def test_the_axes_of_padding() -> None:
    names = ("int64", [2])
    inputs: Inputs = {"x": ("float32", [2, 3, 4]), "p": names, "": None, "a": ("int64", [1])}
    good = [{"x": X, "p": i64(*w), "a": i64(a)} for w, a in (((1, 2), 0), ((0, 1), -1))]
    agree(one_node("Pad", inputs), good, [{**good[0], "a": i64(3)}])


def test_how_many_are_the_largest() -> None:
    inputs: Inputs = {"x": ("float32", ["n", 3, 4]), "k": ("int64", [1])}
    model = one_node("TopK", inputs, ["float32", "int64"], axis=1)
    good = [{"x": X[:n], "k": i64(k)} for n, k in ((2, 1), (1, 3), (2, 2))]
    agree(model, good, [{"x": X, "k": i64(k)} for k in (4, -1, FAR)])


def test_how_many_classes_there_are() -> None:
    inputs: Inputs = {"i": ("int64", [4]), "d": ("int64", []), "v": ("float32", [2])}
    indices, values = i64(0, 2, -1, 9), np.array([0.5, 2], "float32")
    good = [{"i": indices, "d": np.array(d), "v": values} for d in (3, 10)]
    for axis in (0, -1):
        agree(one_node("OneHot", inputs, axis=axis), good, [{**good[0], "d": np.array(-1)}])


IMAGE = np.random.default_rng(1).standard_normal((1, 2, 5, 6)).astype("float32")


@pytest.mark.parametrize(
    ("mode", "coordinates", "more"),
    [
        ("nearest", "half_pixel", {"nearest_mode": "round_prefer_ceil"}),
        ("cubic", "half_pixel", {"cubic_coeff_a": -0.5, "exclude_outside": 1}),
        ("linear", "half_pixel", {"antialias": 1}),
    ],
)
def test_sizes_that_are_resized_to(mode: str, coordinates: str, more: Any) -> None:
    inputs: Inputs = {"x": ("float32", [1, 2, "h", 6]), "": None, " ": None, "s": ("int64", [2])}
    options = {"mode": mode, "coordinate_transformation_mode": coordinates, "axes": [2, 3], **more}
    model = one_node("Resize", inputs, opset=19, **options)
    good = [{"x": IMAGE, "s": i64(*s)} for s in ((5, 6), (9, 13), (3, 2), (1, 6))]
    agree(model, good, [{"x": IMAGE, "s": i64(*s)} for s in ((0, 3), (-1, 3), (FAR, 3))])


def test_scales_that_are_resized_by() -> None:
    inputs: Inputs = {"x": ("float32", [1, 2, "h", 6]), "": None, "s": ("float32", [4])}
    scales = [(1, 1, 2, 0.5), (1, 1, 0.6, 1.3), (1, 1.5, 1, 1)]
    good = [{"x": IMAGE, "s": np.array(s, "float32")} for s in scales]
    wrong = [{"x": IMAGE, "s": np.array([1, 1, s, 1], "float32")} for s in (0, -1, 1e30, np.nan)]
    agree(one_node("Resize", inputs, opset=19, mode="linear"), good, wrong)


def test_scales_of_which_positions_depend_on_the_count_are_exact() -> None:
    inputs: Inputs = {"x": ("float32", [1, 2, 5, 6]), "": None, "s": ("float32", [4])}
    options = {"mode": "nearest", "coordinate_transformation_mode": "align_corners"}
    feeds = [{"x": IMAGE, "s": np.array([1, 1, s, 1], "float32")} for s in (2, 0.6, 0.5)]
    agree(one_node("Resize", inputs, opset=19, **options), feeds[:2], feeds[2:])


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_regions_that_are_resized(mode: str) -> None:
    image, two = ("float32", [1, 2, 5, 6]), ("int64", [2])
    inputs: Inputs = {"x": image, "r": ("float32", [4]), "": None, "s": two}
    model = one_node(
        "Resize", inputs, opset=19, mode=mode, axes=[2, 3], extrapolation_value=10.0,
        coordinate_transformation_mode="tf_crop_and_resize",
    )  # fmt: skip
    regions = [(0, 0, 1, 1), (0.4, 0.6, 0.6, 0.8), (-0.2, 0.1, 0.5, 1.3)]
    sizes = [(3, 3), (1, 4), (7, 2)]
    agree(
        model,
        [
            {"x": IMAGE, "r": np.array(r, "float32"), "s": i64(*s)}
            for r, s in zip(regions, sizes, strict=True)
        ],
    )
