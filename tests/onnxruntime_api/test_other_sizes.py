"""Sizes that onnxruntime takes and the compiled model does not: with a fallback they run there."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import reference

import tvmfuse
from tvmfuse.errors import FallbackWarning, InputError, SizesError

SUM: Any = {"x": ("float32", ("n", 3)), "z": ("float32", ("m", 3))}


def rows(x: int, z: int) -> dict[str, np.ndarray]:
    return {
        name: np.arange(3 * count, dtype="float32").reshape(count, 3)
        for name, count in (("x", x), ("z", z))
    }


def session(model: onnx.ModelProto, fallback: str | None) -> Any:
    options = tvmfuse.SessionOptions()
    options.fallback, options.start, options.cache = fallback, "compiled", False
    return tvmfuse.InferenceSession(model.SerializeToString(), options)


@pytest.fixture(scope="module")
def model() -> onnx.ModelProto:
    return onnx_model([helper.make_node("Add", ["x", "z"], ["y"])], SUM, {"y": "float32"})


def test_onnxruntime_runs_them_and_one_warning_says_so(model: onnx.ModelProto) -> None:
    """A sum of n and m rows is compiled for as many; of one row it is a broadcast."""
    run = session(model, "onnxruntime").run
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for feeds in (rows(4, 4), rows(4, 1), rows(1, 5), rows(2, 2)):
            np.testing.assert_array_equal(run(None, feeds)[0], reference(model, feeds)["y"])
    (said,) = caught
    assert said.category is FallbackWarning
    assert "sizes that are not compiled: " in str(said.message)
    assert "m == n" in str(said.message)


def test_what_neither_takes_is_refused_and_nothing_is_said(model: onnx.ModelProto) -> None:
    run = session(model, "onnxruntime").run
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for wrong in (rows(4, 3), {**rows(2, 2), "x": np.ones((2, 4), "float32")}):
            with pytest.raises(InputError):
                run(None, wrong)


def test_without_a_fallback_they_are_refused(model: onnx.ModelProto) -> None:
    with pytest.raises(SizesError, match="m == n"):
        session(model, None).run(None, rows(4, 1))
