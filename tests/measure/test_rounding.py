"""What rounding alone explains: of each tensor, by Monte Carlo arithmetic."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.measure import accuracy
from tvmfuse.measure.rounding import OneRounding, moved, one_rounding

node = helper.make_node


def random() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, ml_dtypes.bfloat16])
def test_a_number_moves_by_one_rounding(dtype: Any) -> None:
    thirds = np.full(100, 1 / 3).astype(dtype)
    away = (moved(thirds, random()).astype(float) - thirds.astype(float)) / thirds.astype(float)
    assert set(np.sign(away)) == {-1, 1}
    eps = one_rounding(np.dtype(dtype).name, 1.0)
    assert abs(away).min() >= eps / 2
    assert abs(away).max() <= 2 * eps


@pytest.mark.parametrize("number", [0, 1, -1e4, 0.5, np.inf, -np.inf, np.nan, 3.4e38, -3.4e38])
def test_what_is_computed_exactly_or_stands_for_infinity_stays(number: float) -> None:
    there = np.full(50, number, np.float32)
    np.testing.assert_array_equal(moved(there, random()), there)


@pytest.mark.parametrize("dtype", [np.int64, np.bool_, np.uint8])
def test_only_floats_move(dtype: Any) -> None:
    there = np.ones(3, dtype)
    assert moved(there, random()) is there
    assert one_rounding(str(there.dtype), 5.0) == 0


def test_an_array_is_not_changed_in_place() -> None:
    there = np.full((20, 30), 1 / 3, np.float32)
    after = moved(there.T, random())
    assert (there == np.float32(1 / 3)).all()
    assert after.shape == (30, 20)
    assert (after != there.T).all()


def test_sizes_and_what_is_made_of_constants_do_not_move() -> None:
    nodes = [
        node("Shape", ["x"], ["s"], name="s"), node("Cast", ["s"], ["f"], name="f", to=1),
        node("Exp", ["f"], ["e"], name="e"), node("Exp", ["x"], ["y"], name="y"),
    ]  # fmt: skip
    model = onnx_model(nodes, {"x": ("float32", (3,))}, {"y": "float32", "e": "float32"})
    one = OneRounding(OnnxGraph.of(model), 0)
    third = np.full(9, 1 / 3, np.float32)
    assert (one("e", third) == third).all()
    assert (one("y", third) != third).all()


def centered(width: int) -> Any:
    """x - mean(x), divided by its size: over one element nothing but rounding is left."""
    nodes = [
        node("Mul", ["x", "third"], ["t"], name="t"),
        node("ReduceMean", ["t"], ["m"], name="m", axes=[-1]),
        node("Sub", ["t", "m"], ["c"], name="c"),
        node("Mul", ["c", "many"], ["y"], name="y"),
    ]
    constants = {"third": np.array(1 / 3, np.float32), "many": np.array(1e6, np.float32)}
    return onnx_model(nodes, {"x": ("float32", (5, width))}, {"y": "float32"}, constants)


@pytest.mark.parametrize("width", [1, 3])
def test_cancellation_is_explained(width: int) -> None:
    """All rows are alike: what is left is rounding, times a million, and no alarm."""
    x = np.full((5, width), 1.7, np.float32)
    found = accuracy(centered(width), intermediates=True, inputs={"x": x}, threads=1)
    assert found.alarms == ()
    (y,) = found.outputs
    assert 1e-2 < (y.noise or 0) < 10
    assert (y.excess or 0) < 1
    assert not any("an error begins" in note for note in found.notes)


def test_without_intermediates_nobody_asks() -> None:
    (y,) = accuracy(centered(3), threads=1).outputs
    assert (y.noise, y.excess, y.alarm) == (None, None, False)
