"""No verdict is given of a machine that is not quiet, and what waits for quiet waits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest
from quiet import CORES, BusyMachine

from tvmfuse.errors import ConfigurationError, NotQuietError
from tvmfuse.measure import Quiet, Variant, Watch, compare, compare_many
from tvmfuse.measure.cpu_time import TICKS_PER_S
from tvmfuse.measure.machine import OTHERS
from tvmfuse.progress import Step

ONES = {"y": np.ones(4, "float32")}
NO_TIME: dict[str, Any] = {"sleep_s": lambda _seconds: None, "own_s": lambda: 0.0}
Busy = Callable[..., BusyMachine]


@pytest.fixture
def busy(tmp_path: Path) -> Busy:
    return lambda *others: BusyMachine(tmp_path, *others)


def compared(machine: Any, busy: BusyMachine, **options: Any) -> Any:
    """Compare a variant with one that takes half of its time."""
    fake = machine(jitter=0.01)
    slow, fast = (fake.variant(name, ms, ONES) for name, ms in (("a", 10), ("b", 5)))
    return compare(
        Variant("a", slow), Variant("b", fast), rounds=32, clock=fake.clock, watch=busy.watch,
        **options,
    )  # fmt: skip


def test_a_quiet_machine_gives_a_verdict(machine: Any, busy: Busy) -> None:
    found = compared(machine, busy(0.0))
    assert (found.ratio.effect, found.machine.quiet, found.banner) == (True, True, "")
    assert found.sentence.startswith("speedup of B")


@pytest.mark.parametrize("others", [(0.9,), (0.9, 0.9, 0.0), (0.0, 0.0, 0.9)])
def test_a_busy_one_gives_none(machine: Any, busy: Busy, others: tuple[float, ...]) -> None:
    """Busy all the time, only before, only while times are taken."""
    found = compared(machine, busy(*others))
    assert (found.ratio.effect, found.to_json()["effect"]) == (False, False)
    assert found.ratio.median == pytest.approx(0.5, rel=0.01)
    assert found.sentence.startswith("no verdict: speedup of B")
    assert found.banner.startswith("Not quiet: other processes took 90 % of the time")


def test_candidates_have_no_verdict_either(machine: Any, busy: Busy) -> None:
    fake = machine(jitter=0.01)
    variants = [Variant(str(ms), fake.variant(str(ms), ms, ONES)) for ms in (10, 5, 20)]
    found = compare_many(
        variants[0], variants[1:], rounds=40, clock=fake.clock, watch=busy(0.9).watch
    )
    assert [c.ratio and c.ratio.effect for c in found.candidates] == [False, False]
    assert all(c.sentence.startswith("no verdict: ") for c in found.candidates)


def test_a_machine_that_says_nothing_gives_none(machine: Any, tmp_path: Path) -> None:
    silent = Watch(tmp_path / "nowhere", **NO_TIME)
    fake = machine(jitter=0.01)
    slow, fast = (fake.variant(name, ms, ONES) for name, ms in (("a", 10), ("b", 5)))
    found = compare(
        Variant("a", slow), Variant("b", fast), rounds=32, clock=fake.clock, watch=silent
    )
    assert (found.ratio and found.ratio.effect, found.machine.quiet) == (False, None)
    assert found.banner.startswith("Load unknown: /proc/stat does not say what else took")
    assert found.sentence.startswith("no verdict: speedup of B")


class StillMachine(BusyMachine):
    """Likewise, but time passes only while somebody sleeps."""

    def __init__(self, root: Path, *others: float) -> None:
        super().__init__(root, *others)
        self.slept: list[float] = []
        self.watch = Watch(
            root, cpus=range(CORES), own_s=lambda: 0.0, now_s=lambda: sum(self.slept),
            sleep_s=self._sleep,
        )  # fmt: skip

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.total += TICKS_PER_S * seconds
        self.busy += TICKS_PER_S * seconds * self.others[0]
        self._write()


@pytest.mark.parametrize(("others", "quiet"), [(0.9, False), (0.0, True)])
def test_a_measurement_of_no_time_is_watched_until_its_load_is_known(
    machine: Any, tmp_path: Path, others: float, *, quiet: bool
) -> None:
    still = StillMachine(tmp_path, others)
    found = compared(machine, still)
    assert (found.machine.quiet, found.ratio.effect) == (quiet, quiet)
    assert 0.5 <= sum(still.slept) < 1


def test_ctrl_c_while_it_is_watched_keeps_what_was_measured(machine: Any, tmp_path: Path) -> None:
    still = StillMachine(tmp_path, 0.0)

    def press(_seconds: float) -> Never:
        raise KeyboardInterrupt

    still.watch.sleep_s = press
    found = compared(machine, still)
    assert found.interrupted
    assert found.ratio.median == pytest.approx(0.5, rel=0.01)
    assert not found.ratio.effect


def test_what_is_not_timed_has_no_banner(machine: Any, tmp_path: Path) -> None:
    fake, silent = machine(), Watch(tmp_path, **NO_TIME)
    twos = {"y": 2 * ONES["y"]}
    right, wrong = (Variant(n, fake.variant(n, 1, y)) for n, y in (("a", ONES), ("b", twos)))
    found = compare_many(right, [wrong], rounds=8, clock=fake.clock, watch=silent)
    assert found.candidates[0].problem
    assert (found.machine.timed, found.banner) == (False, "")


@contextmanager
def spinning(what: str) -> Iterator[None]:
    """Let a thread, a child, or nothing, compute for ever."""
    stop = threading.Event()
    if what == "thread":
        thread = threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)])
        thread.start()
        yield
        stop.set()
        thread.join()
    elif what == "child":
        with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) as child:
            yield
            child.kill()
    else:
        yield


@pytest.mark.parametrize("what", ["thread", "child", "nothing"])
def test_own_work_that_is_not_timed_is_load(what: str) -> None:
    """On this machine, whatever else it does: a spinning thread, and a DataLoader's worker."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    a, b = (Variant(name, lambda: ONES) for name in "ab")
    with spinning(what):
        found = compare(a, b, rounds=8, warm_up_s=0.0, watch=Watch(cpus=cores))
    assert found.machine.own is not None
    busy = found.machine.own > OTHERS
    assert busy == (what != "nothing")
    assert ("other threads of this process, or its children, took" in found.banner) == busy
    assert not (busy and found.ratio and found.ratio.effect)


