"""Variants that take the same time get a verdict as seldom as the statistics promise: in 1 %."""

from __future__ import annotations

import pytest
from measure.false_verdicts import NOISES, false_verdicts

from tvmfuse.measure.interleave import Samples


@pytest.mark.parametrize("rounds", [32, 201])
@pytest.mark.parametrize("noise", list(NOISES))
@pytest.mark.sampled(4)
def test_equal_variants_seldom_get_a_verdict(noise: str, rounds: int) -> None:
    """Of 300 at most 5 %; at 1 % more than 10 do with a chance of 0.03 %."""
    assert false_verdicts(NOISES[noise], 300, rounds=rounds) <= 10


@pytest.mark.parametrize("noise", ["half remembered", "bursts"])
def test_nor_does_one_of_many(noise: str) -> None:
    assert false_verdicts(NOISES[noise], 200, rounds=64, variants=5) <= 8


def test_the_count_finds_an_order_that_is_not_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """What always runs on the same beat is always the faster one."""
    monkeypatch.setattr(
        Samples,
        "ratios",
        lambda self, one, other: self.milliseconds[:, one] / self.milliseconds[:, other],
    )
    monkeypatch.setattr(
        "measure.false_verdicts.balanced_orders", lambda _variants, _seed: iter([(0, 1)] * 64)
    )
    assert false_verdicts(NOISES["beat of the rounds"], 50, rounds=64) > 40
    assert false_verdicts(NOISES["white"], 50, rounds=64) <= 5
