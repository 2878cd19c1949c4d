"""No verdict is given of a machine that is not quiet, and what waits for quiet waits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quiet import BusyMachine

from tvmfuse.errors import ConfigurationError, NotQuietError
from tvmfuse.measure import Quiet, Variant, Watch, compare, compare_many
from tvmfuse.progress import Step

ONES = {"y": np.ones(4, "float32")}
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


def test_a_machine_that_says_nothing_gives_a_verdict(machine: Any, tmp_path: Path) -> None:
    silent = Watch(tmp_path / "nowhere")
    fake = machine(jitter=0.01)
    slow, fast = (fake.variant(name, ms, ONES) for name, ms in (("a", 10), ("b", 5)))
    found = compare(
        Variant("a", slow), Variant("b", fast), rounds=32, clock=fake.clock, watch=silent
    )
    assert (found.ratio and found.ratio.effect, found.machine.quiet) == (True, None)


def test_waiting_ends_when_it_is_quiet(machine: Any, busy: Busy) -> None:
    steps: list[str] = []
    neighbour = busy(0.9, 0.9, 0.9, 0.9, 0.0)
    found = compared(machine, neighbour, quiet=Quiet(wait_s=60), progress=steps.append)
    waiting = [step for step in steps if step.startswith("waiting for a quiet machine: other")]
    assert waiting
    assert all(isinstance(step, Step) and 0 < step.share < 1 for step in waiting)
    assert steps.index("warming up") > steps.index(waiting[-1])
    assert found.ratio.effect
    assert found.machine.waited_s == 2 * (len(waiting) + 1)


def test_waiting_ends_when_its_time_is_up(machine: Any, busy: Busy) -> None:
    found = compared(machine, busy(0.9), quiet=Quiet(wait_s=10))
    assert 10 <= found.machine.waited_s <= 14
    assert not found.ratio.effect


def test_quiet_that_is_required_is_required_before_anything_is_timed(
    machine: Any, busy: Busy
) -> None:
    steps: list[str] = []
    words = r"expected a quiet machine, and after 10 s other processes took 90 % .*--wait-quiet"
    with pytest.raises(NotQuietError, match=words):
        compared(machine, busy(0.9), quiet=Quiet(10, required=True), progress=steps.append)
    assert not [step for step in steps if not step.startswith("waiting")]
    with pytest.raises(NotQuietError, match="after 2 s other"):
        compared(machine, busy(0.9), quiet=Quiet(required=True))
    assert compared(machine, busy(0.0), quiet=Quiet(required=True)).ratio.effect


def test_a_machine_that_says_nothing_is_not_known_to_be_quiet(machine: Any, tmp_path: Path) -> None:
    silent: Any = type("Files", (), {"watch": Watch(tmp_path, sleep_s=lambda _seconds: None)})
    with pytest.raises(NotQuietError, match="/proc/stat does not say"):
        compared(machine, silent, quiet=Quiet(required=True))
    assert compared(machine, silent, quiet=Quiet(wait_s=60)).ratio.effect


@pytest.mark.parametrize("seconds", [-1.0, float("inf"), float("nan")])
def test_impossible_waits_are_refused(seconds: float) -> None:
    with pytest.raises(ConfigurationError, match="expected wait_s of 0 or more"):
        Quiet(seconds)
