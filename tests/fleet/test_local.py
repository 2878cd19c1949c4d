"""fleet.local: processes that run tasks are replaced when they die, and none outlives its block."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from fleet_tasks import Deadly, Endless, Saying, Unreadable, is_running, wait_for

from tvmfuse.fleet.executor import LostError
from tvmfuse.fleet.local import LocalExecutor, default_jobs


def test_tasks_run_in_a_few_processes_that_are_gone_afterwards() -> None:
    with LocalExecutor(2) as workers:
        futures = [workers.submit(Saying()) for _ in range(8)]
        found = {int(future.result().content) for future in futures}
    assert len(found) <= 2
    assert os.getpid() not in found
    assert not any(map(is_running, found))


def test_a_task_whose_process_dies_runs_in_another(tmp_path: Path) -> None:
    with LocalExecutor(1) as workers:
        twice = workers.submit(Deadly(tmp_path / "twice", 2))
        thrice = workers.submit(Deadly(tmp_path / "thrice", 3))
        unread = workers.submit(Unreadable())
        assert twice.result().content == b"alive"
        with pytest.raises(LostError, match="3 processes died of it, the last with SIGKILL: these"):
            thrice.result()
        with pytest.raises(LostError, match=r"exit code 1: ValueError: .*no number"):
            unread.result()
        assert workers.submit(Saying("well ")).result().content.startswith(b"well ")


def test_an_error_ends_the_processes_at_once(tmp_path: Path) -> None:
    with suppress(KeyboardInterrupt), LocalExecutor(1) as workers:
        begun, waits = workers.submit(Endless(tmp_path / "begun")), workers.submit(Saying())
        process = int(wait_for(tmp_path / "begun"))
        raise KeyboardInterrupt
    assert not is_running(process)
    assert waits.cancelled()
    with pytest.raises(LostError):
        begun.result()


def test_there_is_a_process_for_two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, jobs in ((1, 1), (2, 1), (3, 1), (8, 4)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, n=cores: set(range(n)))
        assert default_jobs() == jobs
