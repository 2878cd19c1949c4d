"""A model's kernels where they stand: time, GFLOP/s, and the share of the peak.

What a kernel reads in a model was just computed in the layout that the passes chose, and its
weights come from far away. `tvmfuse profile` counts what a kernel does; here it is what ONNX's
operators take, with their sizes, so that kernels that do it in other ways are compared. From the
repository's root::

    python -m bench.in_model resnet50 bert
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import click
from rich.console import JustifyMethod
from rich.table import Table

from bench.command import (
    Benchmark,
    duration_option,
    models_argument,
    show_rows,
    threads_option,
    titled,
)
from bench.layers import PRODUCTS, Layer, layers_by_node
from bench.models import MODELS, onnx_file
from tvmfuse.cli.console import measuring, working
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure import profile
from tvmfuse.measure.results.profile import Line
from tvmfuse.progress import within
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Row:
    """One kernel's figures.

    Attributes:
        model: Whose kernel it is.
        kernel: The function's name.
        layer: The operator and its sizes, of the products that it computes.
        nodes: The ONNX nodes that it computes.
        schedule: The schedule that it took.
        microseconds: Median of one launch.
        part: Of all kernels' time.
        mflop: Of its convolutions and matrix products, as ONNX defines them; 0 without.
        share: Of the multiply-adds at peak; above 1 where Winograd does fewer of them.
    """

    model: str
    kernel: str
    layer: str
    nodes: tuple[str, ...]
    schedule: str
    microseconds: float
    part: float
    mflop: float
    share: float


def measure(
    name: str, title: str, *, target: str, threads: int, batch: int, duration_s: float
) -> Iterator[Row]:
    """Profile a model, and set ONNX's operations against the peak.

    Raises:
        KeyboardInterrupt: After what was measured until then.
    """
    path = onnx_file(name, size="full", batch=batch)
    feeds = MODELS[name].inputs("full", batch=batch)
    with working(f"{title}: its layers"):
        layers = layers_by_node(path, feeds)
    with measuring() as report:
        found = profile(
            path,
            target=target,
            threads=threads,
            inputs=feeds,
            duration_s=duration_s,
            progress=within(title, report),
        )
    if found.peaks is not None:
        yield from _rows(name, found.launches, found.peaks.gflops, layers)
    if found.interrupted:
        raise KeyboardInterrupt


def _rows(
    name: str, launches: Sequence[Line], peak: float, layers: Mapping[str, Layer]
) -> Iterator[Row]:
    whole = sum(line.microseconds for line in launches)
    for line in launches:
        products = [layers[n] for n in line.nodes if n in layers and layers[n].kind in PRODUCTS]
        mflop = sum(layer.flop for layer in products) / 1e6
        yield Row(
            name,
            line.kernel,
            ", ".join(map(str, products)),
            line.nodes,
            line.schedule,
            line.microseconds,
            line.microseconds / whole,
            mflop,
            1e3 * mflop / line.microseconds / peak,
        )


def table(name: str, rows: Sequence[Row], threads: int, least: float) -> Table:
    """Show one model's kernels, those that take at least a part of the time, the slowest first."""
    where = f"threads: {threads}, {cpu_name()}"
    shown = Table(title=f"{name}: its kernels in place, {where}", title_justify="left")
    columns: tuple[tuple[str, JustifyMethod], ...] = (
        ("kernel", "left"), ("us", "right"), ("part", "right"), ("GFLOP/s", "right"),
        ("of the peak", "right"), ("layer", "left"), ("schedule", "left"),
    )  # fmt: skip
    for column, side in columns:
        shown.add_column(column, justify=side, overflow="fold", no_wrap=side == "right")
    for row in sorted(rows, key=lambda row: -row.part):
        if row.part < least:
            continue
        speed = ("", "")
        if row.mflop:
            speed = (f"{1e3 * row.mflop / row.microseconds:.1f}", f"{row.share:.0%}")
        took = (f"{row.microseconds:.1f}", f"{row.part:.1%}")
        shown.add_row(row.kernel, *took, *speed, row.layer, row.schedule)
    return shown


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.in_model resnet50",
        "python -m bench.in_model bert --threads 2 --json",
    ),
)
@models_argument
@threads_option
@click.option("--target", default="llvm", show_default=True, help="As tvmfuse.compile takes it.")
@click.option(
    "--batch", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="Images or texts in one run.",
)  # fmt: skip
@click.option(
    "--least", type=click.FloatRange(0, 100), default=0.5, show_default=True, metavar="PERCENT",
    help="Leave out of the table what takes less of the time.",
)  # fmt: skip
@duration_option(5.0, "model")
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], threads: int, target: str, batch: int,
    least: float, duration: float, as_json: bool,
) -> None:  # fmt: skip
    """Time each kernel of the models NAMES, or of all, where it stands in the model.

    The whole model runs, in turn with a loop of multiply-adds on registers. The share is that of
    what the loop reaches, by the operations that ONNX's operators take: Winograd's may be above
    100 %. Ctrl-C prints what was measured until then.
    """

    def work() -> Iterator[Row]:
        for name, title in titled(names):
            yield from measure(
                name, title, target=target, threads=threads, batch=batch, duration_s=duration
            )

    given = partial(table, threads=threads, least=least / 100)
    environment = {"threads": threads, "target": target, "batch": batch}
    show_rows(ctx, work(), given, as_json=as_json, **environment)


if __name__ == "__main__":
    main()
