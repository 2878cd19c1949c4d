"""Each layer of a model alone, against onnxruntime: GFLOP/s and the share of what holds it.

From the repository's root::

    python -m bench.kernels resnet50 mobilenetv2 bert
    python -m bench.kernels bert --threads 2 --at-least 20
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import click
import numpy as np
import onnx
import onnxruntime
from rich.table import Table

import tvmfuse
from bench.command import (
    Benchmark,
    duration_option,
    in_short,
    models_argument,
    show_rows,
    threads_option,
    titled,
    watched,
)
from bench.layers import Layer, layers_of
from bench.models import MODELS, onnx_file
from bench.variants import BATCH_S, Arrays, repeated
from tvmfuse.cli.console import working
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure import peak
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name

RUNS: Final = 21
"""Runs of which the parts of a layer's kernels are medians."""


@dataclass(frozen=True)
class Row:
    """One layer's figures.

    Attributes:
        model: Whose layer it is.
        layer: The operator and its sizes.
        count: How often it occurs in the model.
        mflop: Of one run.
        mbytes: Read and written by one run, each operand once.
        milliseconds: Median of one run of ours.
        gflops: GFLOP/s of ours.
        own: The part of a run that its longest kernel takes. The others lay channels in blocks and
            back, which in a model happens once for many convolutions.
        share: The time of what holds it by that kernel's, measured in the same rounds.
        limit: What holds it: "peak", multiply-adds on all threads, or "copy", of as many bytes.
        ratio: onnxruntime's time by ours.
        schedule: The schedules that its kernels took.
        error: The largest difference from onnxruntime's numbers, by max abs of the reference.
        warm: Whether times were stable when the warm-up ended.
    """

    model: str
    layer: str
    count: int
    mflop: float
    mbytes: float
    milliseconds: float
    gflops: float
    own: float
    share: float
    limit: str
    ratio: Ratio
    schedule: str
    error: float
    warm: bool


def measure(
    name: str, title: str, layer: Layer, count: int, *, target: str, threads: int, duration_s: float
) -> Iterator[Row]:
    """Compare a layer's numbers with onnxruntime's, then time both and the peaks, interleaved.

    Raises:
        WrongNumbersError: They differ; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    model = layer.model()
    with working(title) as progress:
        artifact = tvmfuse.compile(model, target=target, progress=progress)
    ours = artifact.load(num_threads=threads)
    feeds = random_inputs(ours.inputs, seed=1)
    theirs, bound = _onnxruntime(model, layer, feeds, threads)
    loop, flop = peak.multiply_adds(target, threads)
    calls = _calls(layer)
    done = watched(
        title,
        {"onnxruntime": theirs, "ours": lambda: ours(feeds)},
        timed={
            "ours": repeated(ours.bound(feeds), calls),
            "onnxruntime": repeated(bound, calls),
            "copy": repeated(peak.copy(layer.nbytes, threads, target), calls),
            "peak": loop,
        },
        duration_s=duration_s,
    )
    if done.measured:
        took, _, copies, loops = done.samples.milliseconds.T / [[calls], [calls], [calls], [1]]
        limit, held = _held(layer, loops * layer.flop / flop, copies)
        own = _own_part(ours, feeds)
        yield Row(
            name,
            str(layer),
            count,
            layer.flop / 1e6,
            layer.nbytes / 1e6,
            float(np.median(took)),
            float(np.median(layer.flop / took)) / 1e6,
            own,
            float(np.median(held / took)) / own,  # paired: of each round's own peak
            limit,
            done.ratio("onnxruntime", "ours"),
            ", ".join(k.schedule for k in artifact.manifest.kernels),
            done.error,
            done.samples.warm,
        )
    if done.samples.interrupted:
        raise KeyboardInterrupt


def _own_part(model: tvmfuse.Executable, feeds: Arrays) -> float:
    runs = [[spent for _, _, spent in model.timed(feeds).launches] for _ in range(RUNS)]
    kernels = np.median(runs, axis=0)
    return float(kernels.max() / kernels.sum())


def _calls(layer: Layer) -> int:
    """Return how many calls make a sample, by what a fast core does at most."""
    least_s = max(layer.flop / 1e11, layer.nbytes / 5e10, 5e-6)
    return max(1, round(BATCH_S / least_s))


def _held(layer: Layer, peaks: np.ndarray, copies: np.ndarray) -> tuple[str, np.ndarray]:
    """Return what holds a layer, and for each round the time that it takes at least."""
    if layer.limit == "slower":
        slower = "copy" if np.median(copies) > np.median(peaks) else "peak"
        return slower, np.maximum(peaks, copies)
    return layer.limit, copies if layer.limit == "copy" else peaks


def _onnxruntime(
    model: onnx.ModelProto, layer: Layer, feeds: Arrays, threads: int
) -> tuple[Callable[[], Arrays], Callable[[], None]]:
    """Return what runs the operator once and gives its output, and what is timed: it bound."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    binding = session.io_binding()
    for name, array in feeds.items():
        binding.bind_cpu_input(name, array)
    output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(layer.output, np.float32)
    binding.bind_ortvalue_output("y", output)
    return (
        lambda: {"y": session.run(None, dict(feeds))[0]},
        lambda: session.run_with_iobinding(binding),
    )


