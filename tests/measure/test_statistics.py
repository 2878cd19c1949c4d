"""The interval holds the median at its stated rate; nothing is claimed from too few samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tvmfuse.measure.statistics import (
    paired_ratio,
    pairs_needed,
    percentile,
    samples_needed,
    summarize,
)


def below(n: int, k: int) -> float:
    """P(Bin(n, 1/2) <= k)."""
    return float(sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def test_summary_of_known_times() -> None:
    summary = summarize([1.0, 2.0, 3.0, 10.0])
    assert (summary.samples, summary.mean, summary.median) == (4, 4.0, 2.5)
    assert (summary.max, summary.min) == (10.0, 1.0)
    assert summary.std == pytest.approx(math.sqrt(50 / 3))


def test_one_sample_has_no_deviation() -> None:
    assert summarize([1.5]).std is None


@pytest.mark.parametrize(("quantile", "needed"), [(0.90, 64), (0.99, 662)])
def test_no_percentile_from_too_few_samples(quantile: float, needed: int) -> None:
    times = np.arange(needed, dtype=float)
    assert samples_needed(quantile) == needed
    assert percentile(times[1:], quantile) is None
    assert percentile(times, quantile) == np.quantile(times, quantile)


def test_summary_leaves_out_what_it_cannot_know() -> None:
    assert summarize([1.0] * 63).p90 is None
    assert summarize([1.0] * 64).p90 == 1.0
    assert summarize([1.0] * 661).p99 is None


@pytest.mark.parametrize(("confidence", "slack"), [(0.95, 0.02), (0.99, 0.003)])
def test_interval_covers_the_median_at_its_stated_rate(confidence: float, slack: float) -> None:
    """For odd n the interval ends at fixed ranks, so its coverage is a binomial sum."""
    for n in [7, 9, 11, 13, 15, 17, 21, 25, 31, 41, 75, 151, 401]:
        if n < pairs_needed(confidence):
            continue
        ratio = paired_ratio(np.arange(1.0, n + 1), confidence=confidence)
        assert ratio.low is not None
        assert ratio.high is not None
        first, last = int(ratio.low), int(ratio.high)
        coverage = 1 - below(n, first - 1) - below(n, n - last)
        assert coverage >= confidence - slack, f"{n} pairs: {coverage:.4f}"


@pytest.mark.parametrize("n", [18, 19, 400, 1060, 5000])
def test_the_exact_interval_is_the_narrowest_that_is_sure_enough(n: int) -> None:
    confidence = 0.99995
    ratio = paired_ratio(np.arange(1.0, n + 1), confidence=confidence)
    assert ratio.low is not None
    assert ratio.high is not None
    first, last = int(ratio.low), int(ratio.high)
    assert first + last == n + 1
    assert below(n, first - 1) <= (1 - confidence) / 2 < below(n, first)


def test_interval_is_the_naive_bootstraps() -> None:
    """Drawing the middle rank is drawing the resample: the same quantiles, far from the tails."""
    rng = np.random.default_rng(3)
    for n in (40, 41):
        ratios = rng.lognormal(0.1, 0.2, n)
        resampled = np.median(rng.choice(ratios, (20_000, n)), axis=1)
        ratio = paired_ratio(ratios, confidence=0.90)
        assert ratio.low is not None
        assert ratio.high is not None
        spread = ratio.high - ratio.low
        naive = np.quantile(resampled, [0.05, 0.95])
        assert [ratio.low, ratio.high] == pytest.approx(naive, abs=0.15 * spread)


def test_interval_is_seeded() -> None:
    ratios = np.random.default_rng(0).lognormal(0, 0.1, 20)
    assert paired_ratio(ratios, seed=1) == paired_ratio(ratios, seed=1)


def test_too_few_pairs_make_no_interval_and_no_claim() -> None:
    ratio = paired_ratio([2.0] * 7)
    assert (ratio.median, ratio.low, ratio.high, ratio.effect) == (2.0, None, None, False)
    assert str(ratio) == "2.000x (no interval: 7 pairs, and it takes 8)"
    assert paired_ratio([2.0] * 8).effect


def test_an_interval_that_holds_one_shows_no_effect() -> None:
    assert not paired_ratio(np.linspace(0.9, 1.1, 21)).effect
    assert not paired_ratio([1.0] * 20).effect
    assert paired_ratio(np.linspace(1.01, 1.1, 21)).effect
    assert paired_ratio(np.linspace(0.8, 0.99, 21)).effect


def test_one_outlier_moves_nothing() -> None:
    ratios = [1.2] * 20
    assert paired_ratio([*ratios, 1e6]).high == pytest.approx(1.2)
