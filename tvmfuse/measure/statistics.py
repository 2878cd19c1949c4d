"""What a list of times says, and what it does not.

A ratio comes with its interval or without a claim: the interval is a bootstrap percentile
interval of the median, expanded for small samples (Hesterberg, "What Teachers Should Know
About the Bootstrap", 2015, section 4.3), so that it holds the truth at its stated rate from
the fewest pairs that it takes (`tests/measure/test_statistics.py` measures that).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = Sequence[float] | npt.NDArray[np.float64]

CONFIDENCE: Final = 0.99
"""99 %: of a hundred comparisons of identical code one claims a difference, not five."""

RESAMPLES: Final = 20_000
"""At 8 pairs the expanded interval ends at the 0.0001 quantile: that is 2 of 20,000."""


USELESS: Final = 2.0
"""An interval whose ends are further apart than that says nothing of use."""


@dataclass(frozen=True)
class Summary:
    """One variant's times, all in milliseconds."""

    samples: int
    mean: float
    median: float
    max: float
    min: float
    std: float | None
    """Sample standard deviation; None for one sample."""
    p90: float | None
    """None below 64 samples."""
    p99: float | None
    """None below 662 samples."""


@dataclass(frozen=True)
class Ratio:
    """The median of paired ratios, with the interval that holds it."""

    median: float
    low: float | None
    """None where there are too few pairs for an interval."""
    high: float | None
    confidence: float
    pairs: int
    disturbed: bool = False
    """Whether other work took the cores meanwhile, or may have: nothing is claimed of it."""

    @property
    def effect(self) -> bool:
        """Whether the data show a difference: 1 is outside an interval that means something."""
        return not self.doubt

    @property
    def too_wide(self) -> bool:
        """Whether the noise has made the interval useless: its ends are further than 2x apart."""
        return self.low is not None and self.high is not None and self.high > USELESS * self.low

    @property
    def doubt(self) -> str:
        """Why no difference is claimed, in a few words; nothing where one is.

        >>> Ratio(1.3, 1.2, 1.4, 0.99, 40).doubt, Ratio(1.3, 0.9, 1.4, 0.99, 40).doubt
        ('', 'not significant')
        >>> Ratio(1.3, 0.9, 2.4, 0.99, 40).doubt, Ratio(1.3, 1.2, 1.4, 0.99, 40, True).doubt
        ('too noisy to tell', 'no verdict')
        """
        if self.disturbed:
            return "no verdict"
        if self.low is None or self.high is None:
            return "too few pairs to tell"
        if self.too_wide:
            return "too noisy to tell"
        return "not significant" if self.low <= 1 <= self.high else ""

    @property
    def inverse(self) -> Ratio:
        """The denominator by the numerator.

        >>> str(Ratio(0.5, 0.4, 0.8, 0.99, 40).inverse)
        '2.000x (99 % CI 1.250 to 2.500)'
        """
        low = None if self.high is None else 1 / self.high
        high = None if self.low is None else 1 / self.low
        return Ratio(1 / self.median, low, high, self.confidence, self.pairs, self.disturbed)

    @property
    def short(self) -> str:
        """The ratio and its interval for a column whose head says what they are.

        >>> Ratio(1.3519, 1.3401, 1.3607, 0.99, 40).short, Ratio(1.35, None, None, 0.99, 3).short
        ('1.352 (1.340 to 1.361)', '1.350 (no interval: 3 pairs)')
        """
        if self.low is None or self.high is None:
            return f"{self.median:.3f} (no interval: {self.pairs} pairs)"
        return f"{self.median:.3f} ({self.low:.3f} to {self.high:.3f})"

    def __str__(self) -> str:
        """The ratio and its interval in words.

        >>> str(Ratio(1.3519, 1.3401, 1.3607, 0.99, 40))
        '1.352x (99 % CI 1.340 to 1.361)'
        >>> str(Ratio(1.3519, None, None, 0.99, 3))
        '1.352x (no interval: 3 pairs, and it takes 8)'
        """
        if self.low is None or self.high is None:
            needed = pairs_needed(self.confidence)
            return f"{self.median:.3f}x (no interval: {self.pairs} pairs, and it takes {needed})"
        interval = f"{self.confidence * 100:.6g} % CI {self.low:.3f} to {self.high:.3f}"
        return f"{self.median:.3f}x ({interval})"

    @property
    def judged(self) -> str:
        """The ratio in words, behind the reason why no difference is claimed, if there is one.

        >>> Ratio(1.01, 0.9, 1.1, 0.99, 40).judged
        'not significant: 1.010x (99 % CI 0.900 to 1.100)'
        """
        return f"{self.doubt}: {self}" if self.doubt else str(self)

    @property
    def judged_short(self) -> str:
        """Likewise, for a column whose head says what it is."""
        return f"{self.doubt}: {self.short}" if self.doubt else self.short


