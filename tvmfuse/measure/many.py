"""Several candidates against one baseline: first their numbers, then their times, interleaved.

Of many honest intervals some miss the truth: of a hundred at 99 % one does. So each interval is
made as much surer as there are comparisons: at ``1 - (1 - confidence) / comparisons``, so that all
of them together hold at the stated confidence (Bonferroni's correction; Dunn, "Multiple
Comparisons Among Means", JASA 56, 1961).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from tvmfuse.errors import first_line
from tvmfuse.measure.agreement import TOLERANCE, Array, Difference, differences
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.interleave import Samples
from tvmfuse.measure.machine import Machine, Watch
from tvmfuse.measure.quiet import interleave_watched
from tvmfuse.measure.results.comparisons import Candidate, Comparisons, Cost, Timing
from tvmfuse.measure.settings import MeasureSettings, Quiet
from tvmfuse.measure.statistics import CONFIDENCE, Ratio, paired_ratio, summarize
from tvmfuse.measure.variants import VariantSettings, pools_of_their_own
from tvmfuse.progress import Progress, silent

PAUSE_S: Final = 0.02
"""Longer than the thread pools of the engines spin for work."""

LEAST_ROUNDS: Final = 32
"""16 pairs: enough for an interval among up to 300 comparisons."""


NOTHING: Final = Samples(np.empty((0, 1)), (1,), warm=True, interrupted=False)
"""What is measured of a baseline with which no candidate agrees."""


@dataclass(frozen=True)
class Variant:
    """One way to compute the model's outputs.

    Attributes:
        name: What it is called in tables and messages.
        run: One inference on inputs that all variants share: output name -> array.
        settings: What made it (level, target, ...): kept for the record, in `to_json`.
        cost: What it took to make it, likewise.
    """

    name: str
    run: Callable[[], Mapping[str, Array]]
    settings: Mapping[str, object] = field(default_factory=dict)
    cost: Cost | None = None


def compare_many(
    baseline: Variant,
    others: Sequence[Variant],
    *,
    expected: Mapping[str, Array] | None = None,
    duration_s: float | None = 10.0,
    rounds: int | None = None,
    least_rounds: int = 2,
    warm_up_s: float = 2.0,
    pause_s: float = 0.0,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    comparisons: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Comparisons:
    """Compare each variant's outputs with the baseline's, then time all that agree, interleaved.

    A variant that is wrong, or fails in its first run, gets no time, and the others go on; where
    none is left, nothing is timed.

    Args:
        baseline: What the others are compared with.
        others: The candidates: each gets a ratio of its time by the baseline's.
        expected: The right outputs, where another variant has them; None: the baseline's.
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each variant; None: as many as fit in the duration.
        least_rounds: How many samples of each variant are taken though the duration is over.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        pause_s: See `MeasureSettings`.
        tolerance: Of the largest error, by the largest magnitude of the reference, for
            floating-point outputs.
        confidence: With which all intervals together hold the truth.
        comparisons: How many they are; None: as many as there are others.
        seed: Seed for the order and the bootstrap.
        progress: Called with each step and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        NotQuietError: The machine has to be quiet, and is not.
    """
    settings = MeasureSettings(
        duration_s=duration_s,
        rounds=rounds,
        least_rounds=least_rounds,
        warm_up_s=warm_up_s,
        pause_s=pause_s,
        tolerance=tolerance,
        confidence=confidence,
        seed=seed,
        progress=progress or silent,
        clock=clock,
        watch=watch,
        quiet=quiet or Quiet(),
    )
    return compare_candidates(
        baseline, others, settings, expected=expected, comparisons=comparisons
    )


def settings_for(
    variants: Sequence[VariantSettings],
    *,
    duration_s: float,
    tolerance: float,
    seed: int,
    progress: Progress | None,
    warm_up_s: float = 2.0,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> MeasureSettings:
    """Return how variants of one model are measured: with intervals, and a rest between pools."""
    threads = {variant.threads for variant in variants}
    return MeasureSettings(
        duration_s=duration_s,
        least_rounds=LEAST_ROUNDS,
        warm_up_s=warm_up_s,
        pause_s=PAUSE_S if pools_of_their_own(variants) else 0.0,
        threads=threads.pop() if len(threads) == 1 else None,
        tolerance=tolerance,
        seed=seed,
        progress=progress or silent,
        clock=clock,
        watch=watch,
        quiet=quiet or Quiet(),
    )


def compare_candidates(
    baseline: Variant,
    others: Sequence[Variant],
    settings: MeasureSettings,
    *,
    expected: Mapping[str, Array] | None = None,
    comparisons: int | None = None,
    timed: bool = True,
) -> Comparisons:
    """Do what `compare_many` does; or compare numbers alone, where nothing shall be timed."""
    if expected is None:
        expected = outputs_of(baseline)
    found = [compared(expected, variant, settings.tolerance) for variant in others]
    right = [i for i, candidate in enumerate(found) if timed and not candidate.problem]
    samples, machine = NOTHING, replace(settings.watching.finish(), timed=False)
    if right:
        runs = [baseline.run, *(others[i].run for i in right)]
        samples, machine = interleave_watched(runs, settings)
    each = corrected(settings.confidence, comparisons or len(others))
    columns = {candidate: column for column, candidate in enumerate(right, 1)}
    candidates = []
    for i, (variant, candidate) in enumerate(zip(others, found, strict=True)):
        timing = _timing(variant, samples, columns.get(i))
        ratio = _ratio(samples, columns.get(i), each, settings.seed, machine)
        candidates.append(replace(candidate, timing=timing, ratio=ratio))
    return Comparisons(
        baseline=_timing(baseline, samples, 0),
        candidates=tuple(candidates),
        tolerance=settings.tolerance,
        confidence=settings.confidence,
        warm=samples.warm,
        interrupted=samples.interrupted,
        seed=settings.seed,
        machine=machine,
    )


def agreements_with(
    baseline: Variant, others: Sequence[Variant], *, tolerance: float = TOLERANCE
) -> list[tuple[Difference, ...]]:
    """Run each variant once and compare its outputs with the baseline's."""
    expected = outputs_of(baseline)
    return [differences(expected, variant.run(), tolerance=tolerance) for variant in others]


