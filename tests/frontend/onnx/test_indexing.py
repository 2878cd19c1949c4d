"""Picking elements by position, ranking, totals. No index reaches outside."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx import helper

from tvmfuse.errors import IndexOutOfRangeError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

pytestmark = pytest.mark.sampled(5)

X = np.random.default_rng(0).standard_normal((4, 5, 3)).astype("float32")


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("indices", [[0, 2], [[-1, 1], [0, -2]], 1, -1])
@pytest.mark.parametrize("fixed", [[1], []])
def test_gather_counts_from_the_back(
    node_agrees: Any, axis: int, indices: Any, fixed: list[int]
) -> None:
    for dtype in ("int64", "int32"):
        imported = node_agrees("Gather", X, np.array(indices, dtype), fixed=fixed, axis=axis)
        assert ops(imported.module)[-1] == "take"


def test_indices_out_of_range_are_refused_or_harmless() -> None:
    nodes = [helper.make_node("Gather", ["x", "i"], ["y"], "pick")]
    for wrong in (4, -5):
        model = onnx_model(
            nodes, {"x": ("float32", X.shape)}, {"y": "float32"}, {"i": np.array([0, wrong])}
        )
        with pytest.raises(
            UnsupportedModelError,
            match=rf"'pick'\): index \[{wrong}\] is out of range for 4 elements",
        ):
            import_model(model)
    model = onnx_model(nodes, {"x": ("float32", X.shape), "i": ("int64", [2])}, {"y": "float32"})
    [y] = run(import_model(model).module, X, np.array([10**12, -(10**12)]))
    assert np.isin(y, X).all()


@pytest.mark.parametrize("fixed", [[1], []])
def test_gather_elements_and_nd(node_agrees: Any, fixed: list[int]) -> None:
    elements = np.array([[[0, 1, -1]], [[2, -4, 3]]])
    node_agrees("GatherElements", X, elements, fixed=fixed, axis=0)
    node_agrees("GatherND", X, np.array([[0, 1], [-1, -2]]), fixed=fixed)
    node_agrees("GatherND", X, np.array([[1], [0], [-1], [2]]), fixed=fixed, batch_dims=1)


@pytest.mark.parametrize("fixed", [[1], []])
def test_scattering(node_agrees: Any, fixed: list[int]) -> None:
    updates = np.full((2, 1, 3), 9, "float32")
    elements = np.array([[[0, 1, -1]], [[2, -4, 3]]])
    node_agrees("ScatterElements", X, elements, updates, fixed=fixed, axis=0)
    node_agrees(
        "ScatterElements", X, elements, updates, fixed=fixed, axis=0, reduction="add", opset=18
    )
    node_agrees("ScatterND", X, np.array([[0, 1], [-1, -2]]), updates[:, 0], fixed=fixed)


@pytest.mark.parametrize("reduction", ["add", "mul", "min", "max"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scattering_into_a_part(reduction: str, axis: int) -> None:
    """The indices are narrower than the tensor along all axes, and some of them are equal."""
    rng = np.random.default_rng(0)
    x, updates = rng.standard_normal((5, 6, 7, 4)), rng.standard_normal((3, 4, 5, 3))
    x[0, 0, 0, 0], updates[1, 1, 1, 1] = np.nan, np.nan
    places = rng.integers(-2, 2, updates.shape)
    node = helper.make_node("ScatterElements", ["x", "i", "u"], ["y"], axis=axis)
    node.attribute.append(helper.make_attribute("reduction", reduction))
    inputs = {"x": ("float64", x.shape), "i": ("int64", ["a", 4, 5, "b"])}
    inputs["u"] = ("float64", updates.shape)
    model = onnx_model([node], inputs, {"y": "float64"}, opset=18)
    [found] = run(import_model(model).module, x, places, updates)
    at: list[Any] = [*np.indices(places.shape, sparse=True)]
    at[axis] = places
    fold = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
    fold[reduction].at(x, tuple(at), updates)
    np.testing.assert_allclose(found, x, rtol=1e-12)


@pytest.mark.parametrize("reduction", ["min", "max"])
def test_scattering_points(reduction: str) -> None:
    x, updates = np.array([[1, np.nan, 3, 5]] * 3, "float32"), np.arange(12, dtype="float32")
    updates[3] = np.nan
    model = onnx_model(
        [helper.make_node("ScatterND", ["x", "i", "u"], ["y"], reduction=reduction)],
        {"x": ("float32", x.shape), "i": ("int64", ["n", 1]), "u": ("float32", ["n", 4])},
        {"y": "float32"},
        opset=18,
    )
    rows, places = updates.reshape(3, 4), np.array([[-1], [0], [2]])
    [found] = run(import_model(model).module, x, places, rows)
    fold = np.minimum if reduction == "min" else np.maximum
    fold.at(x, (places[:, 0],), rows)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("reduction", ["none", "add", "min"])
def test_scattering_nothing(node_agrees: Any, reduction: str) -> None:
    none, said = np.zeros((2, 0, 3), "int64"), {"reduction": reduction, "opset": 18}
    node_agrees("ScatterElements", X, none, none.astype("float32"), axis=1, **said)
    node_agrees("ScatterND", X, none[..., :2], np.zeros((2, 0, 3), "float32"), **said)
    symbols = {i: ["n", "m", "k"] for i in (1, 2)}
    node_agrees("ScatterElements", X, none, none.astype("float32"), axis=1, dims=symbols, **said)


def test_scattering_out_of_range_is_harmless() -> None:
    nodes = [helper.make_node("ScatterND", ["x", "i", "u"], ["y"])]
    inputs = {"x": ("float32", X.shape), "i": ("int64", [1, 1]), "u": ("float32", [1, 5, 3])}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    [y] = run(import_model(model).module, X, np.array([[10**12]]), np.zeros((1, 5, 3), "float32"))
    np.testing.assert_array_equal(y[:-1], X[:-1])


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize(("axis", "keepdims"), [(0, 1), (-1, 0)])
def test_arguments_of_extrema(
    node_agrees: Any, op: str, last: int, axis: int, keepdims: int
) -> None:
    ties = np.round(X)
    node_agrees(op, ties, outputs=["int64"], axis=axis, keepdims=keepdims, select_last_index=last)


@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("axis", [1, -1])
def test_top_k(node_agrees: Any, largest: int, axis: int) -> None:
    node_agrees(
        "TopK",
        X,
        np.array([2]),
        fixed=[1],
        outputs=["float32", "int64"],
        largest=largest,
        axis=axis,
    )


@pytest.mark.parametrize("exclusive", [0, 1])
@pytest.mark.parametrize("reverse", [0, 1])
def test_running_totals(node_agrees: Any, exclusive: int, reverse: int) -> None:
    node_agrees("CumSum", X, np.array(1), fixed=[1], exclusive=exclusive, reverse=reverse)


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_one_hot(node_agrees: Any, axis: int, dtype: str) -> None:
    indices, values = np.array([[0, 2], [-1, 9]]), np.array([3, 7], dtype)
    node_agrees("OneHot", indices, np.array(4), values, fixed=[1], outputs=[dtype], axis=axis)


def test_results_whose_size_depends_on_the_data(node_agrees: Any) -> None:
    node_agrees("NonZero", np.round(X), outputs=["int64"])
    node_agrees("Compress", X, np.array([True, False, True, True]), axis=0)
    node_agrees("Unique", np.round(X), outputs=["float32"], sorted=1)


@pytest.mark.parametrize("center", [0, 1])
def test_non_max_suppression(node_agrees: Any, center: int) -> None:
    rng = np.random.default_rng(1)
    corner, size = rng.uniform(0, 4, (1, 12, 2)), rng.uniform(1, 3, (1, 12, 2))
    boxes = np.concatenate([corner, size if center else corner + size], axis=2).astype("float32")
    scores = rng.uniform(0, 1, (1, 2, 12)).astype("float32")
    limits = [np.array([3]), np.array([0.3], "float32"), np.array([0.2], "float32")]
    node_agrees(
        "NonMaxSuppression",
        boxes,
        scores,
        *limits,
        fixed=[2, 3, 4],
        outputs=["int64"],
        center_point_box=center,
    )


@pytest.mark.parametrize(
    ("strides", "pads", "size"),
    [((2, 2), (0, 0, 0, 0), 36), ((1, 2), (0, 0, 0, 0), 24), ((2, 2), (1, 0, 1, 0), 24)],
)
def test_max_unpool(node_agrees: Any, strides: Any, pads: Any, size: int) -> None:
    x = np.arange(1, 10, dtype="float32").reshape(1, 1, 3, 3)
    places = np.random.default_rng(0).permutation(size)[:9].reshape(x.shape)
    sizes: dict[str, Any] = {"kernel_shape": [2, 2], "strides": strides, "pads": pads}
    for fixed in ((), (1,)):
        node_agrees("MaxUnpool", x, places, fixed=fixed, **sizes)


def test_max_unpool_to_no_place(node_agrees: Any) -> None:
    x = np.ones((1, 1, 3, 3), "float32")
    for places in (np.arange(9) + 28, np.arange(9) - 37):
        with pytest.raises(UnsupportedModelError, match="is out of range for 36 elements"):
            node_agrees(
                "MaxUnpool", x, places.reshape(x.shape), fixed=(1,), kernel_shape=[2, 2],
                strides=[2, 2],
            )  # fmt: skip


@pytest.mark.parametrize("number", [0, 1, 1.7])
def test_regions_of_images(node_agrees: Any, number: float) -> None:
    images = np.random.default_rng(0).standard_normal((2, 2, 4, 4), dtype="float32")
    regions = np.array([[0, 0, 0, 3, 3], [number, 1, 1, 2, 2]], "float32")
    node_agrees("MaxRoiPool", images, regions, pooled_shape=[2, 2])
    node_agrees("RoiAlign", images, regions[:, 1:], regions[:, 0].astype("int64"), output_height=2)


@pytest.mark.parametrize("scale", [0.25, 0.5, 1.0, 2.0])
@pytest.mark.parametrize(
    ("opset", "mode"),
    [(10, None), (16, None), (16, "half_pixel"), (16, "output_half_pixel")],
)
@pytest.mark.sampled(6)
def test_regions_are_scaled_before_half_a_pixel_is_taken_off(
    node_agrees: Any, opset: int, scale: float, mode: str | None
) -> None:
    rng = np.random.default_rng(0)
    images = rng.standard_normal((2, 3, 12, 10), dtype="float32")
    corners = np.sort(rng.uniform(0, 9, (5, 2, 2)).astype("float32"), 1).reshape(5, 4) / scale
    numbers = rng.integers(0, 2, 5)
    named = {} if mode is None else {"coordinate_transformation_mode": mode}
    for ratio in (0, 2):
        node_agrees(
            "RoiAlign", images, corners, numbers, opset=opset, output_height=3, output_width=4,
            spatial_scale=scale, sampling_ratio=ratio, **named,
        )  # fmt: skip


@pytest.mark.parametrize("number", [-1, 2, 1e9, -1e30, float("inf"), float("nan")])
def test_regions_of_no_image_are_refused(number: float) -> None:
    images = np.ones((2, 1, 4, 4), "float32")
    regions = np.array([[number, 0, 0, 3, 3]], "float32")
    inputs = {"x": ("float32", images.shape), "r": ("float32", regions.shape)}
    nodes = [helper.make_node("MaxRoiPool", ["x", "r"], ["y"], pooled_shape=[2, 2])]
    imported = import_model(onnx_model(nodes, inputs, {"y": "float32"}))
    with pytest.raises(IndexOutOfRangeError, match="from 0 to 1, indices of 2 elements"):
        run(imported.module, images, regions)
