"""Balanced order, stable warm-up, honest samples, nothing lost to Ctrl-C."""

from __future__ import annotations

import gc
import itertools
from collections import Counter
from typing import Any, Never

import numpy as np
import pytest

from tvmfuse.errors import ConfigurationError
from tvmfuse.measure import interleave as module
from tvmfuse.measure.clock import system_clock
from tvmfuse.measure.interleave import Run, Samples, balanced_orders
from tvmfuse.measure.settings import MeasureSettings


def interleave(runs: list[Run], **settings: Any) -> Samples:
    return module.interleave(runs, MeasureSettings(**settings))


def test_every_pair_of_variants_is_in_either_order_equally_often() -> None:
    orders = list(itertools.islice(balanced_orders(4, seed=1), 60))
    for a, b in itertools.combinations(range(4), 2):
        assert sum(order.index(a) < order.index(b) for order in orders) == 30


def test_blocks_are_random() -> None:
    firsts = [o[0] for o in itertools.islice(balanced_orders(2, seed=0), 0, 400, 2)]
    assert 60 < sum(firsts) < 140
    assert firsts != [o[0] for o in itertools.islice(balanced_orders(2, seed=1), 0, 400, 2)]


def test_variants_run_in_that_order(machine: Any) -> None:
    fake = machine()
    runs = [fake.variant("a", 1.0), fake.variant("b", 1.0)]
    interleave(runs, rounds=40, duration_s=None, clock=fake.clock)
    measured = "".join(fake.ran[-80:])
    assert {measured[i : i + 4] for i in range(0, 80, 4)} == {"abba", "baab"}


def test_times_are_those_of_the_variants(machine: Any) -> None:
    fake = machine()
    samples = interleave(
        [fake.variant("a", 2.0), fake.variant("b", 3.0)], rounds=5, clock=fake.clock
    )
    assert samples.milliseconds.shape == (6, 2)  # whole blocks
    assert np.allclose(samples.milliseconds, [2.0, 3.0])
    assert np.allclose(samples.ratios(1, 0), 1.5)
    assert samples.warm
    assert not samples.interrupted


def test_drift_and_running_second_drop_out_of_the_ratios(machine: Any) -> None:
    fake = machine(drift_per_s=0.5)
    samples = interleave(
        [fake.variant("a", 10), fake.variant("b", 10)], duration_s=4, clock=fake.clock
    )
    assert np.ptp(samples.milliseconds) > 5
    assert abs(samples.ratios(0, 1) - 1).max() < 1e-4


def test_each_sample_may_follow_a_pause_and_a_run_that_is_not_timed(machine: Any) -> None:
    fake = machine()
    runs = [fake.variant("a", 1.0), fake.variant("b", 1.0)]
    samples = interleave(runs, rounds=40, duration_s=None, pause_s=1e-6, clock=fake.clock)
    assert {"".join(fake.ran[-160:])[i : i + 8] for i in range(0, 160, 8)} == {
        "aabbbbaa",
        "bbaaaabb",
    }
    assert samples.milliseconds.shape == (40, 2)


def test_duration_ends_it(machine: Any) -> None:
    fake = machine()
    samples = interleave(
        [fake.variant("a", 5), fake.variant("b", 5)], duration_s=1.0, clock=fake.clock
    )
    assert len(samples.milliseconds) == 100


def test_one_block_is_run_however_long_it_takes(machine: Any) -> None:
    fake = machine()
    samples = interleave(
        [fake.variant("a", 9e3), fake.variant("b", 9e3)], duration_s=1, clock=fake.clock
    )
    assert len(samples.milliseconds) == 2
    assert not samples.warm


def test_more_rounds_are_run_than_fit_where_that_is_asked_for(machine: Any) -> None:
    fake = machine()
    seen: list[Any] = []
    variants = [fake.variant("a", 9e3), fake.variant("b", 9e3)]
    samples = interleave(
        variants, duration_s=1, least_rounds=7, clock=fake.clock, progress=seen.append
    )
    assert len(samples.milliseconds) == 8
    assert [step.share for step in seen if step == "measuring"][3] == 4 / 7


