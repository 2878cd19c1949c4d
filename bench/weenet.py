"""A small PyTorch module, compiled with and without fusion, the two timed against each other.

From the repository's root::

    python -m bench.weenet
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final

import click
import numpy as np
import torch
from rich.table import Table
from torch import nn

from bench import machine
from bench.command import Benchmark, duration_option, end, finished, threads_option, titled
from bench.fused_and_unfused import FUSED, FUSIONS, UNFUSED, raced
from bench.variants import Race
from tvmfuse.cli.console import say, show, show_json
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name


class WeeNet(nn.Module):
    """Convolution 3x3, batch norm and ReLU.

    Args:
        channels: Of the input and the output.
        groups: Of the convolution: as many as channels make it depthwise.
    """

    def __init__(self, channels: int, groups: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return an image of as many channels and pixels as `x`, [batch, channels, h, w]."""
        normed: torch.Tensor = self.norm(self.conv(x))
        return normed.relu()


NETWORKS: Final[Mapping[str, Callable[[], WeeNet]]] = {
    "conv + bn + relu": partial(WeeNet, 32, 1),
    "depthwise conv + bn + relu": partial(WeeNet, 32, 32),
}

IMAGE: Final = (1, 32, 56, 56)


@dataclass(frozen=True)
class Times:
    """Milliseconds of one run."""

    mean: float
    median: float
    max: float
    min: float
    std: float

    @classmethod
    def of(cls, done: Race, variant: str) -> Times:
        """Return those of a variant."""
        found = done.samples.milliseconds[:, done.names.index(variant)]
        figures = (np.mean, np.median, np.max, np.min, np.std)
        return cls(*(float(figure(found)) for figure in figures))


@dataclass(frozen=True)
class Row:
    """One network's figures.

    Attributes:
        network: Its name.
        kernels: Launched by the fused one.
        kernels_unfused: Launched by the other.
        fused: Times with fusion.
        unfused: Times without.
        ratio: The unfused one's time by the fused one's.
    """

    network: str
    kernels: int
    kernels_unfused: int
    fused: Times
    unfused: Times
    ratio: Ratio


def measure(name: str, title: str, *, threads: int, duration_s: float) -> Iterator[Row]:
    """Measure one network; see `raced`."""
    torch.manual_seed(0)
    module, image = NETWORKS[name]().eval(), torch.randn(IMAGE)
    for found in raced(
        module, title, threads=threads, duration_s=duration_s, example_inputs=(image,)
    ):
        yield Row(
            name,
            found.kernels,
            found.kernels_unfused,
            Times.of(found.race, FUSED),
            Times.of(found.race, UNFUSED),
            found.race.ratio(UNFUSED, FUSED),
        )


def table(variant: str, rows: Sequence[Row], threads: int) -> Table:
    """Show the times of one variant of each network."""
    where = f"threads: {threads}, {cpu_name()}"
    shown = Table(title=f"{variant}, ms, {where}", title_justify="left")
    shown.add_column("network", no_wrap=True)
    for column in ("kernels", "mean", "median", "max", "min", "std"):
        shown.add_column(column, justify="right")
    for row in rows:
        fused = variant == FUSED
        kernels = row.kernels if fused else row.kernels_unfused
        times = asdict(row.fused if fused else row.unfused).values()
        shown.add_row(row.network, str(kernels), *(f"{time:.4f}" for time in times))
    return shown


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.weenet", "python -m bench.weenet --duration 10 --json"),
)
@threads_option
@duration_option(3.0, "network")
@json_option
@click.pass_context
def main(ctx: click.Context, /, *, threads: int, duration: float, as_json: bool) -> None:
    """Compile two small PyTorch modules with and without fusion, and time both.

    A convolution and a depthwise one, each with batch norm and ReLU. Outputs are compared first;
    then both variants run in turn, on inputs bound once. Ctrl-C prints what was measured until
    then.
    """
    rows, interrupted = finished(
        row
        for name, title in titled(NETWORKS)
        for row in measure(name, title, threads=threads, duration_s=duration)
    )
    if as_json:
        record = {**machine.record(), "threads": threads, "disabled_pass": FUSIONS}
        show_json({**record, "rows": [asdict(row) for row in rows]})
    elif rows:
        for variant in (FUSED, UNFUSED):
            show(table(variant, rows, threads))
        for row in rows:
            say(f"{row.network}: without fusion by with fusion {row.ratio}")
    end(ctx, interrupted=interrupted)


if __name__ == "__main__":
    main()
