"""Running totals along any axis, of any size, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("exclusive", [0, 1])
def test_of_columns_of_any_number(exclusive: int) -> None:
    node = helper.make_node("CumSum", ["x", "axis"], ["y"], exclusive=exclusive)
    inputs = {"x": ("float32", ("n", "rows", "columns"))}
    model = onnx_model([node], inputs, {"y": "float32"}, {"axis": np.array(1)})
    loaded = tvmfuse.compile(model, strict=True).load()
    for shape in ((2, 3, 1), (1, 5, 17), (2, 4, 1040), (1, 1, 16), (2, 0, 3), (1, 3, 0)):
        x = RNG.standard_normal(shape).astype("float32")
        if x.size > 20:
            x[0, 1, 2], x[0, 2, 3] = np.nan, np.inf
        expected = np.cumsum(x, 1)
        if exclusive:
            expected = np.concatenate([np.zeros_like(x[:, :1]), expected[:, :-1]], 1)[
                :, : x.shape[1]
            ]
        np.testing.assert_array_equal(loaded(x=x)["y"], expected)


def test_of_small_integers() -> None:
    node = helper.make_node("CumSum", ["x", "axis"], ["y"], reverse=1)
    inputs = {"x": ("int32", (7, 33))}
    model = onnx_model([node], inputs, {"y": "int32"}, {"axis": np.array(0)})
    x = RNG.integers(-9, 9, (7, 33)).astype("int32")
    np.testing.assert_array_equal(tvmfuse.compile(model).load()(x=x)["y"], x[::-1].cumsum(0)[::-1])
