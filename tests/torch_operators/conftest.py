"""Outcomes come together from all of pytest's workers, and can be written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import Any, Final

import pytest
from outcome import Outcome
from torch_operators.entries import DTYPES, names
from torch_operators.expectations import expected, renew
from torch_operators.outcomes import outcome_of
from torch_operators.page import PAGE, page
from workers import LostError, Worker

#: What a test says of its entry, beside whether it was expected.
PROPERTY: Final = "outcome"
#: Seconds that an entry may take, on two busy cores.
LIMIT_S: Final = 400.0

_found: dict[tuple[str, str], Outcome] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew",
        action="store_true",
        help="write the outcomes of the entries that run, and the page",
    )


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """Return the process that runs this worker's entries."""
    started = Worker(outcome_of, "torch_operators.preloaded")
    yield started
    started.stop()


@pytest.fixture
def outcome(name: str, dtype: str, worker: Worker, request: pytest.FixtureRequest) -> Outcome:
    """Run an entry; where its process dies or takes too long, that is its outcome."""
    try:
        found: Outcome = worker.result(name, dtype, limit_s=LIMIT_S)
    except LostError as lost:
        found = Outcome(lost.kind, "", lost.why)
    request.node.user_properties.append((PROPERTY, (name, dtype, *astuple(found))))
    return found


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    said: list[tuple[str, Any]] = list(report.user_properties)
    for name, value in said:
        if name == PROPERTY and report.when == "call":
            entry, dtype, *outcome = value
            _found[entry, dtype] = Outcome(*outcome)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("--renew") and not hasattr(session.config, "workerinput"):
        renew(_found)
        PAGE.write_text(page(expected()))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each entry in each dtype that it has."""
    if metafunc.function.__name__ == "test_entry":
        every = [(name, dtype) for dtype in DTYPES for name in names(dtype)]
        metafunc.parametrize(("name", "dtype"), every, ids=[f"{n}-{d}" for n, d in every])
