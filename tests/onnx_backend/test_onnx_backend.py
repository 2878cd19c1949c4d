"""Each case of onnx's suite ends as is expected: it passes, or is refused for the reason written down.

``python -m pytest tests/onnx_backend``; no part of ``python -m pytest``. With ``--fallback`` those
that are refused run once more, with onnxruntime to fall back on; with ``--symbolic`` those that pass,
with symbolic sizes. With ``--renew`` what is found is what is expected from then on.
"""

from __future__ import annotations

from dataclasses import astuple

import pytest
from onnx_backend.cases import cases
from onnx_backend.expectations import expected
from onnx_backend.page import PAGE, page
from onnx_backend.workers import Worker
from outcome import deviations

EXPECTED = expected()


def test_case(
    name: str, arm: str, worker: Worker, record_property: object, request: pytest.FixtureRequest
) -> None:
    outcome = worker.outcome(name, arm)
    request.node.user_properties.append(("outcome", (name, arm, *astuple(outcome))))
    if not request.config.getoption("--renew"):
        assert not deviations({(name, arm): outcome}, EXPECTED)


def test_nothing_is_expected_of_cases_that_do_not_exist() -> None:
    assert {name for name, _ in EXPECTED} <= cases().keys()


def test_the_page_is_what_is_expected(request: pytest.FixtureRequest) -> None:
    """To renew it: `python -m pytest tests/onnx_backend -k page --renew`."""
    if not request.config.getoption("--renew"):
        assert PAGE.read_text() == page(EXPECTED)
