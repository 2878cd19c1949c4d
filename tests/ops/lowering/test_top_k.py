"""TopK against numpy's stable order: ties, both zeros, infinities and NaN, along any axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    x = np.round(RNG.standard_normal(shape), 1).astype("float32")
    flat = x.reshape(-1)
    flat[:: max(1, x.size // 5)] = -0.0
    flat[1::31], flat[2::37] = np.inf, -np.inf
    return x


def with_nan(*shape: int) -> np.ndarray:
    x = drawn(*shape)
    x.reshape(-1)[::29] = np.nan
    x.reshape(-1)[::58] = -np.array(np.nan, "float32")
    return x


@pytest.mark.parametrize(
    ("k", "axis", "largest", "shapes"),
    [
        (5, -1, 1, [(3, 200), (1, 200), (0, 200)]),
        (70, 1, 0, [(2, 137)]),
        (1, 0, 1, [(130, 3), (130, 1)]),
        (9, 0, 0, [(9, 2)]),
    ],
)
@pytest.mark.parametrize("draw", [drawn, with_nan])
def test_order(k: int, axis: int, largest: int, shapes: Any, draw: Any) -> None:
    fixed = shapes[0][axis]
    dims = [fixed, "n"] if axis == 0 else ["n", fixed]
    node = helper.make_node("TopK", ["x", "k"], ["y", "at"], axis=axis, largest=largest)
    inputs = {"x": ("float32", tuple(dims))}
    outputs = {"y": "float32", "at": "int64"}
    loaded = tvmfuse.compile(onnx_model([node], inputs, outputs, {"k": np.array([k])})).load()
    for shape in shapes:
        x = draw(*shape)
        nan = np.isnan(x)
        numbers = np.where(nan, np.inf, x)
        order = (~nan, -numbers) if largest else (nan, numbers)  # of infinities, NaN is beyond
        places = np.take(np.lexsort(order, axis), range(k), axis)
        found = loaded(x=x)
        np.testing.assert_array_equal(found["at"], places)
        np.testing.assert_array_equal(found["y"], np.take_along_axis(x, places, axis))
