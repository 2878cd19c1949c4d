"""Solve, which skl2onnx writes and onnxruntime does not have: against numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

DOMAIN = "com.microsoft"
RNG = np.random.default_rng(3)
MATRIX = RNG.standard_normal((7, 7)) + 5 * np.eye(7)


def solving(
    matrix: np.ndarray | Sequence[int], right: Sequence[Any], dtype: str = "float32", **more: Any
) -> onnx.ModelProto:
    """Return a model of one Solve, of a matrix or one that is fed and has this shape."""
    node = helper.make_node("Solve", ["a", "b"], ["y"], domain=DOMAIN, **more)
    fed = {"b": (dtype, right)}
    if not isinstance(matrix, np.ndarray):
        return onnx_model([node], {"a": (dtype, matrix), **fed}, {"y": dtype}, domains=[DOMAIN])
    constants = {"a": matrix.astype(dtype)}
    return onnx_model([node], fed, {"y": dtype}, constants, domains=[DOMAIN])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("transposed", [0, 1])
@pytest.mark.parametrize("triangle", [False, True])
def test_right_hand_sides_of_any_number(dtype: str, transposed: int, triangle: bool) -> None:
    matrix = np.tril(MATRIX) if triangle else MATRIX
    model = solving(matrix, (7, "n"), dtype, transposed=transposed, lower=0)
    loaded = tvmfuse.compile(model, strict=True).load()
    for count in (4, 1, 0):
        b = RNG.standard_normal((7, count)).astype(dtype)
        b[:, 2:3], b[:, 3:] = np.nan, 0
        found = loaded(b=b)["y"]
        expected = np.linalg.solve(matrix.T if transposed else matrix, b)
        assert found.dtype == dtype
        assert found.shape == b.shape
        tolerance = 1e-5 if dtype == "float32" else 1e-12
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def test_a_vector_and_a_matrix_of_one_row() -> None:
    b = RNG.standard_normal(7).astype("float32")
    found = tvmfuse.compile(solving(MATRIX, (7,))).load()(b=b)["y"]
    np.testing.assert_allclose(found, np.linalg.solve(MATRIX, b), rtol=1e-5, atol=1e-6)
    found = tvmfuse.compile(solving(np.full((1, 1), 4.0), ("m", "n"))).load()(b=b[None, :3])["y"]
    np.testing.assert_array_equal(found, b[None, :3] / 4)


@pytest.mark.parametrize(
    ("matrix", "right", "words"),
    [
        ((7, 7), (7, 2), "its matrix is computed as the model runs; expected a constant"),
        (np.ones((7, 6)), (7, 2), r"matrix is \[7, 6\]; expected a square"),
        (np.ones((7, 7)), (7, 2), "its matrix has no inverse"),
        (MATRIX, (3, 7, 2), "operand 1 has rank 3; expected 1 or 2"),
        (MATRIX, (6, 2), "the dimensions 6 and 7 have to be equal"),
    ],
    ids=["fed", "oblong", "singular", "batched", "unfit"],
)
def test_what_is_not_solved(matrix: Any, right: Sequence[int], words: str) -> None:
    with pytest.raises(UnsupportedModelError, match=words):
        import_model(solving(matrix, right))