def outputs_of(variant: Variant) -> Mapping[str, Array]:
    """Run a variant once; it may give the same memory again at its next run, so that is copied."""
    return {name: np.array(array) for name, array in variant.run().items()}


def corrected(confidence: float, comparisons: int) -> float:
    """Return how sure each of several intervals has to be (Bonferroni).

    >>> round(corrected(0.99, 1), 6), round(corrected(0.99, 20), 6)
    (0.99, 0.9995)
    """
    return 1 - (1 - confidence) / max(1, comparisons)


def compared(expected: Mapping[str, Array], variant: Variant, tolerance: float) -> Candidate:
    """Run a variant once, and compare its outputs with the right ones; nothing is timed."""
    agreement: tuple[Difference, ...] = ()
    failure = None
    try:
        found = variant.run()
    except Exception as error:  # other engines' classes share no base
        failure = f"it fails when it runs: {first_line(error)}"
    else:
        agreement = differences(expected, found, tolerance=tolerance)
    return Candidate(_timing(variant, NOTHING, None), None, agreement, failure)


def _timing(variant: Variant, samples: Samples, column: int | None) -> Timing:
    if column is None:
        return Timing(variant.name, dict(variant.settings), 0, None, variant.cost)
    times = samples.milliseconds[:, column]
    summary = summarize(times) if len(times) else None
    return Timing(
        variant.name, dict(variant.settings), samples.calls[column], summary, variant.cost
    )


def _ratio(
    samples: Samples, column: int | None, confidence: float, seed: int, machine: Machine
) -> Ratio | None:
    if column is None or len(ratios := samples.ratios(column, 0)) == 0:
        return None
    ratio = paired_ratio(ratios, confidence=confidence, seed=seed)
    return replace(ratio, disturbed=not machine.quiet)
