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

MOST = {"GaussianProcessClassifier": 5e-4}
"""How far scores may be off: numbers of some thousands cancel, in float32."""


@pytest.mark.parametrize("name", CASES)
def test_an_estimator(name: str) -> None:
    model, feeds, *own = CASES[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        run = tvmfuse.compile(model).load()
    for rows in (slice(None), slice(3, 4)):
        some = {key: fed[rows] for key, fed in feeds.items()}
        wanted = [result[rows] for result in own[0]] if own else expected(model, some)
        for one, other in zip(run.run(None, some), wanted, strict=True):
            compare(one, other, MOST.get(name, 1e-4))


def compare(found: Any, wanted: Any, most: float) -> None:
    """Compare labels exactly, and scores within a tolerance."""
    if isinstance(wanted, list):
        assert [[*map(repr, row)] for row in found] == [[*map(repr, row)] for row in wanted]
        ours, theirs = ([[*row.values()] for row in rows] for rows in (found, wanted))
        np.testing.assert_allclose(ours, theirs, most, most)
    elif wanted.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, most, most)
    else:
        assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
