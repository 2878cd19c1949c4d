"""A whole model on several engines and in several precisions: numbers first, then times, in turn.

With one thread the clock is that of the calling thread, on which each engine then computes: it
stands while the thread has no core. With several threads each engine has a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from rich.table import Table

from bench.command import watched
from bench.engines import ENGINES, Job
from bench.own_process import OwnProcess, clock_of
from bench.precisions import FLOAT32, PRECISIONS
from bench.variants import Arrays, Race, Reference
from tvmfuse.cli.console import working
from tvmfuse.measure.clock import thread_clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Result:
    """One engine on one model, in one precision.

    Attributes:
        model: Its name.
        batch: Images, or texts.
        threads: That each engine computes on.
        engine: Its name.
        precision: That it computes in.
        milliseconds: The median of one run.
        ratio: This engine's time by that of the first one, in the same precision.
        gain: This engine's time in float32 by this one; None where that is not measured.
        error: The largest difference from the numbers that it was compared with, by their max abs.
        warm: Whether times were stable when the warm-up ended.
    """

    model: str
    batch: int
    threads: int
    engine: str
    precision: str
    milliseconds: float
    ratio: Ratio
    gain: Ratio | None
    error: float
    warm: bool


def measured(
    model: str,
    title: str,
    jobs: Sequence[tuple[str, Job]],
    feeds: Arrays,
    *,
    batch: int,
    duration_s: float,
) -> Iterator[Result]:
    """Build what runs each engine's job, compare their numbers, and time them in turn.

    Args:
        model: Its name.
        title: That says how far the work is.
        jobs: Each with its engine, whose first one the others' times are divided by.
        feeds: The model's inputs.
        batch: Images, or texts, of one run.
        duration_s: Seconds to measure.

    Raises:
        WrongNumbersError: Two engines disagree; then nothing is timed.
        EngineDiedError: One that has a process of its own cannot go on.
        KeyboardInterrupt: After what was measured until then.
    """
    threads = jobs[0][1].threads
    raced = _in_one_process if threads == 1 else _in_processes
    done = raced(title, jobs, feeds, duration_s)
    if done.measured:
        for engine, job in jobs:
            label, first = _label(engine, job.precision), _first(jobs, job.precision)
            in_float32 = _label(engine, FLOAT32)
            narrow = job.precision != FLOAT32 and in_float32 in done.names
            yield Result(
                model, batch, threads, engine, job.precision, done.milliseconds(label),
                ratio=done.ratio(label, first),
                gain=done.ratio(in_float32, label) if narrow else None,
                error=done.errors[label],
                warm=done.samples.warm,
            )  # fmt: skip
    if done.samples.interrupted:
        raise KeyboardInterrupt


def _in_one_process(
    title: str, jobs: Sequence[tuple[str, Job]], feeds: Arrays, duration_s: float
) -> Race:
    runs: dict[str, Callable[[], Arrays]] = {}
    with working(title) as progress:
        for engine, job in jobs:
            label = _label(engine, job.precision)
            progress(f"build with {label}")
            runs[label] = partial(ENGINES[engine].build(job), feeds)
    return watched(
        title, runs, references=_references(jobs), duration_s=duration_s, clock=thread_clock()
    )


def _in_processes(
    title: str, jobs: Sequence[tuple[str, Job]], feeds: Arrays, duration_s: float
) -> Race:
    found: dict[str, OwnProcess] = {}
    with ExitStack() as processes:
        with working(title) as progress:
            for engine, job in jobs:
                label = _label(engine, job.precision)
                progress(f"build with {label}")
                found[label] = processes.enter_context(OwnProcess(engine, job, feeds))
        return watched(
            title,
            {label: process.outputs for label, process in found.items()},
            timed={label: process.run for label, process in found.items()},
            references=_references(jobs),
            duration_s=duration_s,
            threads=jobs[0][1].threads,
            clock=clock_of(list(found.values())),
        )


def _label(engine: str, precision: str) -> str:
    return f"{engine} in {PRECISIONS[precision].label}"


def _first(jobs: Sequence[tuple[str, Job]], precision: str) -> str:
    """Return the label of the first engine that computes in a precision."""
    return next(_label(engine, precision) for engine, job in jobs if job.precision == precision)


def _references(jobs: Sequence[tuple[str, Job]]) -> Mapping[str, Reference]:
    """Return what each engine's numbers are compared with."""
    precisions, found = {job.precision for _, job in jobs}, {}
    for engine, job in jobs:
        precision = PRECISIONS[job.precision]
        wide = precision.like_float32 and FLOAT32 in precisions
        of = _first(jobs, FLOAT32 if wide else job.precision)
        found[_label(engine, job.precision)] = Reference(of, precision.tolerance)
    return found


def table(title: str, results: Sequence[Result]) -> Table:
    """Show the results: a line for each engine and precision of each model."""
    first = results[0]
    where = f"threads: {first.threads}, batch: {first.batch}, {cpu_name()}"
    shown = Table(title=f"{title}, {where}", title_justify="left")
    shown.add_column("model", no_wrap=True)
    shown.add_column("precision", no_wrap=True)
    shown.add_column("engine")
    shown.add_column("ms", justify="right", no_wrap=True)
    shown.add_column(f"by {first.engine}'s")
    gains = any(r.gain is not None for r in results)
    if gains:
        shown.add_column("float32 by it")
    for place, r in enumerate(results):
        ratio = "" if r.engine == first.engine else r.ratio.short
        gain = () if not gains else (r.gain.short if r.gain else "",)
        last = place + 1 == len(results) or results[place + 1].model != r.model
        shown.add_row(
            r.model, r.precision, ENGINES[r.engine].label, f"{r.milliseconds:.2f}", ratio, *gain,
            end_section=last,
        )  # fmt: skip
    return shown


def markdown(results: Sequence[Result]) -> str:
    """Return a table for a document: a line for each precision of each model.

    It has the first engine's time, the others' by it, and the first one's float32 by its time.
    """
    engines = list(dict.fromkeys(r.engine for r in results))
    lines: dict[tuple[str, str], dict[str, Result]] = {}
    for r in results:
        lines.setdefault((r.model, r.precision), {})[r.engine] = r
    first, *others = engines
    labels = [ENGINES[engine].label for engine in others]
    head = ["model", "precision", f"{first}, ms", *labels, "float32 by it"]
    rows = [head, ["---"] * len(head)]
    for (model, precision), found in lines.items():
        ours = found[first]
        ratios = (found[other].ratio.short if other in found else "-" for other in others)
        gain = ours.gain.short if ours.gain else ""
        rows.append([model, precision, f"{ours.milliseconds:.3g}", *ratios, gain])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
