"""Several programs that compute the same, in turn: their numbers compared, then their times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmfuse.measure.agreement import TOLERANCE, differences, require_agreement
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.interleave import Samples, interleave
from tvmfuse.measure.many import PAUSE_S, Variant, outputs_of
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.statistics import CONFIDENCE, Ratio, paired_ratio, pairs_needed
from tvmfuse.progress import Progress, silent

Arrays = Mapping[str, np.ndarray]

BATCH_S: Final = 1e-3
"""A sample of a single operator is so many calls as take about this long: in a model, too, what a
kernel reads was just computed, and a single call after another program's would find its operands,
and its code, cold."""


@dataclass(frozen=True)
class Reference:
    """What a variant's numbers are compared with.

    Attributes:
        variant: Whose numbers these are.
        tolerance: Of the largest difference, by their largest magnitude.
    """

    variant: str
    tolerance: float = TOLERANCE


@dataclass(frozen=True, eq=False)
class Race:
    """What was measured of some variants.

    Attributes:
        names: Of the variants.
        samples: Their times.
        errors: The largest difference of each variant's numbers from its reference, by max abs of
            that; 0 of one that is compared with nothing.
    """

    names: tuple[str, ...]
    samples: Samples
    errors: Mapping[str, float]

    @property
    def error(self) -> float:
        """The largest of the differences."""
        return max(self.errors.values())

    @property
    def measured(self) -> bool:
        """Whether there is a pair of rounds: Ctrl-C may come before."""
        return len(self.samples.milliseconds) >= 2

    def milliseconds(self, name: str) -> float:
        """Return the median of a variant's times."""
        return float(np.median(self.samples.milliseconds[:, self.names.index(name)]))

    def ratio(self, numerator: str, denominator: str) -> Ratio:
        """Return one variant's time by another's, paired."""
        at = self.names.index
        return paired_ratio(self.samples.ratios(at(numerator), at(denominator)))


def repeated(run: Callable[[], object], times: int) -> Callable[[], None]:
    """Return what calls so many times."""

    def repeat() -> None:
        for _ in range(times):
            run()

    return repeat


def race(
    variants: Mapping[str, Callable[[], Arrays]],
    *,
    timed: Mapping[str, Callable[[], object]] | None = None,
    references: Mapping[str, Reference] | None = None,
    duration_s: float,
    threads: int = 1,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Race:
    """Compare the variants' outputs, with the first one's as a rule, then time them in turn.

    Slow variants take longer than the duration: until there are pairs enough for an interval.

    Args:
        variants: Each runs once and returns its outputs.
        timed: What is timed in place of the variants, under their names; more may run beside them.
        references: What a variant is compared with where that is not the first one.
        duration_s: Seconds to measure.
        threads: Of each variant; those of several would spin into the next one's time.
        progress: See `interleave`.
        clock: To read; None for the system's.

    Raises:
        WrongNumbersError: A variant disagrees with its reference; then nothing is timed.
    """
    errors = _compared(variants, references or {})
    runs = timed or variants
    samples = interleave(
        list(runs.values()),
        MeasureSettings(
            duration_s=duration_s,
            least_rounds=2 * pairs_needed(CONFIDENCE),
            pause_s=PAUSE_S if threads > 1 else 0.0,
            progress=progress or silent,
            clock=clock,
        ),
    )
    return Race(tuple(runs), samples, errors)


def _compared(
    variants: Mapping[str, Callable[[], Arrays]], references: Mapping[str, Reference]
) -> dict[str, float]:
    """Return each variant's largest difference from its reference."""
    first, expected, errors = next(iter(variants)), dict[str, Arrays](), dict[str, float]()
    for name, run in variants.items():
        reference = references.get(name, Reference(first))
        of = reference.variant
        if of not in expected:
            expected[of] = outputs_of(Variant(of, variants[of]))
        errors[name] = 0.0
        if of != name:
            found = differences(expected[of], run(), tolerance=reference.tolerance)
            require_agreement(of, name, found)
            errors[name] = max(d.error for d in found)
    return errors