def summarize(milliseconds: Floats) -> Summary:
    """Describe one variant's samples (at least one)."""
    times = np.asarray(milliseconds, dtype=np.float64)
    return Summary(
        samples=len(times),
        mean=float(times.mean()),
        median=float(np.median(times)),
        max=float(times.max()),
        min=float(times.min()),
        std=float(times.std(ddof=1)) if len(times) > 1 else None,
        p90=percentile(times, 0.90),
        p99=percentile(times, 0.99),
    )


def percentile(milliseconds: Floats, quantile: float) -> float | None:
    """Return the sample quantile, or None where there are too few samples to know it."""
    if len(milliseconds) < samples_needed(quantile):
        return None
    return float(np.quantile(np.asarray(milliseconds), quantile))


def samples_needed(quantile: float) -> int:
    """Count the samples of which two, with 99 % confidence, lie beyond the quantile.

    With fewer, "p99" is another name for the maximum. The same rule and the same figures as
    MLPerf Inference's early stopping: the smallest n with ``q^n + n (1 - q) q^(n-1) <= 1 %``.

    >>> samples_needed(0.90), samples_needed(0.99)
    (64, 662)
    """
    n = 2
    while quantile**n + n * (1 - quantile) * quantile ** (n - 1) > 0.01:
        n += 1
    return n


def pairs_needed(confidence: float) -> int:
    """Count the pairs whose whole range holds the median at this confidence.

    All n fall on one side of the median with a chance of ``2 * 0.5^n``: below this count not
    even [min, max] is wide enough.

    >>> pairs_needed(0.99), pairs_needed(0.95)
    (8, 6)
    """
    return math.ceil(1 - math.log2(1 - confidence))


def paired_ratio(ratios: Floats, *, confidence: float = CONFIDENCE, seed: int = 0) -> Ratio:
    """Take the median of paired ratios (at least one) and its bootstrap interval.

    The resampled medians are drawn without drawing the resamples: the m-th smallest of n draws
    with replacement is the sample whose rank is ``floor(n U)``, where U, the m-th smallest of n
    uniform numbers, is Beta(m, n + 1 - m). That is exact, and as cheap for 10^5 pairs as for 8.
    """
    ranked = np.sort(np.asarray(ratios, dtype=np.float64))
    n = len(ranked)
    if n < pairs_needed(confidence):
        return Ratio(float(np.median(ranked)), None, None, confidence, n)

    rng = np.random.default_rng(seed)
    middle, tail = (n + 1) // 2, _expanded_tail(confidence, n)
    if tail < 1 / RESAMPLES:  # corrected for many comparisons: further out than resamples reach
        out = _outermost(confidence, n)
        low, high = float(ranked[out]), float(ranked[n - 1 - out])
        return Ratio(float(np.median(ranked)), low, high, confidence, n)
    uniform = rng.beta(middle, n + 1 - middle, RESAMPLES)
    medians = ranked[_ranks(uniform, n)]
    if n % 2 == 0:  # the mean of the two middle ones; the next of the n - m above is a minimum
        uniform += (1 - uniform) * rng.beta(1, n - middle, RESAMPLES)
        medians = (medians + ranked[_ranks(uniform, n)]) / 2
    low, high = np.quantile(medians, [tail, 1 - tail])
    return Ratio(float(np.median(ranked)), float(low), float(high), confidence, n)


def _outermost(confidence: float, n: int) -> int:
    """Return how many ratios at either end the exact interval of the median leaves out.

    That of the sign test: fewer than k + 1 of n lie below the median with the chance that a
    binomial has (Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.2).

    >>> _outermost(0.99, 8), _outermost(0.9995, 16), _outermost(0.9995, 20)
    (0, 0, 2)
    """
    ranks = np.arange(1, n // 2 + 1)
    logs = np.cumsum(np.log((n + 1 - ranks) / ranks)) - n * math.log(2)  # 0.5**n may be too small
    below = np.cumsum(np.exp(logs)) + 0.5**n
    return int(np.searchsorted(below, (1 - confidence) / 2, side="right"))


def _ranks(uniform: npt.NDArray[np.float64], n: int) -> npt.NDArray[np.int64]:
    return np.minimum((uniform * n).astype(np.int64), n - 1)


def _expanded_tail(confidence: float, n: int) -> float:
    """Widen the tail probability for n samples, as Student's t does for a mean.

    The bootstrap's spread is too small by sqrt((n - 1) / n) and normal where t is due:
    ``tail = Phi(-sqrt(n / (n - 1)) t)``, with t from its expansion in the normal quantile
    (Abramowitz and Stegun 26.7.5; within 2 % for n >= 8 at 99 %).
    """
    normal, free = NormalDist(), n - 1
    z = normal.inv_cdf(0.5 + confidence / 2)
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return normal.cdf(-t * math.sqrt(n / free))
