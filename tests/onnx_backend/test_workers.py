"""A case that ends its process, hangs or takes all memory is one failure, and the next one runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from onnx_backend.misbehaving import misbehave
from onnx_backend.outcomes import DIED, TIMEOUT
from onnx_backend.workers import Worker
from outcome import PASS, REFUSED, Outcome, deviations


@pytest.fixture
def worker() -> Iterator[Worker]:
    started = Worker(misbehave, limit_s=1)
    yield started
    started.stop()


@pytest.mark.parametrize(
    ("deed", "outcome"),
    [
        ("die", Outcome(DIED, "Abs", "SIGSEGV")),
        ("exit", Outcome(DIED, "Abs", "exit code 3")),
        ("hang", Outcome(TIMEOUT, "Abs", "after 1 s")),
    ],
)
def test_a_process_that_is_lost_is_replaced(worker: Worker, deed: str, outcome: Outcome) -> None:
    first = worker.outcome("test_abs", "live")
    assert worker.outcome("test_abs", deed) == outcome
    second = worker.outcome("test_abs", "live")
    assert first.kind == second.kind == PASS
    assert first.operator != second.operator


def test_memory_is_refused_to_one_case_alone(worker: Worker) -> None:
    found = [worker.outcome("test_abs", deed) for deed in ("live", "bloat", "live")]
    assert [o.why for o in found] == ["", "MemoryError", ""]
    assert len({o.operator for o in found}) == 1


def test_what_is_not_as_expected_is_said_in_both_directions() -> None:
    refused = Outcome(REFUSED, "Abs", "why")
    for found, wanted in ((refused, Outcome(PASS)), (Outcome(PASS), refused)):
        assert len(deviations({("a", "all"): found}, {("a", "all"): wanted})) == 1
        assert not deviations({("a", "all"): found}, {("a", "all"): found})
    assert not deviations({("a", "all"): Outcome(PASS)}, {})
    assert not deviations({("a", "all"): refused}, {("a", "all"): Outcome(REFUSED, "Abs", "how")})
