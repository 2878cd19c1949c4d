"""Models that skl2onnx and onnxmltools write by default give what they give in onnxruntime."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.clients

for package in ("skl2onnx", "onnxmltools", "pandas", "xgboost", "lightgbm"):
    pytest.importorskip(package, reason="tests/clients/sklearn.txt")

from clients.estimators import CASES  # noqa: E402
from fallbacks import expected  # noqa: E402

import tvmfuse  # noqa: E402
from tvmfuse.errors import FallbackWarning  # noqa: E402

REFUSED = {
    "KNNImputer": "is not known where its condition is true",
}
"""What is not compiled, and why."""


@pytest.mark.parametrize("name", CASES)
def test_an_estimator(name: str) -> None:
    model, feeds = CASES[name]()
    if name in REFUSED:
        with pytest.raises(tvmfuse.TvmfuseError, match=REFUSED[name]):
            tvmfuse.compile(model)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        run = tvmfuse.compile(model).load()
    for found, wanted in zip(run.run(None, feeds), expected(model, feeds), strict=True):
        compare(found, wanted)


def compare(found: Any, wanted: Any) -> None:
    """Compare labels exactly, and scores within 1e-4."""
    if isinstance(wanted, list):
        assert [[*map(repr, row)] for row in found] == [[*map(repr, row)] for row in wanted]
        ours, theirs = ([[*row.values()] for row in rows] for rows in (found, wanted))
        np.testing.assert_allclose(ours, theirs, 1e-4, 1e-4)
    elif wanted.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, 1e-4, 1e-4)
    else:
        assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
