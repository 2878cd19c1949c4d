"""Rows whose number is known only later, with tiles of any height."""

from __future__ import annotations

import numpy as np
from graphs import onnx_model
from onnx import helper

import tvmfuse


def test_any_number_of_rows() -> None:
    rng = np.random.default_rng(0)
    w = rng.standard_normal((37, 50), dtype="float32")
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    model = onnx_model([node], {"x": ("float32", ("rows", 37))}, {"y": "float32"}, {"w": w})
    loaded = tvmfuse.compile(model, strict=True).load()
    for rows in range(31):
        x = rng.standard_normal((rows, 37), dtype="float32")
        np.testing.assert_allclose(loaded(x=x)["y"], x @ w, rtol=1e-4, atol=1e-4)
