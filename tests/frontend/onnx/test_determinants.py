"""Det: against numpy, in any batch and of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_determinants(dtype: str) -> None:
    node = helper.make_node("Det", ["x"], ["y"])
    model = onnx_model([node], {"x": (dtype, ("a", "b", "n", "n"))}, {"y": dtype})
    loaded = tvmfuse.compile(model, strict=True).load()
    for shape in (
        (2, 3, 5, 5),
        (1, 1, 1, 1),
        (3, 1, 2, 2),
        (2, 0, 3, 3),
        (1, 2, 0, 0),
        (1, 1, 13, 13),
    ):
        x = RNG.standard_normal(shape).astype(dtype)
        x[..., :1, :1] = 0  # which is no pivot
        with np.errstate(over="ignore"):
            expected = np.linalg.det(x.astype("float64")).astype(dtype)
        found = loaded(x=x)["y"]
        assert found.dtype == dtype
        tolerance = 2e-2 if dtype == "float16" else 1e-4
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def test_matrices_without_an_inverse(node_agrees: Any) -> None:
    x = np.array([[[1, 2], [2, 4]], [[0, 0], [0, 0]], [[np.nan, 1], [1, 1]]], "float32")
    node_agrees("Det", x, opset=22)
    node_agrees("Det", x[0])


@pytest.mark.parametrize("shape", [(2, 3), (3,)])
def test_what_has_no_determinant(shape: tuple[int, ...]) -> None:
    node = helper.make_node("Det", ["x"], ["y"])
    with pytest.raises(ModelError, match="Det"):
        import_model(onnx_model([node], {"x": ("float32", shape)}, {"y": "float32"}))
