"""GridSample, RoiAlign and Resize on ragged shapes, with few channels and with many."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse

RNG = np.random.default_rng(0)
FEW, MANY = 3, 19  # The latter move to the end of the shape, and fill a vector and a rest.


def floats(*shape: int, dtype: str = "float32") -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def image_of(inputs: dict[str, np.ndarray], node: onnx.NodeProto) -> onnx.ModelProto:
    """Return a model of one node of opset 20, with its inputs' shapes."""
    described = {name: (str(array.dtype), array.shape) for name, array in inputs.items()}
    return onnx_model([node], described, {"y": str(inputs["x"].dtype)}, opset=20)


@pytest.mark.parametrize(
    ("padding", "corners", "channels", "size"),
    [
        ("zeros", 0, FEW, (4, 5)),
        ("zeros", 1, MANY, (3, 2, 4)),
        ("border", 0, MANY, (4, 5)),
        ("border", 1, FEW, (7, 1)),
        ("reflection", 0, MANY, (3, 2, 4)),
        ("reflection", 1, MANY, (7, 1)),
    ],
)
@pytest.mark.sampled(4)
def test_points_of_a_grid(padding: str, corners: int, channels: int, size: tuple[int, ...]) -> None:
    """Inside, on the edge, beside the image and far away; of a single row and in three axes."""
    points = tuple(n + 1 for n in size)
    grid = RNG.uniform(-1.5, 1.5, (2, *points, len(size))).astype("float32")
    grid[0, 0] = np.round(grid[0, 0])
    grid[1, 0] *= 50
    feeds = {"x": floats(2, channels, *size), "grid": grid}
    node = helper.make_node(
        "GridSample", ["x", "grid"], ["y"], padding_mode=padding, align_corners=corners
    )
    model = image_of(feeds, node)
    assert_agrees(tvmfuse.compile(model).load()(feeds), reference(model, feeds), tolerance=1e-4)


def test_a_point_that_is_no_number() -> None:
    """It reads nothing beside the image, and nothing but its own result is no number."""
    grid = np.zeros((1, 2, 2, 2), "float32")
    grid[0, 1, 1] = np.nan
    for padding, channels in (("zeros", FEW), ("border", MANY), ("reflection", FEW)):
        feeds = {"x": floats(1, channels, 4, 4), "grid": grid}
        node = helper.make_node("GridSample", ["x", "grid"], ["y"], padding_mode=padding)
        y = tvmfuse.compile(image_of(feeds, node)).load()(feeds)["y"]
        assert np.isnan(y[..., 1, 1]).all()
        assert np.isfinite(y.reshape(channels, 4)[:, :3]).all()


def test_what_lies_beside_an_infinite_pixel() -> None:
    x = np.ones((1, FEW, 3, 3), "float32")
    x[..., 0, 0] = np.inf
    grid = np.array([[-1.1, -1.1], [-3, -3], [0.5, 0.5]], "float32").reshape(1, 1, 3, 2)
    feeds = {"x": x, "grid": grid}
    model = image_of(feeds, helper.make_node("GridSample", ["x", "grid"], ["y"]))
    y = tvmfuse.compile(model).load()(feeds)["y"]
    np.testing.assert_array_equal(y[0, 0, 0], [np.inf, 0, 1])


@pytest.mark.parametrize(
    ("mode", "coordinates", "channels", "samples"),
    [
        ("avg", "half_pixel", MANY, 0),
        ("avg", "output_half_pixel", FEW, 2),
        ("max", "half_pixel", FEW, 0),
        ("max", "output_half_pixel", MANY, 3),
    ],
)
@pytest.mark.sampled(3)
def test_regions_of_any_size(mode: str, coordinates: str, channels: int, samples: int) -> None:
    """Inside, beside the image, upside down, and of no size."""
    corners = np.array(
        [[1, 2, 7, 5], [-3, -2, 4, 3], [6, 5, 30, 40], [5, 4, 2, 1], [3, 3, 3, 3], [40, 1, 50, 9]],
        "float32",
    )
    feeds = {"x": floats(2, channels, 9, 7), "r": corners, "b": np.array([0, 1, 1, 0, 1, 0])}
    node = helper.make_node(
        "RoiAlign", [*feeds], ["y"], mode=mode, coordinate_transformation_mode=coordinates,
        output_height=3, output_width=2, sampling_ratio=samples, spatial_scale=0.5,
    )  # fmt: skip
    model = image_of(feeds, node)
    assert_agrees(tvmfuse.compile(model).load()(feeds), reference(model, feeds), tolerance=1e-4)


def test_regions_in_any_number() -> None:
    node = helper.make_node("RoiAlign", ["x", "r", "b"], ["y"], output_height=2, output_width=3)
    shapes = {"x": ("float32", ("N", MANY, "H", "W")), "r": ("float32", ("R", 4))}
    model = onnx_model([node], {**shapes, "b": ("int64", ("R",))}, {"y": "float32"}, opset=20)
    run = tvmfuse.compile(model, strict=True).load()
    for regions in (0, 1, 5):
        corners = np.sort(RNG.uniform(0, 9, (regions, 2, 2)), 1).reshape(regions, 4)
        feeds = {"x": floats(2, MANY, 6, 11), "r": corners.astype("float32")}
        feeds["b"] = RNG.integers(0, 2, regions)
        if regions:
            assert_agrees(run(feeds), reference(model, feeds), tolerance=1e-4)
        else:
            assert run(feeds)["y"].shape == (0, MANY, 2, 3)


@pytest.mark.parametrize(
    ("mode", "size", "to", "way"),
    [
        ("linear", (5, 17), (13, 4), {}),
        ("linear", (6, 31), (2, 5), {"antialias": 1}),
        ("linear", (1, 4), (3, 9), {"coordinate_transformation_mode": "align_corners"}),
        ("cubic", (6, 3), (2, 21), {"exclude_outside": 1, "cubic_coeff_a": -0.5}),
    ],
)
def test_axes_that_grow_and_shrink(
    mode: str, size: tuple[int, ...], to: tuple[int, ...], way: dict[str, Any]
) -> None:
    node = helper.make_node("Resize", ["x", "", "", "s"], ["y"], mode=mode, **way)
    feeds = {"x": floats(2, FEW, *size)}
    by = {"s": np.array([2, FEW, *to])}
    described = {"x": ("float32", feeds["x"].shape)}
    model = onnx_model([node], described, {"y": "float32"}, by, opset=19)
    run = tvmfuse.compile(model, strict=True).load()
    assert_agrees(run(feeds), reference(model, feeds), tolerance=1e-4)


def test_an_infinite_element_stays_where_it_is() -> None:
    """Others, of which it is no tap, are numbers."""
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear")
    x = np.ones((1, 1, 1, 9), "float32")
    x[..., 4] = np.inf
    by = {"s": np.array([1, 1, 1, 1.5], "float32")}
    model = onnx_model([node], {"x": ("float32", x.shape)}, {"y": "float32"}, by, opset=19)
    y = tvmfuse.compile(model).load()(x=x)["y"].ravel()
    assert np.isfinite(y[[0, 1, 2, 3, 4, 9, 10, 11, 12]]).all()
    assert not np.isfinite(y[6])
