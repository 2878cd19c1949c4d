"""A small input, and a comparison with onnxruntime at both ends of the levels."""

from typing import Any

import numpy as np
import onnx
from reference import assert_agrees, reference

import tvmfuse

X: dict[str, Any] = {"x": ("float32", (2, 3))}
Y = {"y": "float32"}
DATA = np.array([[1.5, -2.0, 0.0], [np.nan, 4.0, -np.inf]], "float32")


def agrees(model: onnx.ModelProto, **feeds: np.ndarray) -> dict[str, np.ndarray]:
    """Compile at both ends of the levels, run, compare with onnxruntime; return the outputs."""
    expected = reference(model, feeds)
    for level in ("none", "all"):
        found = tvmfuse.compile(model, level=level).load()(feeds)
        assert_agrees(found, expected)
    return expected
