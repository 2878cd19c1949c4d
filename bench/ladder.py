"""What each level gains on whole models: none, basic, extended and layout, in turn.

From the repository's root::

    python -m bench.ladder resnet50 bert
    python -m bench.ladder --json > bench/results/2026-11-30-ladder.json
    python -m bench.ladder --from bench/results/2026-11-30-ladder.json --markdown
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click
from rich.table import Table

import tvmfuse
from bench import machine
from bench.command import (
    Benchmark,
    duration_option,
    end,
    finished,
    models_argument,
    threads_option,
    titled,
    watched,
)
from bench.ladder_record import LEVELS, Ladder, Rung
from bench.models import MODELS, onnx_file
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.options import examples, existing_file, json_option


def measure(name: str, title: str, *, threads: int, duration_s: float) -> Iterator[Rung]:
    """Compile at every level, compare the outputs with those of level none, and time all in turn.

    Raises:
        WrongNumbersError: A level computes something else; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    feeds, variants, kernels = MODELS[name].inputs("full"), {}, {}
    with working(title) as progress:
        progress("export")
        file = onnx_file(name, size="full")
        for level in LEVELS:
            progress(f"compile at level {level}")
            artifact = tvmfuse.compile(file, level=level)
            variants[level] = partial(artifact.load(num_threads=threads), feeds)
            kernels[level] = len(artifact.manifest.kernels)
    done = watched(title, variants, duration_s=duration_s)
    if done.measured:
        for level in LEVELS:
            figures = done.milliseconds(level), done.ratio("none", level), kernels[level]
            yield Rung(name, level, *figures, done.error, done.samples.warm)
    if done.samples.interrupted:
        raise KeyboardInterrupt


def table(ladder: Ladder) -> Table:
    """Show all rungs."""
    shown = Table(title=f"levels, {ladder.where}", title_justify="left")
    shown.add_column("model")
    shown.add_column("level")
    for column in ("kernels", "ms"):
        shown.add_column(column, justify="right")
    shown.add_column("none's time by its")
    for r in ladder.rungs:
        first = r.level == LEVELS[0]
        gain = "" if first else str(r.gain)
        name = r.model if first else ""
        figures = (str(r.kernels), f"{r.milliseconds:.2f}")
        shown.add_row(name, r.level, *figures, gain, end_section=r.level == LEVELS[-1])
    return shown


def _read(_: click.Context, __: click.Parameter, file: Path | None) -> Ladder | None:
    if file is None:
        return None
    try:
        return Ladder.from_json(json.loads(file.read_text()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.BadParameter(f"{file} is not what --json printed: {error!r}") from error


def _measured(names: Sequence[str], threads: int, duration_s: float) -> tuple[Ladder, bool]:
    rungs, interrupted = finished(
        rung
        for name, title in titled(names)
        for rung in measure(name, title, threads=threads, duration_s=duration_s)
    )
    return Ladder(threads, machine.record(), tuple(rungs)), interrupted


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.ladder",
        "python -m bench.ladder resnet50 bert --threads 2",
        "python -m bench.ladder --json > bench/results/2026-11-30-ladder.json",
        "python -m bench.ladder --from bench/results/2026-11-30-ladder.json --markdown",
    ),
)
@models_argument
@threads_option
@duration_option(20.0, "model")
@json_option
@click.option("--markdown", is_flag=True, help="Print them as a Markdown page.")
@click.option(
    "--from", "ladder", type=existing_file, callback=_read, metavar="FILE",
    help="Measure nothing: show what --json printed into this file.",
)  # fmt: skip
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], threads: int, duration: float,
    as_json: bool, markdown: bool, ladder: Ladder | None,
) -> None:  # fmt: skip
    """Time the models NAMES, or all of them, at each level in one process.

    NAMES are among those that `python -m bench.export --list` lists, at their published sizes. The
    levels none, basic, extended and layout each include those before; layout is all that there is.
    Outputs are compared with those of level none first; where they differ nothing is timed. The
    ratio is none's time by the level's: 1.5 means that the level makes the model 1.5 times as fast.
    Schedules apply at every level, so that a level's gain is the graph's and not the kernels'.
    Ctrl-C prints what was measured until then.
    """
    interrupted = False
    if ladder is None:
        ladder, interrupted = _measured(names, threads, duration)
    if as_json:
        show_json(ladder.to_json())
    elif markdown and ladder.rungs:
        click.echo(ladder.markdown())
    elif ladder.rungs:
        show(table(ladder))
        for name in ladder.not_warm:
            say(f"{name}: times had not become stable when the warm-up ended.")
    end(ctx, interrupted=interrupted)


if __name__ == "__main__":
    main()
