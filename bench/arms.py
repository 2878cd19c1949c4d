"""Several programs that compute the same, in turn: their numbers compared, then their times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from tvmfuse.measure.agreement import differences, require_agreement
from tvmfuse.measure.interleave import Report, Samples, interleave
from tvmfuse.measure.statistics import CONFIDENCE, Ratio, paired_ratio, pairs_needed

Arrays = Mapping[str, np.ndarray]
Run = Callable[[Arrays], Arrays]


@dataclass(frozen=True, eq=False)
class Race:
    """What was measured of some arms.

    Attributes:
        names: Of the arms.
        samples: Their times.
        error: The largest difference from the first arm's numbers, by the largest magnitude.
    """

    names: tuple[str, ...]
    samples: Samples
    error: float

    @property
    def measured(self) -> bool:
        """Whether there is a pair of rounds: Ctrl-C may come before."""
        return len(self.samples.milliseconds) >= 2

    def milliseconds(self, name: str) -> float:
        """Return the median of an arm's times."""
        return float(np.median(self.samples.milliseconds[:, self.names.index(name)]))

    def ratio(self, numerator: str, denominator: str) -> Ratio:
        """Return one arm's time by another's, paired."""
        at = self.names.index
        return paired_ratio(self.samples.ratios(at(numerator), at(denominator)))


def race(
    arms: Mapping[str, Run],
    feeds: Arrays,
    *,
    duration_s: float,
    progress: Report | None = None,
) -> Race:
    """Compare all arms' outputs with the first one's, then time them in turn.

    Slow arms take longer than the duration: until there are pairs enough for an interval.

    Raises:
        WrongNumbersError: An arm disagrees with the first one; then nothing is timed.
    """
    (first, run), *others = arms.items()
    expected = {name: np.array(array) for name, array in run(feeds).items()}
    error = 0.0
    for name, other in others:
        found = differences(expected, other(feeds))
        require_agreement(first, name, found)
        error = max(error, *(d.error for d in found))
    samples = interleave(
        [partial(run, feeds) for run in arms.values()],
        duration_s=duration_s,
        least_rounds=2 * pairs_needed(CONFIDENCE),
        progress=progress,
    )
    return Race(tuple(arms), samples, error)
