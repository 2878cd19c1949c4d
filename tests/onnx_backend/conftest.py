"""Outcomes come together from all of pytest's workers, and can be written down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from onnx_backend.cases import cases
from onnx_backend.expectations import expected, left_to_the_fallback, renew
from onnx_backend.outcomes import ARMS, FALLBACK, SYMBOLIC
from onnx_backend.page import PAGE, page
from onnx_backend.symbolic import symbolic_cases
from onnx_backend.workers import Worker
from outcome import Outcome

#: What a test says of its case, beside whether it was expected.
PROPERTY: Final = "outcome"

_found: dict[tuple[str, str], Outcome] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fallback",
        action="store_true",
        help="run the cases that are refused at level all, and them alone, with the fallback",
    )
    parser.addoption(
        "--symbolic",
        action="store_true",
        help="run the cases that pass at level all, and them alone, with symbolic sizes",
    )
    parser.addoption(
        "--renew",
        action="store_true",
        help="write the outcomes of the cases that run, and the page",
    )


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """Return the process that runs this worker's cases."""
    started = Worker()
    yield started
    started.stop()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    said: list[tuple[str, Any]] = list(report.user_properties)
    for name, value in said:
        if name == PROPERTY and report.when == "call":
            case, arm, *outcome = value
            _found[case, arm] = Outcome(*outcome)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("--renew") and not hasattr(session.config, "workerinput"):
        renew(_found)
        PAGE.write_text(page(expected()))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each case to each arm; with `--fallback` or `--symbolic`, those that it is for."""
    if metafunc.function.__name__ == "test_case":
        names, arms = sorted(cases()), [*ARMS]
        if metafunc.config.getoption("--fallback"):
            names, arms = left_to_the_fallback(expected()), [FALLBACK]
        elif metafunc.config.getoption("--symbolic"):
            names, arms = symbolic_cases(expected()), [SYMBOLIC]
        metafunc.parametrize("name", names)
        metafunc.parametrize("arm", arms)
