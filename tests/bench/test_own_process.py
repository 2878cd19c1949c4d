"""`bench.own_process`: an engine elsewhere computes the same, takes its own time, and may die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import own_process
from bench.engines import Engine, Job
from bench.own_process import EngineDiedError, OwnProcess, clock_of
from bench.variants import Arrays

SLOW_S = 0.02


def _no_module() -> Any:
    raise AssertionError("no engine here builds a module")


def _built(job: Job, *, run: Callable[[Arrays], Arrays]) -> Callable[[Arrays], Arrays]:
    if job.threads > 2:
        raise ValueError("two threads at most\nno trace of it")
    return run


def _doubled(feeds: Arrays) -> Arrays:
    time.sleep(SLOW_S)
    return {"y": feeds["x"] * 2, "process": np.array(os.getpid())}


def _killed(feeds: Arrays) -> Arrays:
    os._exit(7)


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Any:
    engines = {
        name: Engine(name, "numpy", partial(_built, run=run))
        for name, run in (("doubles", _doubled), ("dies", _killed))
    }
    monkeypatch.setattr(own_process, "ENGINES", engines)
    return lambda engine, threads=2: OwnProcess(
        engine, Job(Path("none"), ("y",), _no_module, threads), {"x": np.arange(3)}
    )


def test_it_computes_elsewhere_and_takes_its_own_time(process: Any) -> None:
    with process("doubles") as first, process("doubles") as second:
        clock = clock_of([first, second])
        found = first.outputs()
        np.testing.assert_array_equal(found["y"], [0, 2, 4])
        assert len({os.getpid(), int(found["process"]), int(second.outputs()["process"])}) == 3
        assert clock.now() == 0
        first.run()
        second.run()
        assert clock.now() == first.spent_ns + second.spent_ns
        assert first.spent_ns >= SLOW_S * 1e9
        time.sleep(SLOW_S)
        assert clock.now() == first.spent_ns + second.spent_ns


def test_what_cannot_be_built_is_told(process: Any) -> None:
    with pytest.raises(EngineDiedError, match="^doubles: two threads at most$"):
        process("doubles", threads=3)


def test_a_death_is_told_with_its_code(process: Any) -> None:
    with process("dies") as dying, pytest.raises(EngineDiedError, match="dies: .* ended with .* 7"):
        dying.run()


def test_a_death_between_runs_is_told_with_its_signal(process: Any) -> None:
    with process("doubles") as dying:
        found = int(dying.outputs()["process"])
        os.kill(found, signal.SIGKILL)
        os.waitid(os.P_PID, found, os.WEXITED | os.WNOWAIT)
        with pytest.raises(EngineDiedError, match="doubles: its process ended with code -9"):
            dying.run()