@pytest.mark.parametrize(
    "stop",
    [
        {"duration_s": None}, {"duration_s": 0.0}, {"rounds": -1}, {"duration_s": float("nan")},
        {"duration_s": float("nan"), "rounds": 2}, {"duration_s": float("inf")},
    ],
)  # fmt: skip
def test_it_has_to_end_somewhere(stop: Any) -> None:
    with pytest.raises(ConfigurationError, match="expected duration_s= or rounds= above 0"):
        interleave([list], **stop)


@pytest.mark.parametrize("name", ["warm_up_s", "pause_s"])
@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_what_comes_before_a_sample_has_to_end_too(name: str, seconds: Any) -> None:
    with pytest.raises(ConfigurationError, match=f"0 or more, and finite, found .*{seconds}"):
        interleave([list], rounds=2, **{name: seconds})


def test_short_calls_are_batched_until_a_tick_is_a_percent(machine: Any) -> None:
    fake = machine(resolution_ns=1000)
    variants = [fake.variant("a", 0.01), fake.variant("b", 1.0)]  # 10 us: 10 ticks
    samples = interleave(variants, rounds=4, clock=fake.clock)
    assert samples.calls == (10, 1)
    assert np.allclose(samples.milliseconds, [0.01, 1.0])
    assert Counter(fake.ran[-4 * 11 :]) == {"a": 40, "b": 4}


def test_warm_up_waits_until_times_are_stable(machine: Any) -> None:
    fake = machine()
    cold = itertools.chain(np.linspace(50, 5, 60), itertools.repeat(5.0))

    def variant() -> None:
        fake.ns += next(cold) * 1e6

    samples = interleave([variant], rounds=10, clock=fake.clock)
    assert samples.warm
    assert np.allclose(samples.milliseconds, 5.0)


def test_warm_up_gives_up_after_its_time(machine: Any) -> None:
    fake = machine(drift_per_s=2.0)
    samples = interleave([fake.variant("a", 100)], rounds=2, warm_up_s=1, clock=fake.clock)
    assert not samples.warm


def test_collector_is_off_while_it_measures_and_back_on_after() -> None:
    states = []
    interleave([lambda: states.append(gc.isenabled())], rounds=4, duration_s=None, warm_up_s=0.01)
    assert not any(states)
    assert gc.isenabled()


def test_collector_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        interleave([list], rounds=2, warm_up_s=0)
        assert not gc.isenabled()
    finally:
        gc.enable()


def interrupted_after(fake: Any, runs: int) -> Any:
    inner = fake.variant("a", 20.0)

    def variant() -> Any:
        if len(fake.ran) == runs:
            raise KeyboardInterrupt
        return inner()

    return variant


def test_interrupt_keeps_whole_rounds(machine: Any) -> None:
    fake = machine()  # 10 rounds of warm-up, then 3 whole ones and a half
    variants = [interrupted_after(fake, 27), fake.variant("b", 20.0)]
    samples = interleave(variants, duration_s=100, clock=fake.clock)
    assert samples.interrupted
    assert samples.milliseconds.shape == (3, 2)
    assert len(samples.ratios(0, 1)) == 1
    assert gc.isenabled()


def test_interrupt_in_the_warm_up_keeps_nothing(machine: Any) -> None:
    fake = machine()
    samples = interleave([interrupted_after(fake, 3)], clock=fake.clock)
    assert samples.interrupted
    assert samples.milliseconds.shape == (0, 1)


def test_a_variants_own_error_is_raised() -> None:
    def broken() -> Never:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interleave([broken], rounds=2)
    assert gc.isenabled()


def test_progress_rises_in_both_phases(machine: Any) -> None:
    fake = machine()
    seen: list[Any] = []
    interleave([fake.variant("a", 10)], duration_s=1, clock=fake.clock, progress=seen.append)
    phases = [phase for phase, _ in itertools.groupby(seen)]
    assert phases == ["warming up", "measuring"]
    for phase in phases:
        shares = [step.share for step in seen if step == phase]
        assert shares == sorted(shares)
        assert 0 < shares[0] <= shares[-1] == 1.0


def test_system_clock_knows_its_step() -> None:
    clock = system_clock()
    assert 1 <= clock.resolution_ns < 100_000
    assert clock.now() <= clock.now()
