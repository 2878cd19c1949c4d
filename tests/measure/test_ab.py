"""Two variants: a planted difference is found, the same program is not called faster."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tvmfuse.errors import CompilationError, WrongNumbersError
from tvmfuse.measure import Variant, compare

ONES = {"y": np.ones(4, np.float32)}


def comparison(fake: Any, a_ms: Any, b_ms: Any, **options: Any) -> Any:
    a = Variant("level all", fake.variant("a", a_ms, ONES), {"level": "all"})
    b = Variant("level none", fake.variant("b", b_ms, ONES), {"level": "none"})
    return compare(a, b, clock=fake.clock, **options)


def printed(renderable: Any) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


def noisy(machine: Any, seed: Any) -> Any:
    return machine(seed=seed, jitter=0.1, stalls=0.05, drift_per_s=0.02)


def test_identical_variants_show_no_effect_at_the_stated_rate(machine: Any) -> None:
    """At 99 % one in a hundred is expected, and more than 5 with a chance of 0.05 %."""
    claims = sum(
        comparison(noisy(machine, seed), 10, 10, rounds=32, seed=seed).ratio.effect
        for seed in range(100)
    )
    assert claims <= 5


def test_a_planted_slowdown_of_a_tenth_is_found(machine: Any) -> None:
    found = sum(
        comparison(noisy(machine, seed), 10, 11, rounds=100, seed=seed).ratio.low > 1
        for seed in range(100)
    )
    assert found >= 95


def test_ratio_is_b_by_a(machine: Any) -> None:
    result = comparison(machine(), 10, 13, rounds=20)
    assert result.ratio.median == pytest.approx(1.3)
    assert result.a.summary.mean == pytest.approx(10)
    assert result.b.summary.median == pytest.approx(13)
    assert result.sentence == (
        "speedup of B (level none) over A (level all): 0.769x (99 % CI 0.769 to 0.769)"
    )


def test_no_effect_is_said(machine: Any) -> None:
    result = comparison(machine(), 10, 10, rounds=20)
    assert result.sentence.startswith(
        "not significant: speedup of B (level none) over A (level all): 1.000x (99 % CI"
    )


def test_too_few_pairs_are_said(machine: Any) -> None:
    result = comparison(machine(), 10, 20, rounds=4)
    assert result.sentence == (
        "too few pairs to tell: speedup of B (level none) over A (level all): 0.500x "
        "(no interval: 2 pairs, and it takes 8)"
    )


def test_a_wrong_variant_gets_no_time(machine: Any) -> None:
    fake = machine()
    a = Variant("a", fake.variant("a", 10, ONES))
    b = Variant("b", fake.variant("b", 10, {"y": ONES["y"] * 2}))
    with pytest.raises(
        WrongNumbersError, match="a and b disagree, so neither is timed: output 'y'"
    ):
        compare(a, b, clock=fake.clock)
    assert fake.ran == ["a", "b"]


def test_a_variant_that_fails_is_named(machine: Any) -> None:
    fake = machine()
    a = Variant("a", fake.variant("a", 10, ONES))
    b = Variant("b", lambda: {"y": np.array(1 / 0)})
    words = "b: failed, so not timed: it fails when it runs: division by zero"
    with pytest.raises(CompilationError, match=words):
        compare(a, b, clock=fake.clock)


def test_the_tolerance_is_the_callers(machine: Any) -> None:
    fake = machine()
    a = Variant("a", fake.variant("a", 10, ONES))
    b = Variant("b", fake.variant("b", 10, {"y": ONES["y"] * np.float32(1.01)}))
    result = compare(a, b, tolerance=0.1, rounds=2, clock=fake.clock)
    assert result.agreement[0].error == pytest.approx(0.01, rel=1e-4)
    assert (
        "the largest error is 1.0e-02 (normalized by max abs of the reference)" in result.notes[0]
    )


def test_interrupt_reports_what_was_measured(machine: Any) -> None:
    fake = machine()
    inner = fake.variant("a", 20, ONES)

    def run() -> Any:
        if len(fake.ran) >= 50:  # 2 to compare, 20 to warm up, 14 rounds
            raise KeyboardInterrupt
        return inner()

    result = compare(
        Variant("a", run), Variant("b", fake.variant("b", 20, ONES)), duration_s=9, clock=fake.clock
    )
    assert result.interrupted
    assert result.ratio is not None
    assert result.a.summary is not None
    assert result.ratio.pairs == result.a.summary.samples // 2 == 7
    assert "interrupted: this is what was measured until then" in result.notes


def test_interrupt_in_the_warm_up_has_nothing_to_compare(machine: Any) -> None:
    fake = machine()
    calls = iter([ONES])

    def run() -> Any:
        try:
            return next(calls)
        except StopIteration:
            raise KeyboardInterrupt from None

    result = compare(Variant("a", run), Variant("b", fake.variant("b", 1, ONES)), clock=fake.clock)
    assert result.ratio is None
    assert result.a.summary is None
    assert result.sentence.startswith("interrupted before both variants were measured")
    assert "A, baseline: a" in printed(result.table())
    assert json.dumps(result.to_json())


def test_table_fits_and_shows_both_variants(machine: Any) -> None:
    names = "level all without FuseOps, ConstantFolding, MatMul_BatchNormalization_Fusion [x]"
    fake = machine(jitter=0.01)
    a = Variant("level all", fake.variant("a", 0.1234, ONES))
    text = printed(
        compare(
            a, Variant(names, fake.variant("b", 1.2345, ONES)), rounds=700, clock=fake.clock
        ).table()
    )
    assert max(map(len, text.splitlines())) <= 100
    assert "[x]" in text
    for column in ("mean", "median", "max", "min", "std", "p90", "p99", "samples", "700"):
        assert column in text


def test_table_has_no_percentiles_of_few_samples(machine: Any) -> None:
    text = printed(comparison(machine(), 1, 1, rounds=100).table())
    assert "p90" in text
    assert "p99" not in text


def test_json_is_json_and_complete(machine: Any) -> None:
    result = comparison(machine(), 10, 13, rounds=20)
    record = json.loads(json.dumps(result.to_json(), allow_nan=False))
    said = {"effect", "sentence", "speedup"}
    assert set(record) == {f.name for f in dataclasses.fields(result)} | said
    assert record["speedup"]["median"] == pytest.approx(1 / record["ratio"]["median"])
    assert record["a"]["summary"]["p99"] is None
    assert record["b"]["settings"] == {"level": "none"}
    assert record["effect"] is True
