"""MelWeightMatrix: of sizes that are known, symbolic or fed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper

import tvmfuse


def operands(bands: int, length: int, low: float = 0.0, high: float = 7000.0) -> list[np.ndarray]:
    integers = [np.array(n, "int64") for n in (bands, length, 16000)]
    return [*integers, *(np.array(f, "float32") for f in (low, high))]


@pytest.mark.parametrize("fixed", [(), (0, 1)])
def test_bands(node_agrees: Any, fixed: tuple[int, ...]) -> None:
    for bands, length, low in ((3, 16, 0.0), (40, 512, 125.0)):
        node_agrees("MelWeightMatrix", *operands(bands, length, low), fixed=fixed)


def test_a_length_that_is_a_size() -> None:
    """The signal's own length, and another dtype."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Squeeze", ["shape"], ["length"]),
        helper.make_node(
            "MelWeightMatrix",
            ["b", "length", "r", "l", "h"],
            ["y"],
            output_datatype=TensorProto.DOUBLE,
        ),
    ]
    bands, _, *others = operands(5, 0)
    constants = dict(zip("brlh", [bands, *others], strict=True))
    model = onnx_model(nodes, {"x": ("float32", ("n",))}, {"y": "float64"}, constants)
    weights = tvmfuse.compile(model, strict=True).load()(x=np.zeros(64, "float32"))["y"]
    assert weights.shape == (33, 5)
    assert (weights.max(0) == 1).all()
