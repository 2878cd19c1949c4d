"""`torch.compile` with tvmfuse, with inductor, and PyTorch as it is.

From the repository's root::

    python -m bench.torch
    python -m bench.torch resnet18 --mode training --duration 20
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import click
import torch
from rich.table import Table

from bench.command import (
    Benchmark,
    duration_option,
    in_short,
    known,
    show_rows,
    threads_option,
    titled,
    watched,
)
from bench.models import Size
from bench.picture import picture_option, speedups
from bench.torch_steps import Training, inference, inferences, trainings
from bench.variants import Race
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure.clock import thread_clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name

MODES: Final = ("inference", "frozen", "training")
OTHERS: Final = ("inductor", "eager")


@dataclass(frozen=True)
class Row:
    """One model's figures in one mode.

    Attributes:
        model: Its name.
        mode: "inference" with parameters that may change, "frozen", or a step of "training".
        milliseconds: Medians, by engine.
        ratios: Each other engine's time by tvmfuse's.
        error: The largest difference from eager, by max abs of eager's.
    """

    model: str
    mode: str
    milliseconds: dict[str, float]
    ratios: dict[str, Ratio]
    error: float


def measure(
    name: str, mode: str, title: str, *, size: Size, others: Sequence[str], threads: int,
    duration_s: float,
) -> Iterator[Row]:  # fmt: skip
    """Compare all engines' numbers with eager's, then time them in turn.

    Raises:
        WrongNumbersError: They differ; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    torch.compiler.reset()
    torch.set_num_threads(threads)
    engines = ["eager", *(engine for engine in ("tvmfuse", *others) if engine != "eager")]
    race = partial(
        watched, title, duration_s=duration_s, threads=threads,
        clock=thread_clock() if threads == 1 else None,
    )  # fmt: skip
    if mode == "training":
        work = trainings(size)[name]
        runs = {engine: Training.of(work, engine) for engine in engines}
        done: Race = race(
            {engine: run.results for engine, run in runs.items()},
            timed={engine: run.step for engine, run in runs.items()},
        )
    else:
        frozen = mode == "frozen"
        done = race({e: inference(inferences(size)[name], e, frozen=frozen) for e in engines})
    if done.measured:
        yield Row(
            name,
            mode,
            {engine: done.milliseconds(engine) for engine in engines},
            {other: done.ratio(other, "tvmfuse") for other in others},
            done.error,
        )
    if done.samples.interrupted:
        raise KeyboardInterrupt


def table(name: str, rows: Sequence[Row], threads: int) -> Table:
    """Show one model's rows."""
    shown = Table(title=f"{name}, threads: {threads}, {cpu_name()}", title_justify="left")
    shown.add_column("", no_wrap=True)
    for engine in rows[0].milliseconds:
        shown.add_column(f"{engine}, ms", justify="right", no_wrap=True)
    for other in rows[0].ratios:
        shown.add_column(f"{other} by tvmfuse", justify="right", no_wrap=True)
    for row in rows:
        times = (f"{time:.2f}" for time in row.milliseconds.values())
        shown.add_row(row.mode, *times, *map(in_short, row.ratios.values()))
    return shown


def _asked(names: Sequence[str], modes: Sequence[str], size: Size) -> dict[str, tuple[str, str]]:
    """Return the models to measure, each with its mode, by what they are called together."""
    there = {
        mode: tuple(trainings(size) if mode == "training" else inferences(size)) for mode in modes
    }
    every = dict.fromkeys(name for of_mode in there.values() for name in of_mode)
    chosen = known("model", every)(names or every)
    return {f"{n}, {mode}": (n, mode) for n in chosen for mode in modes if n in there[mode]}


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.torch", "python -m bench.torch vit --mode frozen --json"),
)
@click.argument("names", nargs=-1, metavar="[MODELS]...")
@click.option(
    "--mode", "modes", type=click.Choice(MODES), multiple=True, default=MODES,
    help="What to time; again for another. All, if it is not given.",
)  # fmt: skip
@click.option(
    "--against", "others", type=click.Choice(OTHERS), multiple=True, default=OTHERS,
    help="What to compare with; again for another. Both, if it is not given.",
)  # fmt: skip
@click.option(
    "--size", type=click.Choice(("full", "reduced")), default="full", show_default=True,
    help="Of the models.",
)  # fmt: skip
@threads_option
@duration_option(10.0, "row")
@picture_option
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], modes: tuple[str, ...],
    others: tuple[str, ...], size: Size, threads: int, duration: float, picture: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Time MODELS, or all, under torch.compile: tvmfuse beside inductor and eager, in turn.

    Outputs are compared with eager's first. Of one thread, the time is that for which it had a
    core. A ratio above 1 is a win of tvmfuse's.
    """
    rows: list[Row] = []

    def work() -> Iterator[Row]:
        asked = _asked(names, modes, size)
        for label, title in titled(asked):
            for row in measure(
                *asked[label], title, size=size, others=others, threads=threads,
                duration_s=duration,
            ):  # fmt: skip
                rows.append(row)
                yield row

    if picture:
        ctx.call_on_close(partial(_draw, rows, others[0], picture))
    with warnings.catch_warnings():
        # Inductor advises to trade precision for speed.
        warnings.filterwarnings("ignore", "TensorFloat32")
        show_rows(
            ctx, work(), partial(table, threads=threads), as_json=as_json, threads=threads,
            torch=torch.__version__,
        )  # fmt: skip


def _draw(rows: Sequence[Row], other: str, picture: Path) -> None:
    if rows:
        ratios = {f"{row.model}\n{row.mode}": row.ratios[other] for row in rows}
        speedups(ratios, picture, title=f"torch.compile, {cpu_name()}", axis=f"{other} by tvmfuse")


if __name__ == "__main__":
    main()