def test_waiting_ends_when_it_is_quiet(machine: Any, busy: Busy) -> None:
    steps: list[str] = []
    neighbour = busy(0.9, 0.9, 0.9, 0.9, 0.0)
    found = compared(machine, neighbour, quiet=Quiet(wait_s=60), progress=steps.append)
    waiting = [step for step in steps if step.startswith("waiting for a quiet machine: other")]
    assert waiting
    assert all(isinstance(step, Step) and 0 < step.share < 1 for step in waiting)
    assert steps.index("warming up") > steps.index(waiting[-1])
    assert found.ratio.effect
    assert found.machine.waited_s == 3 * (len(waiting) + 1)


def test_waiting_ends_when_its_time_is_up(machine: Any, busy: Busy) -> None:
    found = compared(machine, busy(0.9), quiet=Quiet(wait_s=10))
    assert 10 <= found.machine.waited_s <= 14
    assert not found.ratio.effect


def test_quiet_that_is_required_is_required_before_anything_is_timed(
    machine: Any, busy: Busy
) -> None:
    steps: list[str] = []
    words = r"expected a quiet machine, and after 12 s other processes took 90 % .*--wait-quiet"
    with pytest.raises(NotQuietError, match=words):
        compared(machine, busy(0.9), quiet=Quiet(10, required=True), progress=steps.append)
    assert not [step for step in steps if not step.startswith("waiting")]
    with pytest.raises(NotQuietError, match="after 3 s other"):
        compared(machine, busy(0.9), quiet=Quiet(required=True))
    assert compared(machine, busy(0.0), quiet=Quiet(required=True)).ratio.effect


def test_a_machine_that_says_nothing_is_not_known_to_be_quiet(machine: Any, tmp_path: Path) -> None:
    silent: Any = type("Files", (), {"watch": Watch(tmp_path, **NO_TIME)})
    with pytest.raises(NotQuietError, match="/proc/stat does not say"):
        compared(machine, silent, quiet=Quiet(required=True))
    assert not compared(machine, silent, quiet=Quiet(wait_s=60)).ratio.effect


@pytest.mark.parametrize("seconds", [-1.0, float("inf"), float("nan")])
def test_impossible_waits_are_refused(seconds: float) -> None:
    with pytest.raises(ConfigurationError, match="expected wait_s of 0 or more"):
        Quiet(seconds)
