"""Sizes, counts, axes and steps of 0, below 0, and at the ends of 32 and 64 bits.

Each is a constant or fed, of fixed and of symbolic sizes: the right result, or an error in words.
Nothing ends the process, and memory is there for what is small.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from number_cases import CASES, FAULT, OK, REFUSED, Outcome, ours, theirs
from reference import assert_agrees
from workers import LostError, Worker

SECONDS = 300.0


@pytest.fixture(scope="module")
def workers() -> Iterator[tuple[Worker, Worker]]:
    both = Worker(ours, "number_cases"), Worker(theirs, "number_cases")
    yield both
    for worker in both:
        worker.stop()


def fault(found: Outcome, expected: Outcome) -> str:
    """Say what is wrong with how a run ended; nothing where nothing is."""
    kind, results = found
    if kind == FAULT:
        return str(results)
    if expected[0] != OK or expected[1] is None:
        return ""  # what onnxruntime refuses may be refused or computed
    if kind == REFUSED:
        return str(results) if "OutOfMemoryError" in str(results) else ""
    try:
        assert_agrees(results, expected[1])
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("symbolic", [False, True], ids=["fixed", "symbolic"])
@pytest.mark.parametrize(
    "fed", [pytest.param(False, marks=pytest.mark.long), True], ids=["known", "fed"]
)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(12)
def test_unusual_numbers(
    name: str, fed: bool, symbolic: bool, workers: tuple[Worker, Worker]
) -> None:
    our_worker, their_worker = workers
    found = our_worker.result(name, fed, symbolic, limit_s=SECONDS)  # a signal is a LostError
    faults = {}
    for place, outcome in enumerate(found):
        try:
            expected = their_worker.result(name, fed, symbolic, place, limit_s=SECONDS)
        except LostError as lost:
            expected = lost.kind, lost.why
        if words := fault(outcome, expected):
            faults[place] = words
    assert not faults
    assert found[0][0] == OK, f"the usual numbers: {found[0]}"
