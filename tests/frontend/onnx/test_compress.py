"""Compress: a condition may be shorter than the axis, and what is beyond the axis counts for nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import parser

import tvmfuse

X = np.arange(12, dtype="float32").reshape(3, 4)


@pytest.mark.parametrize("length", [1, 3, 4, 6, 12, 40])
@pytest.mark.parametrize("attribute", ["", "<axis = 0>", "<axis = -1>"])
@pytest.mark.parametrize("sizes", ["fixed", "symbolic"])
def test_a_condition_of_any_length(tmp_path: Path, length: int, attribute: str, sizes: str) -> None:
    x, c = ("3, 4", str(length)) if sizes == "fixed" else ("n, m", "k")
    graph = f"(float[{x}] x, bool[{c}] c) => (float[] y) {{ y = Compress {attribute} (x, c) }}"
    graph = graph.replace("(float[] y)", "(float[p] y)" if not attribute else "(float[p, q] y)")
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {graph}')
    feeds = {"x": X, "c": np.arange(length) % 3 != 1}
    session = onnxruntime.InferenceSession(model.SerializeToString())
    expected: Any = session.run(None, feeds)[0]
    artifact = tvmfuse.compile(model)
    artifact.save(tmp_path / "m.so")
    for run in (artifact.load(), tvmfuse.load(tmp_path / "m.so")):
        np.testing.assert_array_equal(run(feeds)["y"], expected)
