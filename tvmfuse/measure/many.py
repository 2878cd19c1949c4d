"""Several arms against one: first their numbers, then their times, all in one interleaved run.

Of many honest intervals some miss the truth: of a hundred at 99 % one does. So each interval is
made as much surer as there are comparisons: at ``1 - (1 - confidence) / comparisons``, so that all
of them together hold at the stated confidence (Bonferroni's correction; Dunn, "Multiple
Comparisons Among Means", JASA 56, 1961).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from rich.table import Table
from rich.text import Text

from tvmfuse.errors import first_line
from tvmfuse.json_safe import finite
from tvmfuse.measure.agreement import TOLERANCE, Array, Difference, differences
from tvmfuse.measure.interleave import Clock, Samples, interleave
from tvmfuse.measure.machine import Machine, Watch
from tvmfuse.measure.statistics import CONFIDENCE, Ratio, Summary, paired_ratio, summarize
from tvmfuse.progress import Progress

if TYPE_CHECKING:
    from markupsafe import Markup

PAUSE_S: Final = 0.02
"""Longer than the thread pools of the engines spin for work."""

LEAST_ROUNDS: Final = 32
"""16 pairs: enough for an interval among up to 300 comparisons."""


NOTHING: Final = Samples(np.empty((0, 1)), (1,), settled=True, interrupted=False)
"""What is measured of a baseline with which no arm agrees."""


@dataclass(frozen=True)
class Cost:
    """What an arm takes beside its time.

    Attributes:
        kernels: Launched in one run; None where the engine does not say.
        nbytes: Of its library and its weights, likewise.
        compile_s: Seconds to compile it; few where the kernel cache has its kernels.
    """

    kernels: int | None
    nbytes: int | None
    compile_s: float


@dataclass(frozen=True)
class Arm:
    """One way to compute the model's outputs."""

    name: str
    run: Callable[[], Mapping[str, Array]]
    """One inference on inputs that all arms share: output name -> array."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """What made this arm (level, target, ...): kept for the record, in `to_json`."""
    cost: Cost | None = None
    """What it took to make it, likewise."""


@dataclass(frozen=True)
class Timing:
    """What was measured of one arm."""

    name: str
    settings: Mapping[str, object]
    calls_per_sample: int
    summary: Summary | None
    """None where the measurement was interrupted in the warm-up, or the arm is wrong or fails."""
    cost: Cost | None = None


@dataclass(frozen=True)
class Contender:
    """One arm beside the baseline."""

    timing: Timing
    ratio: Ratio | None
    """Its time by the baseline's; None where it was not timed."""
    agreement: tuple[Difference, ...]
    failure: str | None = None
    """What it raised when it ran; None where it has outputs."""

    @property
    def problem(self) -> str | None:
        """Why it has no time: it fails, or its numbers are wrong; None where they are right."""
        return self.failure or problem_of(self.agreement)

    @property
    def sentence(self) -> str:
        """What is known of it, in a few words."""
        if self.problem:
            return f"{'failed' if self.failure else 'wrong'}, so not timed: {self.problem}"
        if self.ratio is None:
            return "not measured"
        return str(self.ratio) if self.ratio.effect else f"no effect shown: {self.ratio}"


