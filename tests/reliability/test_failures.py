"""Every pass and every schedule with every way to fail: left out and named, or an error."""

from __future__ import annotations

import pytest
from failing import (
    SCHEDULE_FAULTS,
    SCHEDULES,
    assert_pass_is_left_out,
    assert_schedule_is_left_out,
    failures,
)

from tvmfuse.passes.contract import GraphPass

ALL = failures()
NAMES = [entry.name for entry in SCHEDULES]


@pytest.mark.reliability
@pytest.mark.parametrize(("entry", "fault"), ALL, ids=[f"{e.name}-{f}" for e, f in ALL])
def test_a_pass_that_fails_is_left_out(
    entry: GraphPass, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_pass_is_left_out(monkeypatch, entry, fault)


@pytest.mark.reliability
@pytest.mark.parametrize("fault", SCHEDULE_FAULTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_schedule_that_fails_is_left_out(
    name: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_schedule_is_left_out(monkeypatch, name, fault, strict=True)
