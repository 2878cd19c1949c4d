"""Unique against numpy: order, first places, inverse, counts; NaN, both zeros, rows, nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse

RNG = np.random.default_rng(0)

ODD = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -3.5, np.nan]


def drawn(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    numbers = RNG.integers(0, 6, shape)
    if not np.issubdtype(dtype, np.floating):
        return numbers.astype(dtype)
    return np.array(ODD)[RNG.integers(0, len(ODD), shape)].astype(dtype)


def loaded(dtype: str, dims: Any, **attributes: Any) -> Any:
    node = helper.make_node("Unique", ["x"], ["y", "first", "inverse", "count"], **attributes)
    whole = dict.fromkeys(("first", "inverse", "count"), "int64")
    model = onnx_model([node], {"x": (dtype, dims)}, {"y": dtype, **whole})
    return tvmfuse.compile(model, strict=True).load()


def unique(x: np.ndarray, axis: int | None, *, by_value: bool) -> dict[str, np.ndarray]:
    """Return what numpy finds, as float64, which no narrow type changes the order of."""
    _, first, inverse, count = np.unique(
        x.astype("float64"), return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    order = np.arange(first.size) if by_value else np.argsort(first)
    values = np.take(x.ravel() if axis is None else x, first[order], axis or 0)
    return {
        "y": values,
        "first": first[order],
        "inverse": np.argsort(order)[inverse.ravel()],
        "count": count[order],
    }


def assert_unique(network: Any, x: np.ndarray, axis: int | None, *, by_value: bool) -> None:
    found, expected = network(x=x), unique(x, axis, by_value=by_value)
    for name, array in expected.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name].astype("float64"), array.astype("float64"))


@pytest.mark.parametrize("by_value", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "uint8"])
def test_numbers(dtype: str, by_value: bool) -> None:
    network = loaded(dtype, ("n",), sorted=int(by_value))
    for size in (0, 1, 2, 3, 17, 1000):
        assert_unique(network, drawn(dtype, (size,)), None, by_value=by_value)


@pytest.mark.parametrize("by_value", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_parts_along_an_axis(axis: int, by_value: bool) -> None:
    network = loaded("int64", ("a", "b", 2), sorted=int(by_value), axis=axis)
    for shape in ((7, 5, 2), (1, 40, 2), (40, 1, 2), (3, 3, 2)):
        x = RNG.integers(0, 2, shape)
        assert_unique(network, x, axis, by_value=by_value)


def test_a_matrix_is_one_line_without_an_axis() -> None:
    assert_unique(loaded("bool", (5, 9)), RNG.random((5, 9)) < 0.5, None, by_value=True)


def test_numbers_that_are_all_different_or_all_the_same() -> None:
    network = loaded("int32", ("n",))
    for x in (np.arange(999, dtype="int32")[::-1].copy(), np.full(999, 7, "int32")):
        assert_unique(network, x, None, by_value=True)


def test_a_file_needs_no_python_of_tvms(tmp_path: Path) -> None:
    node = helper.make_node("Unique", ["x"], ["y"])
    model = onnx_model([node], {"x": ("float32", ("n",))}, {"y": "float32"})
    tvmfuse.compile(model).save(tmp_path / "unique.so")
    code = (
        "import sys, numpy as np, tvmfuse\n"
        "found = tvmfuse.load(sys.argv[1])(x=np.float32([2, 1, 2]))['y']\n"
        "assert found.tolist() == [1, 2], found\n"
        "assert 'tvm' not in sys.modules\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "unique.so")]
    subprocess.run(command, check=True, timeout=60)