def table(name: str, rows: Sequence[Row], threads: int) -> Table:
    """Show one model's rows."""
    where = f"threads: {threads}, {cpu_name()}"
    shown = Table(title=f"{name}: its layers alone, {where}", title_justify="left", padding=(0, 0))
    shown.add_column("layer", overflow="fold")
    for column in ("n", "us", "GFLOP/s", "own"):
        shown.add_column(column, justify="right", no_wrap=True)
    shown.add_column("share of", no_wrap=True)
    shown.add_column("onnxruntime by ours", no_wrap=True)
    shown.add_column("schedule", overflow="fold")
    for row in rows:
        figures = (f"{1e3 * row.milliseconds:.1f}", f"{row.gflops:.1f}", f"{row.own:.0%}")
        share = f"{row.share:4.0%} {row.limit}"
        shown.add_row(row.layer, str(row.count), *figures, share, in_short(row.ratio), row.schedule)
    return shown


def _rows(
    names: Sequence[str], at_least: float, *, target: str, threads: int, duration_s: float
) -> Iterator[Row]:
    for name in names:
        with working(f"{name}: its layers"):
            found = layers_of(onnx_file(name, size="full"), MODELS[name].inputs("full"))
        layers = [layer for layer in found if layer.flop >= at_least * 1e6]
        for layer, place in titled(layers):
            yield from measure(
                name,
                f"{name}: {place}",
                layer,
                found[layer],
                target=target,
                threads=threads,
                duration_s=duration_s,
            )


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.kernels resnet50 mobilenetv2 bert",
        "python -m bench.kernels bert --threads 2 --at-least 20 --json",
    ),
)
@models_argument
@threads_option
@click.option("--target", default="llvm", show_default=True, help="As tvmfuse.compile takes it.")
@click.option(
    "--at-least", type=click.FloatRange(min=0), default=0.0, metavar="MFLOP",
    help="Leave out layers of fewer operations, elementwise ones first.",
)  # fmt: skip
@duration_option(1.0, "layer")
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], threads: int, target: str, at_least: float,
    duration: float, as_json: bool,
) -> None:  # fmt: skip
    """Time each layer of the models NAMES, or of all, alone: ours and onnxruntime's in turn.

    Convolutions, matrix products and elementwise operators, at the sizes that they have in the
    model, each as a model of one operator. Both sides' inputs are bound once. "own" is the part of
    a run that the longest kernel takes; the rest are reorders of channels. That kernel's share is
    of the multiply-adds that a loop on registers reaches in the same run ("peak"); for elementwise
    operators, that of a copy of as many bytes ("copy"); for depthwise convolutions, and matrices
    times one row, of the slower one of both. Ctrl-C prints what was measured until then.
    """
    work = _rows(names, at_least, target=target, threads=threads, duration_s=duration)
    given = partial(table, threads=threads)
    show_rows(ctx, work, given, as_json=as_json, threads=threads, target=target)


if __name__ == "__main__":
    main()
