"""NonZero and Compress against numpy: NaN, both zeros, parts without a hit, tensors of nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse

RNG = np.random.default_rng(0)

DENSITIES = (0.0, 0.002, 0.5, 1.0)


def drawn(dtype: str, shape: tuple[int, ...], density: float) -> np.ndarray:
    x = (RNG.random(shape) < density).astype(dtype)
    if not dtype.startswith("float"):
        return x
    signed = np.where(RNG.random(shape) < 0.5, x, -x)  # of zeros, too
    return np.where(RNG.random(shape) < density / 2, np.nan, signed).astype(dtype)


@pytest.mark.parametrize(
    ("dtype", "dims", "shapes"),
    [
        ("bool", ("a", "b", 7), [(3, 5, 7), (0, 5, 7), (40, 31, 7)]),
        ("float32", (90, 100), [(90, 100)]),
        ("float16", (3, "n"), [(3, 700), (3, 0)]),
        ("int64", ("n",), [(4096,), (9000,), (64,), (1,), (0,)]),
        ("float32", (), [()]),
    ],
)
def test_places(dtype: str, dims: Any, shapes: Any) -> None:
    node = helper.make_node("NonZero", ["x"], ["y"])
    loaded = tvmfuse.compile(onnx_model([node], {"x": (dtype, dims)}, {"y": "int64"})).load()
    for shape in shapes:
        for density in DENSITIES:
            x = drawn(dtype, shape, density)
            expected = np.stack(np.atleast_1d(x).nonzero())
            np.testing.assert_array_equal(loaded(x=x)["y"], expected)


def test_several_threads_write_the_same() -> None:
    node = helper.make_node("NonZero", ["x"], ["y"])
    model = onnx_model([node], {"x": ("bool", (300, 301))}, {"y": "int64"})
    loaded = tvmfuse.compile(model).load(num_threads=4)
    for density in DENSITIES:
        x = drawn("bool", (300, 301), density)
        np.testing.assert_array_equal(loaded(x=x)["y"], np.stack(x.nonzero()))


@pytest.mark.parametrize("axis", [0, -1, None])
def test_rows_that_are_kept(axis: int | None) -> None:
    attributes: dict[str, Any] = {} if axis is None else {"axis": axis}
    node = helper.make_node("Compress", ["x", "c"], ["y"], **attributes)
    inputs = {"x": ("float32", ("n", 70)), "c": ("bool", ("m",))}
    loaded = tvmfuse.compile(onnx_model([node], inputs, {"y": "float32"})).load()
    for rows in (1, 90):
        x = RNG.standard_normal((rows, 70)).astype("float32")
        size = x.size if axis is None else x.shape[axis]
        for density in DENSITIES:
            kept = drawn("bool", (size,), density)
            np.testing.assert_array_equal(loaded(x=x, c=kept)["y"], np.compress(kept, x, axis))
