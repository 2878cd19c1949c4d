"""Several variants against one: wrong ones get no time, intervals hold together, nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest
from rich.console import Console

from tvmfuse.measure import Cost, Machine, Variant, Watch, compare_many
from tvmfuse.measure.many import corrected
from tvmfuse.measure.statistics import pairs_needed
from tvmfuse.views.terminal import table

ONES = {"y": np.ones(4, np.float32)}


def noisy(machine: Any, seed: Any) -> Any:
    """Drift, jitter, and slow spells that last over some runs."""
    return machine(seed=seed, jitter=0.1, stalls=0.05, drift_per_s=0.02)


def against_one(fake: Any, *milliseconds: Any, **options: Any) -> Any:
    first, *others = (
        Variant(f"variant {i}", fake.variant(str(i), ms, ONES)) for i, ms in enumerate(milliseconds)
    )
    return compare_many(first, others, clock=fake.clock, **options)


def printed(renderable: Any) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


def test_each_variant_has_its_ratio_to_the_first(machine: Any) -> None:
    result = against_one(machine(), 10, 13, 5, rounds=32)
    assert [c.ratio.median for c in result.candidates] == pytest.approx([1.3, 0.5])
    assert [c.timing.summary.samples for c in result.candidates] == [32, 32]
    assert result.baseline.summary.median == pytest.approx(10)


def test_all_variants_run_in_turn(machine: Any) -> None:
    fake = machine()
    against_one(fake, 1, 1, 1, rounds=8)
    measured = fake.ran[-24:]
    assert all(sorted(measured[i : i + 3]) == ["0", "1", "2"] for i in range(0, 24, 3))
    assert all(measured[i : i + 3] == measured[i + 3 : i + 6][::-1] for i in range(0, 24, 6))


def test_identical_variants_show_no_effect_at_the_stated_rate(machine: Any) -> None:
    """Of 20 comparisons at 99 % each, 18 % would claim something: together they are corrected."""
    claims = sum(
        any(c.ratio.effect for c in against_one(
            noisy(machine, seed), *[10] * 21, rounds=32, warm_up_s=0.1, seed=seed).candidates)
        for seed in range(100)
    )  # fmt: skip
    assert claims <= 5  # 1 is expected, and more than 5 with a chance of 0.05 %


def test_a_planted_slowdown_of_a_tenth_is_found_among_many(machine: Any) -> None:
    found = [
        against_one(noisy(machine, seed), 10, 10, 11, 10, rounds=128, seed=seed).candidates
        for seed in range(100)
    ]
    assert sum(slow.ratio.low > 1 for _, slow, _ in found) >= 95
    assert sum(c.ratio.effect for a, _, b in found for c in (a, b)) <= 5


def test_intervals_are_corrected_for_their_number(machine: Any) -> None:
    few, many = (
        against_one(machine(seed=1, jitter=0.1), 10, 10, rounds=200, comparisons=n)
        for n in (1, 100)
    )
    narrow, wide = few.candidates[0].ratio, many.candidates[0].ratio
    assert (narrow.confidence, wide.confidence) == pytest.approx((0.99, 0.9999))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert pairs_needed(corrected(0.99, 300)) <= 16


def test_a_wrong_variant_gets_no_time_and_the_others_go_on(machine: Any) -> None:
    fake = machine()
    variants = [
        Variant("wrong", fake.variant("wrong", 10, {"y": ONES["y"] * 2})),
        Variant("right", fake.variant("right", 20, ONES)),
    ]
    result = compare_many(
        Variant("first", fake.variant("first", 10, ONES)), variants, rounds=32, clock=fake.clock
    )
    wrong, right = result.candidates
    assert (wrong.ratio, wrong.timing.summary) == (None, None)
    assert "output 'y': the largest error is 1.0e+00" in str(wrong.problem)
    assert fake.ran.count("wrong") == 1
    assert right.ratio is not None
    assert right.ratio.median == pytest.approx(2.0)
    assert any(note.startswith("wrong: wrong, so not timed") for note in result.notes)
    assert "not timed" in printed(result.table())


def test_a_variant_that_raises_gets_no_time_and_the_others_go_on(machine: Any) -> None:
    fake = machine()

    def fails() -> Never:
        raise RuntimeError("no such kernel\n  a listing")

    variants = [Variant("fails", fails), Variant("right", fake.variant("right", 20, ONES))]
    result = compare_many(
        Variant("first", fake.variant("first", 10, ONES)), variants, rounds=32, clock=fake.clock
    )
    failed, right = result.candidates
    assert failed.problem == failed.failure == "it fails when it runs: no such kernel"
    assert (failed.ratio, failed.timing.summary, failed.agreement) == (None, None, ())
    assert right.ratio is not None
    assert right.ratio.median == pytest.approx(2.0)
    assert f"fails: failed, so not timed: {failed.problem}" in result.notes


def test_the_right_outputs_may_be_another_variants(machine: Any) -> None:
    fake = machine()
    variants = [Variant(str(n), fake.variant(str(n), 10, {"y": ONES["y"] * n})) for n in (2, 3)]
    result = compare_many(
        variants[0], variants, expected=variants[1].run(), rounds=2, clock=fake.clock
    )
    assert [bool(c.problem) for c in result.candidates] == [True, False]


def test_an_error_that_is_not_finite_is_null_in_json(machine: Any) -> None:
    fake = machine()
    wrong = Variant("wrong", fake.variant("wrong", 10, {"y": ONES["y"] * np.nan}))
    result = compare_many(
        Variant("first", fake.variant("first", 10, ONES)), [wrong], clock=fake.clock
    )
    record = json.loads(json.dumps(result.to_json(), allow_nan=False))
    [found] = record["candidates"][0]["agreement"]
    assert found["error"] is None
    assert "NaN is at different places" in found["problem"]


def test_nothing_is_timed_where_no_variant_is_right(machine: Any) -> None:
    fake = machine()
    wrong = Variant("wrong", fake.variant("wrong", 10, {}))
    result = compare_many(
        Variant("first", fake.variant("first", 10, ONES)), [wrong], clock=fake.clock
    )
    assert fake.ran == ["first", "wrong"]
    assert result.baseline.summary is None


def test_a_variant_may_give_the_same_memory_again(machine: Any) -> None:
    buffer = {"y": np.zeros(4, np.float32)}

    def writes(value: Any) -> Any:
        def run() -> Any:
            buffer["y"][:] = value
            return buffer

        return run

    result = compare_many(Variant("ones", writes(1)), [Variant("twos", writes(2))])
    assert result.candidates[0].problem


def test_an_interrupt_keeps_what_was_measured(machine: Any) -> None:
    fake = machine()
    inner = fake.variant("1", 20, ONES)

    def run() -> Any:
        if len(fake.ran) >= 100:
            raise KeyboardInterrupt
        return inner()

    result = compare_many(
        Variant("0", fake.variant("0", 20, ONES)), [Variant("1", run)], clock=fake.clock
    )
    assert result.interrupted
    ratio = result.candidates[0].ratio
    assert ratio is not None
    assert ratio.pairs > 8
    assert "interrupted: this is what was measured until then" in result.notes


def test_the_machine_is_in_banner_notes_and_json(machine: Any, tmp_path: Path) -> None:
    watch: Any = Watch(tmp_path)
    watch.finish = lambda times=None: Machine(cores=2, steal=0.25, mhz=(1.0, 2.0))
    result = against_one(machine(), 10, 20, rounds=32, watch=watch)
    assert any("frequency moved" in note for note in result.notes)
    words, text = "Not quiet: the hypervisor gave 25 %", " ".join(printed(result.table()).split())
    assert text.startswith(words)
    assert words not in " ".join(printed(table(result, banner=False)).split())
    assert (result.to_json()["machine"]["steal"], result.candidates[0].ratio.effect) == (
        0.25,
        False,
    )


def test_table_and_json_hold_everything(machine: Any) -> None:
    fake = machine(jitter=0.01)
    name = "without [bold]brackets[/bold] " + "x" * 90
    variants = [
        Variant(name, fake.variant("1", 10, ONES), {"level": "basic"}, Cost(21, 46_800_000, 1.5))
    ]
    result = compare_many(
        Variant("0", fake.variant("0", 10, ONES)), variants, rounds=40, clock=fake.clock
    )
    text = printed(result.table())
    assert max(map(len, text.splitlines())) <= 100
    for words in ("[bold]", "21", "46.8", "1.5", "simultaneous 99 % CIs (Bonferroni)"):
        assert words in text
    record = json.loads(json.dumps(result.to_json(), allow_nan=False))
    [candidate] = record["candidates"]
    assert candidate["timing"]["cost"] == {"kernels": 21, "nbytes": 46_800_000, "compile_s": 1.5}
    assert candidate["timing"]["settings"] == {"level": "basic"}
    assert candidate["effect"] is False
