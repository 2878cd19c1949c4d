"""Run it: ``python -m examples.batch_ray`` starts two nodes, and ends them."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import onnx

import tvmfuse
from examples.batch_ray.cluster import PLACE, two_nodes
from examples.batch_ray.models import image_model, text_model

ENGINES: Final = ("tvmfuse", "onnxruntime")
MODELS: Final[Mapping[str, Callable[[], onnx.ModelProto]]] = {
    "images": image_model,
    "texts": text_model,
}
TOLERANCE: Final = 1e-4
"""Between the engines' scores, which are at most 1."""


@dataclass(frozen=True, eq=False)
class Run:
    """One pass over all rows.

    Attributes:
        seconds: From the pipeline's start to its last row, the actors' start included.
        cpu_us: That the model took for a row, of its thread's CPU time.
        nodes: How many nodes took part.
        scores: Of the rows, in the order of their numbers.
    """

    seconds: float
    cpu_us: float
    nodes: int
    scores: np.ndarray


def dataset(kind: str, rows: int) -> Any:
    """Return rows of images or of tokens, in the nodes' memory."""
    import ray

    from examples.batch_ray.rows import images, texts, tokens

    numbers = ray.data.range(rows, override_num_blocks=16)
    if kind == "images":
        return numbers.map_batches(images, batch_size=1024).materialize()
    drawn = numbers.map_batches(texts, batch_size=1024)
    return drawn.map_batches(tokens, batch_size=1024).materialize()


def run(data: Any, engine: str, model: Path, batch_size: int) -> Run:
    """Run a model over all rows, in an actor of one CPU on each node."""
    import ray

    from examples.batch_ray.predictors import Timed

    start = time.perf_counter()
    found = data.map_batches(
        Timed,
        fn_constructor_kwargs={"engine": engine, "model": str(model)},
        compute=ray.data.ActorPoolStrategy(size=2),
        num_cpus=1,
        resources={PLACE: 1},
        batch_size=batch_size,
        batch_format="numpy",
        zero_copy_batch=True,
    )
    batches = [*found.iter_batches(batch_size=None, batch_format="numpy")]
    seconds = time.perf_counter() - start
    columns = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    order = np.argsort(columns["id"])
    if not np.array_equal(columns["id"][order], np.arange(len(order))):
        raise click.ClickException(f"{engine}: rows are missing or there twice")
    nodes = len(set(columns["node"]))
    return Run(seconds, float(columns["cpu_us"].mean()), nodes, columns["scores"][order])


def in_turn(data: Any, kind: str, files: Mapping[str, Path], rounds: int, batch_size: int) -> str:
    """Run the engines in turn, compare all scores, and return a line for each engine."""
    runs: dict[str, list[Run]] = {engine: [] for engine in ENGINES}
    for number in range(rounds):
        for engine in ENGINES[:: -1 if number % 2 else 1]:
            done = run(data, engine, files[engine], batch_size)
            rate = len(done.scores) / done.seconds
            click.echo(f"{kind}, {engine}: {rate:,.0f} rows/s on {done.nodes} nodes", err=True)
            runs[engine].append(done)
    ours, theirs = (runs[engine] for engine in ENGINES)
    apart = max(float(np.abs(one.scores - theirs[0].scores).max()) for one in (*ours, *theirs))
    if not apart <= TOLERANCE:
        raise click.ClickException(f"{kind}: the engines' scores differ by {apart:.1e}")
    lines = [line(kind, engine, runs[engine]) for engine in ENGINES]
    pairs = [*zip(ours, theirs, strict=True)]
    wall = statistics.median(b.seconds / a.seconds for a, b in pairs)
    cpu = statistics.median(b.cpu_us / a.cpu_us for a, b in pairs)
    return "\n".join([*lines, f"| {kind} | ratio of rows/s | {wall:.2f} | | {cpu:.2f} | |"])


def line(kind: str, engine: str, runs: list[Run]) -> str:
    """Return the medians of some runs as a line of a table."""
    rows = len(runs[0].scores)
    seconds = statistics.median(one.seconds for one in runs)
    cpu_us = statistics.median(one.cpu_us for one in runs)
    nodes = min(one.nodes for one in runs)
    return f"| {kind} | {engine} | {rows / seconds:,.0f} | {seconds:.1f} | {cpu_us:.1f} | {nodes} |"


@click.command()
@click.option("--rows", default=100_000, show_default=True, type=click.IntRange(min=1))
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(min=1))
@click.option("--batch-size", default=64, show_default=True, type=click.IntRange(min=1))
def main(rows: int, rounds: int, batch_size: int) -> None:
    """Compare tvmfuse and onnxruntime as actors of Ray Data, on two nodes of this machine."""
    lines = []
    with tempfile.TemporaryDirectory() as folder, two_nodes(memory=1 << 30):
        for kind, build in MODELS.items():
            files = {
                "tvmfuse": Path(folder, f"{kind}.so"),
                "onnxruntime": Path(folder, f"{kind}.onnx"),
            }
            onnx.save(model := build(), files["onnxruntime"])
            tvmfuse.compile(model, specialize={"batch": batch_size}).save(files["tvmfuse"])
            lines.append(in_turn(dataset(kind, rows), kind, files, rounds, batch_size))
    click.echo("| rows of | engine | rows/s | seconds | CPU us a row, in the model | nodes |")
    click.echo("|---|---|--:|--:|--:|--:|")
    click.echo("\n".join(lines))


if __name__ == "__main__":
    main()
