"""Two arms side by side: first their numbers, then their times."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.agreement import (
    TOLERANCE,
    Array,
    Difference,
    differences,
    require_agreement,
)
from tvmfuse.measure.interleave import Clock, Report, interleave
from tvmfuse.measure.statistics import CONFIDENCE, Ratio, Summary, paired_ratio, summarize


@dataclass(frozen=True)
class Arm:
    """One way to compute the model's outputs."""

    name: str
    run: Callable[[], Mapping[str, Array]]
    """One inference on inputs that both arms share: output name -> array."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """What made this arm (level, target, ...): kept for the record, in `to_json`."""


@dataclass(frozen=True)
class Timing:
    """What was measured of one arm."""

    name: str
    settings: Mapping[str, object]
    calls_per_sample: int
    summary: Summary | None
    """None where the measurement was interrupted in the warm-up."""


@dataclass(frozen=True)
class Comparison:
    """Two arms that compute the same, and how long each takes."""

    a: Timing
    b: Timing
    ratio: Ratio | None
    """b's time by a's; None where the measurement was interrupted before one block was done."""
    agreement: tuple[Difference, ...]
    tolerance: float
    settled: bool
    interrupted: bool
    seed: int

    @property
    def sentence(self) -> str:
        """What the comparison says, as a clause without a full stop."""
        if self.ratio is None:
            return "interrupted before both arms were measured: there is nothing to compare"
        if self.ratio.low is None:
            return f"too few pairs to tell: {self.b.name} took {self.ratio} times {self.a.name}'s"
        takes = f"{self.b.name} takes {self.ratio} times as long as {self.a.name}"
        return takes if self.ratio.effect else f"no effect shown: {takes}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        largest = max((d.error for d in self.agreement), default=0.0)
        error = f"{largest:.1e} of the largest magnitude, and {self.tolerance:.0e} is tolerated"
        notes = [f"same numbers: the largest difference is {error if largest else 0}"]
        if self.interrupted:
            notes.append("interrupted: this is what was measured until then")
        elif not self.settled:
            notes.append("times had not become stable when the warm-up ended")
        return tuple(notes)

    def table(self) -> Table:
        """Return both arms' times and their ratio for the terminal, at most 100 columns wide."""
        arms = [timing for timing in (self.a, self.b) if timing.summary]
        summaries = [timing.summary for timing in arms if timing.summary]
        tails = [q for q in ("p90", "p99") if all(getattr(s, q) is not None for s in summaries)]
        columns = ["mean", "median", "max", "min", "std", *(tails if summaries else [])]
        places = _places([s.min for s in summaries])

        table = Table(title="ms per run", caption=_ratio_line(self.ratio))
        table.title_justify = table.caption_justify = "left"
        table.add_column("arm", overflow="fold")
        for column in [*columns, "samples"]:
            table.add_column(column, justify="right", no_wrap=True)
        for timing, summary in zip(arms, summaries, strict=True):
            values = [getattr(summary, column) for column in columns]
            cells = ["-" if value is None else f"{value:.{places}f}" for value in values]
            table.add_row(Text(timing.name), *cells, str(summary.samples))
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types; times are in milliseconds, the ratio is b by a."""
        effect = self.ratio is not None and self.ratio.effect
        return {**asdict(self), "effect": effect, "sentence": self.sentence}


def compare(
    a: Arm,
    b: Arm,
    *,
    duration_s: float | None = 10.0,
    rounds: int | None = None,
    warm_up_s: float = 2.0,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    progress: Report | None = None,
    clock: Clock | None = None,
) -> Comparison:
    """Compare two arms' outputs, then their times: interleaved, paired, with an interval.

    Args:
        a: The arm to compare against.
        b: The arm whose time is the ratio's numerator.
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each arm; None: as many as fit in the duration.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        tolerance: Of the output's largest magnitude, for floating-point outputs.
        confidence: How sure the interval of the ratio is.
        seed: Of the order and the bootstrap.
        progress: Called with the phase and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.

    Raises:
        WrongNumbersError: The outputs differ, so no arm was timed.
    """
    agreement = differences(a.run(), b.run(), tolerance=tolerance)
    require_agreement(a.name, b.name, agreement)
    samples = interleave(
        [a.run, b.run],
        duration_s=duration_s,
        rounds=rounds,
        warm_up_s=warm_up_s,
        seed=seed,
        progress=progress,
        clock=clock,
    )

    def timing(index: int, arm: Arm) -> Timing:
        times = samples.milliseconds[:, index]
        summary = summarize(times) if len(times) else None
        return Timing(arm.name, dict(arm.settings), samples.calls[index], summary)

    ratios = samples.ratios(1, 0)
    return Comparison(
        a=timing(0, a),
        b=timing(1, b),
        ratio=paired_ratio(ratios, confidence=confidence, seed=seed) if len(ratios) else None,
        agreement=agreement,
        tolerance=tolerance,
        settled=samples.settled,
        interrupted=samples.interrupted,
        seed=seed,
    )


def _ratio_line(ratio: Ratio | None) -> str | None:
    return f"ratio of the second to the first: {ratio}" if ratio else None


def _places(milliseconds: list[float]) -> int:
    """Show four significant digits of the smallest time, and at most picoseconds."""
    smallest = min(milliseconds, default=1.0)
    return min(9, max(0, 3 - math.floor(math.log10(smallest))))
