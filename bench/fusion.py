"""What fusing operators gains: the TVM paper's figure, on this machine.

From the repository's root::

    python -m bench.fusion
    python -m bench.fusion --picture fusion.svg
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.table import Table

from bench import machine
from bench.command import Benchmark, duration_option, end, finished, threads_option, titled
from bench.fused_and_unfused import FUSED, FUSIONS, UNFUSED, raced
from bench.picture import picture_option, speedups
from bench.workloads import WORKLOADS
from tvmfuse.cli.console import say, show, show_json
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Row:
    """One workload's figures.

    Attributes:
        workload: Its name.
        kernels: Launched by the fused one.
        kernels_unfused: Launched by the other.
        milliseconds: Median of one run of the fused one.
        milliseconds_unfused: Of the other.
        ratio: The unfused one's time by the fused one's.
        error: The largest difference of their numbers, by max abs of the reference.
        warm: Whether times were stable when the warm-up ended.
    """

    workload: str
    kernels: int
    kernels_unfused: int
    milliseconds: float
    milliseconds_unfused: float
    ratio: Ratio
    error: float
    warm: bool


def measure(name: str, title: str, *, threads: int, duration_s: float) -> Iterator[Row]:
    """Measure one workload; see `raced`."""
    for found in raced(WORKLOADS[name](), title, threads=threads, duration_s=duration_s):
        yield Row(
            name,
            found.kernels,
            found.kernels_unfused,
            found.race.milliseconds(FUSED),
            found.race.milliseconds(UNFUSED),
            found.race.ratio(UNFUSED, FUSED),
            found.race.error,
            found.race.samples.warm,
        )


def table(rows: Sequence[Row], threads: int) -> Table:
    """Show the rows."""
    where = f"threads: {threads}, {cpu_name()}"
    shown = Table(title=f"operator fusion, {where}", title_justify="left")
    shown.add_column("workload", no_wrap=True)
    for column in ("kernels", "fused, us", "unfused, us"):
        shown.add_column(column, justify="right")
    shown.add_column("unfused by fused")
    for row in rows:
        times = (f"{1e3 * t:.1f}" for t in (row.milliseconds, row.milliseconds_unfused))
        kernels = f"{row.kernels} and {row.kernels_unfused}"
        shown.add_row(row.workload, kernels, *times, str(row.ratio))
    return shown


def draw(rows: Sequence[Row], file: Path, threads: int) -> None:
    """Draw the rows."""
    speedups(
        {
            f"{row.workload}\n{row.kernels_unfused} kernels to {row.kernels}": row.ratio
            for row in rows
        },
        file,
        title=f"What operator fusion gains; threads: {threads}, {cpu_name()}",
        axis="unfused time by fused time, 99 % interval",
    )


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.fusion",
        "python -m bench.fusion --duration 10 --picture fusion.svg",
    ),
)
@threads_option
@duration_option(5.0, "workload")
@picture_option
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, threads: int, duration: float, picture: Path | None, as_json: bool
) -> None:
    """Time four small workloads with and without operator fusion.

    They are those of the fusion figure in the TVM paper (Chen et al., OSDI 2018, section 3):
    convolution, batch norm and ReLU, 1x1 and depthwise; an RNN cell and an LSTM cell. Both variants
    compile at level all; one of them with each pass disabled whose name speaks of fusion. Their
    outputs are compared, then they run in turn, on inputs bound once: the smallest take 5 us, less
    than Python takes to check an input. Ctrl-C prints what was measured until then.
    """
    rows, interrupted = finished(
        row
        for name, title in titled(WORKLOADS)
        for row in measure(name, title, threads=threads, duration_s=duration)
    )
    if as_json:
        record = {**machine.record(), "threads": threads, "disabled_pass": FUSIONS}
        show_json({**record, "rows": [asdict(row) for row in rows]})
    elif rows:
        show(table(rows, threads))
        for row in rows:
            if not row.warm:
                say(f"{row.workload}: times had not become stable when the warm-up ended.")
    if picture and rows:
        draw(rows, picture, threads)
    end(ctx, interrupted=interrupted)


if __name__ == "__main__":
    main()
