"""Whole models on several engines, in turn: their numbers are compared, then they are timed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

import click
from rich.table import Table

from bench import machine
from bench.command import (
    Benchmark,
    duration_option,
    end,
    finished,
    known,
    models_argument,
    threads_option,
    titled,
    watched,
)
from bench.engines import ENGINES
from bench.models import MODELS, onnx_file
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.options import examples, json_option, split_names
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Result:
    """One engine on one model.

    Attributes:
        model: Its name.
        batch: Images, or texts.
        threads: That each engine computes on.
        engine: Its name.
        milliseconds: The median of one run.
        ratio: This engine's time by that of the first one.
        error: The largest difference between two engines' numbers, by max abs of the reference.
        warm: Whether times were stable when the warm-up ended.
    """

    model: str
    batch: int
    threads: int
    engine: str
    milliseconds: float
    ratio: Ratio
    error: float
    warm: bool


def measure(
    name: str, title: str, engines: Sequence[str], *, threads: int, batch: int, duration_s: float
) -> Iterator[Result]:
    """Build all engines, compare their outputs with the first one's, and time them in turn.

    Raises:
        WrongNumbersError: Two engines disagree; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    model, runs = MODELS[name], {}
    feeds = model.inputs("full", batch=batch)
    with working(title) as progress:
        progress("export")
        file = onnx_file(name, size="full", batch=batch)
        for engine in engines:
            progress(f"build with {ENGINES[engine].label}")
            run = ENGINES[engine].build(model, file, threads)
            runs[engine] = partial(run, feeds)
    done = watched(title, runs, duration_s=duration_s, threads=threads)
    if done.measured:
        for engine in engines:
            figures = done.milliseconds(engine), done.ratio(engine, engines[0]), done.error
            yield Result(name, batch, threads, engine, *figures, done.samples.warm)
    if done.samples.interrupted:
        raise KeyboardInterrupt


def table(results: Sequence[Result]) -> Table:
    """Show the results."""
    first = results[0]
    where = f"threads: {first.threads}, batch: {first.batch}, {cpu_name()}"
    shown = Table(title=f"whole models, {where}", title_justify="left")
    shown.add_column("model")
    shown.add_column("engine")
    shown.add_column("ms", justify="right")
    shown.add_column(f"its time by {first.engine}'s")
    for r in results:
        ratio = "" if r.engine == first.engine else str(r.ratio)
        shown.add_row(r.model, ENGINES[r.engine].label, f"{r.milliseconds:.2f}", ratio)
    return shown


def _engines(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    names = known("engine", ENGINES)(split_names(None, None, (value,)))
    if not names:
        raise click.BadParameter(f"expected some of {', '.join(ENGINES)}, found none")
    return names


def _left_out(engines: Sequence[str]) -> dict[str, str]:
    with working("looking for the engines") as progress:
        missing = {}
        for name in engines:
            progress(ENGINES[name].label)
            if words := ENGINES[name].missing():
                missing[name] = words
    return missing


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.models",
        "python -m bench.models resnet50 bert --threads 2",
        "python -m bench.models --engines tvmfuse,onnxruntime,openvino,torch --json",
    ),
)
@models_argument
@click.option(
    "--engines", default="tvmfuse,onnxruntime", show_default=True, callback=_engines,
    metavar="NAMES", help=f"Among {', '.join(ENGINES)}; ratios are by the first one's time.",
)  # fmt: skip
@threads_option
@click.option(
    "--batch", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="Images, or texts, of one run; the file is made for so many.",
)  # fmt: skip
@duration_option(10.0, "model")
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], engines: tuple[str, ...], threads: int,
    batch: int, duration: float, as_json: bool,
) -> None:  # fmt: skip
    """Time the models NAMES, or all of them, on several engines in one process.

    NAMES are among those that `python -m bench.export --list` lists, at their published sizes.
    Each engine's outputs are first compared with the first one's; where they differ nothing is
    timed. Then the engines run in balanced order, and the median of the paired ratios is printed
    with its interval: a ratio above 1 means that the first engine is the faster one. `torch` is
    torch.compile with inductor, on the module that the file was exported from. An engine that this
    machine lacks is left out, in words. Ctrl-C prints what was measured until then.
    """
    missing = _left_out(engines)
    for engine, words in missing.items():
        click.echo(f"left out: {ENGINES[engine].label}: {words}", err=True)
    there = [engine for engine in engines if engine not in missing]
    if not there:
        raise click.ClickException("no engine is left")
    results, interrupted = finished(
        result
        for name, title in titled(names)
        for result in measure(name, title, there, threads=threads, batch=batch, duration_s=duration)
    )
    if as_json:
        rows = [asdict(result) for result in results]
        show_json({**machine.record(), "left_out": missing, "results": rows})
    elif results:
        show(table(results))
        for name in dict.fromkeys(r.model for r in results if not r.warm):
            say(f"{name}: times had not become stable when the warm-up ended.")
    end(ctx, interrupted=interrupted)


if __name__ == "__main__":
    main()
