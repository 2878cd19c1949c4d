"""TopK against numpy's stable order: ties, both zeros, infinities and NaN, along any axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import InputError

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


def climbing(*shape: int) -> np.ndarray:
    return np.sort(drawn(*shape), axis=None).reshape(shape)


def alike(*shape: int) -> np.ndarray:
    return np.full(shape, -1, "float32")


DRAWS = (drawn, with_nan, climbing, alike)


def model(dims: Any, k: int, **attributes: Any) -> Any:
    node = helper.make_node("TopK", ["x", "k"], ["y", "at"], **attributes)
    outputs = {"y": "float32", "at": "int64"}
    return onnx_model([node], {"x": ("float32", dims)}, outputs, {"k": np.array([k])})


def assert_right(loaded: Any, x: np.ndarray, k: int, axis: int, largest: int) -> None:
    nan = np.isnan(x)
    numbers = np.where(nan, np.inf, x)
    order = (~nan, -numbers) if largest else (nan, numbers)  # of infinities, NaN is beyond
    places = np.take(np.lexsort(order, axis), range(k), axis)
    found = loaded(x=x)
    np.testing.assert_array_equal(found["at"], places)
    np.testing.assert_array_equal(found["y"], np.take_along_axis(x, places, axis))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("k", "axis", "largest", "shapes"),
    [
        (5, -1, 1, [(3, 200), (1, 200), (0, 200), (70, 200)]),
        (70, 1, 0, [(2, 137)]),
        (1, 0, 1, [(130, 3), (130, 1), (130, 37)]),
        (9, 0, 0, [(9, 2)]),
        (40, -1, 1, [(2, 5001)]),
        (300, -1, 0, [(2, 700)]),
        (33, 0, 0, [(190, 19)]),
    ],
)
def test_order(k: int, axis: int, largest: int, shapes: Any) -> None:
    fixed = shapes[0][axis]
    dims = (fixed, "n") if axis == 0 else ("n", fixed)
    loaded = tvmfuse.compile(model(dims, k, axis=axis, largest=largest)).load()
    for shape in shapes:
        for draw in DRAWS:
            assert_right(loaded, draw(*shape), k, axis, largest)


@pytest.mark.parametrize(
    ("k", "axis", "largest", "dims", "shapes"),
    [
        (1, -1, 1, (37, 10), [(37, 10)]),
        (5, -1, 0, (16, 5), [(16, 5)]),
        (8, -1, 1, (4, 9, 128), [(4, 9, 128)]),
        (3, 1, 1, ("b", 12, 19), [(3, 12, 19), (0, 12, 19)]),
        (4, 0, 0, ("n", 16), [(4, 16), (300, 16)]),
    ],
)
def test_few_of_lines_side_by_side(k: int, axis: int, largest: int, dims: Any, shapes: Any) -> None:
    """Groups of 16 lines, of which the last two overlap; none, one or many elements are left."""
    loaded = tvmfuse.compile(model(dims, k, axis=axis, largest=largest)).load()
    for shape in shapes:
        for draw in DRAWS:
            assert_right(loaded, draw(*shape), k, axis, largest)


@pytest.mark.parametrize("largest", [0, 1])
def test_an_axis_of_any_size(largest: int) -> None:
    loaded = tvmfuse.compile(model(("b", "n"), 20, largest=largest)).load()
    for shape in [(2, 20), (0, 30), (1, 33), (3, 2600)]:
        for draw in DRAWS:
            assert_right(loaded, draw(*shape), 20, -1, largest)
    with pytest.raises(InputError, match=r"n == max\(n, 20\), of 'TopK_0'"):
        loaded(x=drawn(2, 19))


def test_an_axis_whose_size_only_a_run_tells() -> None:
    nodes = [
        helper.make_node("Compress", ["x", "c"], ["z"], axis=0),
        helper.make_node("TopK", ["z", "k"], ["y", "at"]),
    ]
    inputs = {"x": ("float32", ("n",)), "c": ("bool", ("n",))}
    outputs = {"y": "float32", "at": "int64"}
    loaded = tvmfuse.compile(onnx_model(nodes, inputs, outputs, {"k": np.array([2])})).load()
    x = np.array([3, 9, 5, 7], "float32")
    np.testing.assert_array_equal(loaded(x=x, c=np.array([1, 0, 1, 1], bool))["at"], [2, 1])
    with pytest.raises(InputError, match=r"asks for a shape that it cannot have"):
        loaded(x=x, c=np.array([0, 1, 0, 0], bool))
