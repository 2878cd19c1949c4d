"""What onnxruntime computes with its graph optimizations off: the reference of all numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

TOLERANCE = 1e-4  # of an output's largest magnitude, as the product promises


def reference(
    model: Path | onnx.ModelProto, feeds: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Run a model unoptimized, on one thread."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    source = str(model) if isinstance(model, Path) else model.SerializeToString()
    session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, dict(feeds)), strict=True))


def assert_agrees(
    ours: Mapping[str, np.ndarray],
    theirs: Mapping[str, np.ndarray],
    *,
    tolerance: float = TOLERANCE,
) -> float:
    """Compare output by output; NaN and infinities stand at the same places.

    Returns the largest error, relative to its output's largest magnitude.
    """
    assert list(ours) == list(theirs)
    worst = 0.0
    for name, expected in theirs.items():
        found = ours[name]
        assert found.shape == expected.shape, name
        assert found.dtype == expected.dtype, name
        if not np.issubdtype(expected.dtype, np.floating):
            np.testing.assert_array_equal(found, expected, err_msg=name)
            continue
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected), err_msg=name)
        infinite = np.isinf(expected)
        np.testing.assert_array_equal(found[infinite], expected[infinite], err_msg=name)
        finite = np.isfinite(expected)
        if finite.any():
            scale = np.abs(expected[finite]).max() or 1.0
            error = float(np.abs(found[finite] - expected[finite]).max() / scale)
            assert error <= tolerance, f"{name}: {error:.2e} of its largest magnitude"
            worst = max(worst, error)
    return worst
