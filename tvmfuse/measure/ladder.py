"""What each level gains: none, basic, extended and layout, interleaved."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.json_safe import finite
from tvmfuse.measure.agreement import TOLERANCE, Array
from tvmfuse.measure.arms import ArmSettings, pools_of_their_own
from tvmfuse.measure.interleave import Clock
from tvmfuse.measure.many import (
    LEAST_ROUNDS,
    PAUSE_S,
    Contender,
    Standings,
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

LEVELS: Final = ("none", "basic", "extended", "layout")
"""Each includes those before it. `all` is `layout`: there is no tier after it."""


@dataclass(frozen=True)
class Rung:
    """One level.

    Attributes:
        level: Its name.
        timing: Its times and what it takes beside them.
        gain: Level none's time by this one's; None for none itself, and where there is no time.
        error: The largest difference from none's numbers, by the largest magnitude; None where it
            has no numbers.
        problem: Why it has no time: it fails, or its numbers are wrong.
        same_kernels: Whether it launches the same kernels as the level before it.
        failed: Whether it does not compile, or fails when it runs.
    """

    level: str
    timing: Timing
    gain: Ratio | None
    error: float | None
    problem: str | None
    same_kernels: bool
    failed: bool = False

    @classmethod
    def of(cls, level: str, contender: Contender, *, same_kernels: bool) -> Rung:
        """Read a contender of level none."""
        return cls(
            level=level,
            timing=contender.timing,
            gain=contender.ratio.inverse if contender.ratio else None,
            error=max((d.error for d in contender.agreement), default=None),
            problem=contender.problem,
            same_kernels=same_kernels,
            failed=contender.failure is not None,
        )

    @classmethod
    def without(cls, settings: ArmSettings, error: TvmfuseError) -> Rung:
        """Make the rung of a level that does not compile."""
        timing = Timing(settings.title, settings.to_json(), 0, None)
        problem = first_line(error)
        return cls(settings.level, timing, None, None, problem, same_kernels=False, failed=True)


@dataclass(frozen=True)
class Ladder:
    """All levels of one model.

    Attributes:
        model: Its name.
        rungs: One for each level.
        standings: The comparison that they were taken from.
    """

    model: str
    rungs: tuple[Rung, ...]
    standings: Standings

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C cut it short."""
        return self.standings.interrupted

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        pairs = zip(self.rungs, self.rungs[1:], strict=False)
        same = [(a.level, b.level) for a, b in pairs if b.same_kernels]
        words = [f"levels {a} and {b} launch the same kernels on this model" for a, b in same]
        known = {contender.timing.name for contender in self.standings.contenders}
        words += [
            f"{rung.timing.name}: failed, so not timed: {rung.problem}"
            for rung in self.rungs
            if rung.failed and rung.timing.name not in known
        ]
        return (*words, *self.standings.notes)

    def table(self) -> Table:
        """Return a row for each level, at most 100 columns wide."""
        confidence = f"all intervals hold at {self.standings.confidence * 100:g} %"
        caption = Text("\n".join([confidence, *self.notes]))
        table = Table(title=Text(f"{self.model}: what each level gains"), caption=caption)
        table.title_justify = table.caption_justify = "left"
        table.add_column("level", no_wrap=True)
        for column in ("ms", "kernels", "MB", "compile s"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("times as fast as none", overflow="fold")
        places = places_of([r.timing.summary.min for r in self.rungs if r.timing.summary])
        for rung in self.rungs:
            summary = rung.timing.summary
            ms = f"{summary.median:.{places}f}" if summary else "-"
            table.add_row(rung.level, ms, *cost_cells(rung.timing.cost), Text(_words(rung)))
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types; times are in milliseconds."""
        facts = asdict(self.standings)
        kept = ("tolerance", "confidence", "settled", "interrupted", "seed")
        record = {
            "model": self.model,
            "rungs": [asdict(rung) for rung in self.rungs],
            **{name: facts[name] for name in kept},
            "machine": self.standings.machine.to_json(),
            "notes": self.notes,
        }
        return finite(record)

    def to_html(self) -> Markup:
        """Return the chart and the table as a fragment of a page."""
        from tvmfuse.views.html import fragment, from_table

        return fragment("What each level gains", self.chart(), from_table(self.table()))

    def chart(self) -> Markup:
        """Draw what each level gains; nothing where nothing was timed."""
        from tvmfuse.views.html.charts import Bar, bars

        rows = [Bar.of(rung.level, rung.gain) for rung in self.rungs if rung.gain]
        return bars(rows, axis="times as fast as level none, with intervals", one=True)


def ladder(
    model: Model,
    *,
    target: Any = "llvm",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 20.0,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Ladder:
    """Compile a model at every level, compare the numbers with level none's, and time all in turn.

    A level that fails or is wrong is listed without a time; the others go on, unless it is none.

    Args:
        model: As `tvmfuse.compile` takes it.
        target: Likewise.
        threads: That compute one run; None lets the runtime choose.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name.
        inputs: An array for each input; None: random ones.
        seed: Of the random ones, the order and the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by the levels; longer where that is too short for
            intervals.
        tolerance: Of the output's largest magnitude.
        progress: Called with the phase and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: Level none does not compile.
    """
    workload = Workload(model, shapes, dims, inputs, seed, cache)
    base = ArmSettings(target=target, threads=threads)
    runners: dict[str, Runner] = {}
    failed: dict[str, Rung] = {}
    for place, level in enumerate(LEVELS):
        settings = replace(base, level=level)
        try:
            report = compiling(progress, f"level {level}", place / len(LEVELS))
            runners[level] = make_runner(workload, settings, report)
        except TvmfuseError as error:
            if level == LEVELS[0]:
                raise
            failed[level] = Rung.without(settings, error)
    feeds = workload.feeds(runners[LEVELS[0]])
    none, *others = [runner.arm(feeds) for runner in runners.values()]
    done = compare_many(
        none,
        others,
        duration_s=duration_s,
        least_rounds=LEAST_ROUNDS,
        pause_s=PAUSE_S if pools_of_their_own([base]) else 0.0,
        tolerance=tolerance,
        confidence=CONFIDENCE,
        seed=seed,
        progress=progress,
        clock=clock,
    )
    rungs = {LEVELS[0]: Rung(LEVELS[0], done.baseline, None, 0.0, None, same_kernels=False)}
    for level, contender in zip([*runners][1:], done.contenders, strict=True):
        before = runners.get(LEVELS[LEVELS.index(level) - 1])
        same = before is not None and runners[level].same_kernels(before)
        rungs[level] = Rung.of(level, contender, same_kernels=same)
    rungs |= failed
    return Ladder(workload.name, tuple(rungs[level] for level in LEVELS), done)


def _words(rung: Rung) -> str:
    if rung.level == LEVELS[0]:
        return "1"
    if rung.problem:
        return f"{'failed' if rung.failed else 'wrong'}, so not timed"
    if rung.gain is None:
        return "not measured"
    return rung.gain.short if rung.gain.effect else f"no effect shown: {rung.gain.short}"
