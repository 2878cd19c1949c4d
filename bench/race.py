"""Whole models on several engines, run in turn: the numbers are compared, then timed.

From the repository's root::

    python -m bench.race resnet50 bert --engines tvmfuse,onnxruntime --threads 1
    python -m bench.race --engines tvmfuse,onnxruntime,openvino,torch --json
"""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

import click
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.engines import ENGINES
from bench.models import MODELS, onnx_file
from tvmfuse.measure.agreement import differences, require_agreement
from tvmfuse.measure.interleave import interleave
from tvmfuse.measure.statistics import Ratio, paired_ratio


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
    """

    model: str
    batch: int
    threads: int
    engine: str
    milliseconds: float
    ratio: Ratio


def race(
    name: str, engines: Sequence[str], *, threads: int, batch: int, duration_s: float
) -> list[Result]:
    """Build all engines, compare their outputs with the first one's, and time them in turn.

    Raises:
        WrongNumbersError: Two engines disagree; then nothing is timed.
    """
    model, file = MODELS[name], onnx_file(name, size="full", dynamic=batch > 1)
    feeds = model.inputs("full", batch=batch)
    runs = [ENGINES[engine](model, file, threads) for engine in engines]
    expected = {n: np.array(a) for n, a in runs[0](feeds).items()}
    for engine, run in zip(engines[1:], runs[1:], strict=True):
        require_agreement(engines[0], engine, differences(expected, run(feeds)))
    samples = interleave([partial(run, feeds) for run in runs], duration_s=duration_s)
    medians = np.median(samples.milliseconds, axis=0)
    return [
        Result(name, batch, threads, engine, float(medians[i]), paired_ratio(samples.ratios(i, 0)))
        for i, engine in enumerate(engines)
    ]


def table(results: Sequence[Result]) -> Table:
    """Show the results."""
    first = results[0].engine
    shown = Table(title=f"whole models, on {platform.processor() or platform.machine()}")
    for column in ("model", "batch", "threads", "engine"):
        shown.add_column(column)
    shown.add_column("ms", justify="right")
    shown.add_column(f"its time by {first}'s")
    for r in results:
        ratio = "" if r.engine == first else str(r.ratio)
        where = (r.model, str(r.batch), str(r.threads), r.engine)
        shown.add_row(*where, f"{r.milliseconds:.2f}", ratio)
    return shown


def _known(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name not in ENGINES:
            raise click.BadParameter(f"no engine is called {name!r}; known: {', '.join(ENGINES)}")
    return names


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(MODELS)))
@click.option("--engines", default="tvmfuse,onnxruntime", show_default=True, callback=_known,
              help=f"Among {', '.join(ENGINES)}; ratios are by the first one's time.")  # fmt: skip
@click.option("--threads", default=1, show_default=True, help="Threads of each engine.")
@click.option("--batch", default=1, show_default=True, help="Images, or texts, of one run.")
@click.option("--duration", default=10.0, show_default=True, help="Seconds for each model.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(
    names: tuple[str, ...], engines: list[str], threads: int, batch: int, duration: float,
    *, as_json: bool,
) -> None:  # fmt: skip
    """Time the models NAMES, or all of them, on several engines."""
    results: list[Result] = []
    for name in track(names or list(MODELS), description="models", console=Console(stderr=True)):
        results += race(name, engines, threads=threads, batch=batch, duration_s=duration)
    if as_json:
        click.echo(json.dumps([asdict(result) for result in results], indent=1))
    else:
        Console().print(table(results))


if __name__ == "__main__":
    main()