@dataclass(frozen=True)
class Standings:
    """Several arms against one baseline.

    Attributes:
        baseline: What the others are compared with.
        contenders: The others, in the order in which they were given.
        tolerance: Of the output's largest magnitude.
        confidence: With which all intervals together hold the truth.
        settled: Whether times were stable when the warm-up ended.
        interrupted: Whether Ctrl-C cut it short.
        seed: Of the order and the bootstrap.
        machine: What else the machine did.
    """

    baseline: Timing
    contenders: tuple[Contender, ...]
    tolerance: float
    confidence: float
    settled: bool
    interrupted: bool
    seed: int
    machine: Machine

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [f"{c.timing.name}: {c.sentence}" for c in self.contenders if c.problem]
        if self.interrupted:
            notes.append("interrupted: this is what was measured until then")
        elif not self.settled:
            notes.append("times had not become stable when the warm-up ended")
        return (*notes, *self.machine.notes)

    def table(self) -> Table:
        """Return a row for each arm, at most 100 columns wide."""
        timings = [self.baseline, *(c.timing for c in self.contenders)]
        places = places_of([t.summary.min for t in timings if t.summary])
        caption = "\n".join([f"all intervals hold at {self.confidence * 100:g} %", *self.notes])
        table = Table(title="arms", caption=Text(caption))
        table.title_justify = table.caption_justify = "left"
        table.add_column("arm", overflow="fold")
        for column in ("ms", "kernels", "MB", "compile s"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("by the first's time", overflow="fold")
        words = ["1", *(c.sentence for c in self.contenders)]
        for timing, word in zip(timings, words, strict=True):
            ms = f"{timing.summary.median:.{places}f}" if timing.summary else "-"
            table.add_row(Text(timing.name), ms, *cost_cells(timing.cost), Text(word))
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types; times are in milliseconds."""
        contenders = [
            {**asdict(c), "problem": c.problem, "effect": bool(c.ratio and c.ratio.effect)}
            for c in self.contenders
        ]
        machine = self.machine.to_json()
        return finite({**asdict(self), "contenders": contenders, "machine": machine})

    def to_html(self) -> Markup:
        """Return the table as a fragment of a page."""
        from tvmfuse.views.html import fragment, from_table

        return fragment("Arms", from_table(self.table()))


def compare_many(
    baseline: Arm,
    others: Sequence[Arm],
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
) -> Standings:
    """Compare each arm's outputs with the baseline's, then time all that agree, interleaved.

    An arm that is wrong, or fails in its first run, gets no time, and the others go on; where none
    is left, nothing is timed.

    Args:
        baseline: What the others are compared with.
        others: Each gets a ratio of its time by the baseline's.
        expected: The right outputs, where another arm has them; None: the baseline's.
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each arm; None: as many as fit in the duration.
        least_rounds: How many samples of each arm are taken though the duration is over.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        pause_s: See `interleave`.
        tolerance: Of the output's largest magnitude, for floating-point outputs.
        confidence: How sure all intervals together are.
        comparisons: How many they are; None: as many as there are others.
        seed: Of the order and the bootstrap.
        progress: Called with the phase and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
    """
    if expected is None:
        expected = outputs_of(baseline)
    found = [compared(expected, arm, tolerance) for arm in others]
    right = [i for i, contender in enumerate(found) if not contender.problem]
    watch = watch or Watch()

    def report(step: str) -> None:
        if step == "measuring":
            watch.look()
        if progress is not None:
            progress(step)

    runs = [baseline.run, *(others[i].run for i in right)]
    samples = NOTHING
    if right:
        samples = interleave(
            runs,
            duration_s=duration_s,
            rounds=rounds,
            least_rounds=least_rounds,
            warm_up_s=warm_up_s,
            pause_s=pause_s,
            seed=seed,
            progress=report,
            clock=clock,
        )
    each = corrected(confidence, comparisons or len(others))
    timed = {arm: column for column, arm in enumerate(right, 1)}
    contenders = []
    for i, (arm, contender) in enumerate(zip(others, found, strict=True)):
        timing = _timing(arm, samples, timed.get(i))
        ratio = _ratio(samples, timed.get(i), each, seed)
        contenders.append(replace(contender, timing=timing, ratio=ratio))
    return Standings(
        baseline=_timing(baseline, samples, 0),
        contenders=tuple(contenders),
        tolerance=tolerance,
        confidence=confidence,
        settled=samples.settled,
        interrupted=samples.interrupted,
        seed=seed,
        machine=watch.finish(samples.milliseconds[:, 0]),
    )


def agreements_with(
    baseline: Arm, others: Sequence[Arm], *, tolerance: float = TOLERANCE
) -> list[tuple[Difference, ...]]:
    """Run each arm once and compare its outputs with the baseline's."""
    expected = outputs_of(baseline)
    return [differences(expected, arm.run(), tolerance=tolerance) for arm in others]


def outputs_of(arm: Arm) -> Mapping[str, Array]:
    """Run an arm once; it may give the same memory again at its next run, so that is copied."""
    return {name: np.array(array) for name, array in arm.run().items()}


def problem_of(agreement: Sequence[Difference]) -> str | None:
    """Say which outputs differ, and how; None where all agree."""
    return "; ".join(f"output {d.output!r}: {d.problem}" for d in agreement if d.problem) or None


def corrected(confidence: float, comparisons: int) -> float:
    """Return how sure each of several intervals has to be (Bonferroni).

    >>> round(corrected(0.99, 1), 6), round(corrected(0.99, 20), 6)
    (0.99, 0.9995)
    """
    return 1 - (1 - confidence) / max(1, comparisons)


def places_of(milliseconds: Sequence[float]) -> int:
    """Show four significant digits of the smallest time, and at most picoseconds."""
    smallest = min(milliseconds, default=1.0)
    return min(9, max(0, 3 - math.floor(math.log10(smallest))))


def cost_cells(cost: Cost | None) -> tuple[str, str, str]:
    """Write kernels, megabytes and seconds to compile into cells.

    >>> cost_cells(Cost(21, 46_800_000, 1.234)), cost_cells(Cost(None, None, 0.5))
    (('21', '46.8', '1.2'), ('-', '-', '0.5'))
    """
    if cost is None:
        return "-", "-", "-"
    size = "-" if cost.nbytes is None else f"{cost.nbytes / 1e6:.3g}"
    return "-" if cost.kernels is None else str(cost.kernels), size, f"{cost.compile_s:.1f}"


def compared(expected: Mapping[str, Array], arm: Arm, tolerance: float) -> Contender:
    """Run an arm once, and compare its outputs with the right ones; nothing is timed."""
    agreement: tuple[Difference, ...] = ()
    failure = None
    try:
        found = arm.run()
    except Exception as error:  # other engines' classes share no base
        failure = f"it fails when it runs: {first_line(error)}"
    else:
        agreement = differences(expected, found, tolerance=tolerance)
    return Contender(_timing(arm, NOTHING, None), None, agreement, failure)


def _timing(arm: Arm, samples: Samples, column: int | None) -> Timing:
    if column is None:
        return Timing(arm.name, dict(arm.settings), 0, None, arm.cost)
    times = samples.milliseconds[:, column]
    summary = summarize(times) if len(times) else None
    return Timing(arm.name, dict(arm.settings), samples.calls[column], summary, arm.cost)


def _ratio(samples: Samples, column: int | None, confidence: float, seed: int) -> Ratio | None:
    if column is None or len(ratios := samples.ratios(column, 0)) == 0:
        return None
    return paired_ratio(ratios, confidence=confidence, seed=seed)
