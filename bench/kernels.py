"""Each layer of a model alone, against onnxruntime: GFLOP/s and the share of the measured peak.

From the repository's root::

    python -m bench.kernels resnet50
    python -m bench.kernels bert --threads 2 --at-least 20
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import click
import numpy as np
import onnx
import onnxruntime
from rich.console import Console
from rich.progress import track
from rich.table import Table

import tvmfuse
from bench.layers import Layer, layers_of
from bench.models import MODELS, onnx_file
from bench.peak import multiply_adds
from tvmfuse.measure.agreement import differences, require_agreement
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.interleave import interleave
from tvmfuse.measure.statistics import Ratio, paired_ratio


@dataclass(frozen=True)
class Row:
    """One layer's figures.

    Attributes:
        layer: The operator and its sizes.
        count: How often it occurs in the model.
        mflop: Of one run.
        milliseconds: Median of one run of ours.
        gflops: GFLOP/s of ours.
        peak: Its share of the peak measured in the same rounds, by all threads.
        ratio: onnxruntime's time by ours.
        schedule: The schedule that the kernel took.
    """

    layer: str
    count: int
    mflop: float
    milliseconds: float
    gflops: float
    peak: float
    ratio: Ratio
    schedule: str


def measure(layer: Layer, count: int, target: str, threads: int, duration_s: float) -> Row:
    """Compare a layer's numbers with onnxruntime's, then time both and the peak, interleaved."""
    model = layer.model()
    artifact = tvmfuse.compile(model, target=target)
    ours = artifact.load(num_threads=threads)
    feeds = random_inputs(ours.inputs, seed=1)
    theirs = _onnxruntime(model, threads)
    found = differences({"y": theirs(feeds)}, ours(feeds))
    require_agreement("onnxruntime", "ours", found)
    loop, flop = multiply_adds(target)
    samples = interleave(
        [lambda: ours.run(None, feeds), lambda: theirs(feeds), loop], duration_s=duration_s
    )
    times = np.median(samples.milliseconds, axis=0)
    # The shares are paired, too: of each round's own peak.
    speeds = layer.flop / samples.milliseconds[:, 0]
    shares = speeds / (flop / samples.milliseconds[:, 2]) / threads
    return Row(
        str(layer),
        count,
        layer.flop / 1e6,
        float(times[0]),
        float(np.median(speeds)) / 1e6,
        float(np.median(shares)),
        paired_ratio(samples.ratios(1, 0)),
        ", ".join(k.schedule for k in artifact.manifest.kernels),
    )


def _onnxruntime(
    model: onnx.ModelProto, threads: int
) -> Callable[[Mapping[str, np.ndarray]], np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return lambda feeds: session.run(None, dict(feeds))[0]


def table(name: str, rows: list[Row]) -> Table:
    """Show the rows."""
    shown = Table(title=f"{name}: its layers alone", title_justify="left")
    shown.add_column("layer", no_wrap=True)
    for column in ("times", "MFLOP", "ms", "GFLOP/s", "of peak", "onnxruntime / ours"):
        shown.add_column(column, justify="right")
    shown.add_column("schedule")
    for row in rows:
        figures = (f"{row.mflop:.1f}", f"{row.milliseconds:.3f}", f"{row.gflops:.1f}")
        shares = (f"{row.peak:.0%}", f"{row.ratio.median:.2f}")
        shown.add_row(row.layer, str(row.count), *figures, *shares, row.schedule)
    return shown


@click.command()
@click.argument("name", type=click.Choice(list(MODELS)))
@click.option("--threads", default=1, show_default=True, help="Threads of both.")
@click.option("--target", default="llvm", show_default=True, help="As tvmfuse.compile takes it.")
@click.option("--at-least", default=0.0, help="Leave out layers of less than so many MFLOP.")
@click.option("--duration", default=1.0, show_default=True, help="Seconds for each layer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(
    name: str, threads: int, target: str, at_least: float, duration: float, *, as_json: bool
) -> None:
    """Time each layer of the model NAME alone, ours and onnxruntime's in turn."""
    found = layers_of(onnx_file(name, size="full"))
    layers = {layer: n for layer, n in found.items() if layer.flop >= at_least * 1e6}
    console = Console(stderr=True)
    rows = [
        measure(layer, count, target, threads, duration)
        for layer, count in track(layers.items(), description=name, console=console)
    ]
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        Console().print(table(name, rows))


if __name__ == "__main__":
    main()
