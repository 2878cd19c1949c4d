"""Two arms side by side: first their numbers, then their times."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from tvmfuse.errors import CompilationError
from tvmfuse.json_safe import finite
from tvmfuse.measure.agreement import TOLERANCE, Array, Difference, require_agreement
from tvmfuse.measure.arms import ArmSettings, pools_of_their_own, read_arm
from tvmfuse.measure.interleave import Clock
from tvmfuse.measure.machine import Machine, Watch
from tvmfuse.measure.many import (
    LEAST_ROUNDS,
    PAUSE_S,
    Arm,
    Cost,
    Timing,
    compare_many,
    cost_cells,
    places_of,
)
from tvmfuse.measure.runners import Runner, Workload, compiling, make_runner
from tvmfuse.measure.statistics import CONFIDENCE, Ratio
from tvmfuse.pipeline.compile import Model
from tvmfuse.progress import Progress

if TYPE_CHECKING:
    from markupsafe import Markup


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
    machine: Machine
    """What else the machine did."""
    idle: tuple[str, ...] = ()
    """Passes that b does without, and that have nothing to do in a."""
    same_kernels: bool = False
    """Whether both launch the same kernels."""

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
        notes = _costs(self.a.cost, self.b.cost)
        notes.append(f"same numbers: the largest difference is {error if largest else 0}")
        if self.interrupted:
            notes.append("interrupted: this is what was measured until then")
        elif not self.settled:
            notes.append("times had not become stable when the warm-up ended")
        notes += self.machine.notes
        if self.idle:
            notes.append(f"on this model nothing is left for {', '.join(self.idle)} to do")
        if self.same_kernels:
            notes.append("both arms launch the same kernels")
        return tuple(notes)

    def table(self) -> Table:
        """Return both arms' times and their ratio for the terminal, at most 100 columns wide."""
        arms = [timing for timing in (self.a, self.b) if timing.summary]
        summaries = [timing.summary for timing in arms if timing.summary]
        tails = [q for q in ("p90", "p99") if all(getattr(s, q) is not None for s in summaries)]
        columns = ["mean", "median", "max", "min", "std", *(tails if summaries else [])]
        places = places_of([s.min for s in summaries])

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
        machine = self.machine.to_json()
        record = {**asdict(self), "machine": machine}
        return finite({**record, "effect": effect, "sentence": self.sentence})

    def to_html(self) -> Markup:
        """Return the table and what it says as a fragment of a page."""
        from tvmfuse.views.html import fragment, from_table, paragraph

        lines = [paragraph(f"{line}.") for line in (*self.notes, self.sentence)]
        return fragment(f"{self.a.name} and {self.b.name}", from_table(self.table()), *lines)


def compare(
    a: Arm,
    b: Arm,
    *,
    duration_s: float | None = 10.0,
    rounds: int | None = None,
    least_rounds: int = 2,
    warm_up_s: float = 2.0,
    pause_s: float = 0.0,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Compare two arms' outputs, then their times: interleaved, paired, with an interval.

    Args:
        a: The arm to compare against.
        b: The arm whose time is the ratio's numerator.
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each arm; None: as many as fit in the duration.
        least_rounds: How many samples of each arm are taken though the duration is over.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        pause_s: See `interleave`.
        tolerance: Of the output's largest magnitude, for floating-point outputs.
        confidence: How sure the interval of the ratio is.
        seed: Of the order and the bootstrap.
        progress: Called with the phase and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.

    Raises:
        CompilationError: The second arm fails in its first run.
        WrongNumbersError: The outputs differ, so no arm was timed.
    """
    done = compare_many(
        a,
        [b],
        duration_s=duration_s,
        rounds=rounds,
        least_rounds=least_rounds,
        warm_up_s=warm_up_s,
        pause_s=pause_s,
        tolerance=tolerance,
        confidence=confidence,
        seed=seed,
        progress=progress,
        clock=clock,
        watch=watch,
    )
    (other,) = done.contenders
    if other.failure:
        raise CompilationError(f"{b.name}: {other.sentence}")
    require_agreement(a.name, b.name, other.agreement)
    return Comparison(
        a=done.baseline,
        b=other.timing,
        ratio=other.ratio,
        agreement=other.agreement,
        tolerance=tolerance,
        settled=done.settled,
        interrupted=done.interrupted,
        seed=seed,
        machine=done.machine,
    )


def ab(
    model: Model,
    a: ArmSettings | str = "",
    b: ArmSettings | str = "",
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 10.0,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
) -> Comparison:
    """Compile a model in two ways and compare them.

    Args:
        model: As `tvmfuse.compile` takes it.
        a: The arm to compare against: settings, or words such as ``level=basic,threads=2``.
        b: The arm whose time is the ratio's numerator.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name.
        inputs: An array for each input; None: random ones.
        seed: Of the random ones, the order and the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, after the warm-up.
        tolerance: Of the output's largest magnitude.
        progress: Called with the phase and the share of it that is done, never while timing.

    Raises:
        ConfigurationError: An arm, an engine, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: An arm does not compile, or the second one fails in its first run.
        WrongNumbersError: The outputs differ, so no arm was timed.
    """
    settings = [read_arm(arm) if isinstance(arm, str) else arm for arm in (a, b)]
    workload = Workload(model, shapes, dims, inputs, seed, cache)
    second, first = (  # what has fewer passes mostly shows sooner that something is wrong
        make_runner(workload, arm, compiling(progress, arm.title)) for arm in reversed(settings)
    )
    feeds = workload.feeds(first if first.inputs is not None else second)
    comparison = compare(
        first.arm(feeds),
        second.arm(feeds),
        duration_s=duration_s,
        least_rounds=LEAST_ROUNDS,
        pause_s=PAUSE_S if pools_of_their_own(settings) else 0.0,
        tolerance=tolerance,
        seed=seed,
        progress=progress,
    )
    same = first.same_kernels(second) and first.settings.threads == second.settings.threads
    return replace(comparison, idle=_idle(first, second), same_kernels=same)


def _ratio_line(ratio: Ratio | None) -> str | None:
    return f"ratio of the second to the first: {ratio}" if ratio else None


def _costs(a: Cost | None, b: Cost | None) -> list[str]:
    """Say what both arms take beside their time, as far as both are known."""
    names = ("kernels", "MB", "seconds to compile")
    rows = zip(names, cost_cells(a), cost_cells(b), strict=True)
    known = [f"{what}: {x} and {y}" for what, x, y in rows if "-" not in (x, y)]
    return [", ".join(known)] if known else []


def _idle(first: Runner, second: Runner) -> tuple[str, ...]:
    """Name the passes whose absence changes nothing, because they never fired."""
    if first.report is None or second.report is None:
        return ()
    off = [entry.name for entry in second.report.passes if entry.status == "disabled"]
    return tuple(n for n in off if first.report[n].status == "ran" and not first.report[n].fired)
