"""Many callers: the same bits in each thread, and a bounded number of OS threads."""

from __future__ import annotations

import os

import pytest
from reliability.soaking import measured

#: OS threads of a process that has used tvmfuse, whoever called it and however often: the main
#: thread, the workers of one pool, those that compiled, and numpy's own.
MOST_THREADS = 4 + 3 * len(os.sched_getaffinity(0))


def test_eight_callers_share_an_executable_and_a_session() -> None:
    found = measured("callers", 4_000)
    assert found["wrong"] == 0
    assert found["threads"] <= MOST_THREADS


def test_callers_that_end_leave_no_threads() -> None:
    found = measured("short_lived", 400)
    assert (found["count"], found["wrong"]) == (400, 0)
    assert found["threads"] <= MOST_THREADS


@pytest.mark.reliability
def test_eight_callers_for_long() -> None:
    found = measured("callers", 100_000, timeout_s=1800)
    print(found)
    assert found["wrong"] == 0
    assert found["threads"] <= MOST_THREADS


@pytest.mark.reliability
def test_ten_thousand_callers_that_end() -> None:
    found = measured("short_lived", 10_000, timeout_s=1800)
    print(found)
    assert (found["count"], found["wrong"]) == (10_000, 0)
    assert found["threads"] <= MOST_THREADS
