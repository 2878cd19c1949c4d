"""What a call under `torch.compile` takes beside its kernels: small modules, with gradients or not.

From the repository's root::

    python -m bench.torch_calls
    python -m bench.torch_calls --weights 5 --mode gradients --duration 10
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import click
import torch
from rich.table import Table
from torch import nn

from bench.command import Benchmark, duration_option, in_short, show_rows, titled, watched
from bench.torch_steps import compiled
from bench.variants import Arrays, repeated
from tvmfuse.cli.options import json_option
from tvmfuse.measure.clock import thread_clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name

MODES: Final = ("inference", "gradients")
OTHERS: Final = ("inductor", "eager")
WEIGHTS: Final = (1, 5, 20)
CALLS: Final = 10
"""In a sample."""


class Products(nn.Module):
    """A chain of products with weights of 4 x 4 and hyperbolic tangents, which take no time.

    Args:
        count: How many weights there are.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(0)
        weights = (torch.randn(4, 4, generator=generator) for _ in range(count))
        self.weights = nn.ParameterList(map(nn.Parameter, weights))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return a tensor of the same shape, [4, 4]."""
        for weight in self.weights:
            x = torch.tanh(x * weight)
        return x


@dataclass(frozen=True)
class Row:
    """The figures of one module.

    Attributes:
        model: How many weights it has.
        mode: "inference", or forward and backward with "gradients".
        microseconds: Of one call, medians, by engine.
        ratios: Each other engine's time by tvmfuse's.
    """

    model: str
    mode: str
    microseconds: dict[str, float]
    ratios: dict[str, Ratio]


def calling(module: nn.Module, engine: str, mode: str) -> Callable[[], Arrays]:
    """Return what calls a module on an engine once, and returns its output, or the gradients."""
    call, weights = compiled(module, engine), tuple(module.parameters())
    x = torch.linspace(-1, 1, 16).view(4, 4)
    along = torch.ones(4, 4)

    def run() -> Arrays:
        if mode == "gradients":
            found = torch.autograd.grad(call(x), weights, along)
        else:
            with torch.no_grad():
                found = (call(x),)
        return {str(place): tensor.numpy() for place, tensor in enumerate(found)}

    return run


def measure(
    count: int, mode: str, title: str, *, others: Sequence[str], duration_s: float
) -> Iterator[Row]:
    """Compare the numbers with eager's, then time all engines in turn.

    Raises:
        WrongNumbersError: They differ; then nothing is timed.
    """
    torch.compiler.reset()
    torch.set_num_threads(1)
    module = Products(count)
    engines = [*dict.fromkeys(("eager", "tvmfuse", *others))]
    runs = {engine: calling(copy.deepcopy(module), engine, mode) for engine in engines}
    timed = {engine: repeated(run, CALLS) for engine, run in runs.items()}
    done = watched(title, runs, timed=timed, duration_s=duration_s, clock=thread_clock())
    if done.measured:
        times = {engine: 1e3 / CALLS * done.milliseconds(engine) for engine in engines}
        ratios = {other: done.ratio(other, "tvmfuse") for other in others}
        yield Row(f"{count} weights", mode, times, ratios)
    if done.samples.interrupted:
        raise KeyboardInterrupt


def table(name: str, rows: list[Row]) -> Table:
    """Show one module's rows."""
    shown = Table(title=f"{name}, one thread, {cpu_name()}", title_justify="left")
    times, ratios = rows[0].microseconds, rows[0].ratios
    for column in ("", *(f"{e}, us" for e in times), *(f"{e} by tvmfuse" for e in ratios)):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        said = (f"{time:.1f}" for time in row.microseconds.values())
        shown.add_row(row.mode, *said, *map(in_short, row.ratios.values()))
    return shown


@click.command(cls=Benchmark)
@click.option("--weights", type=int, multiple=True, default=WEIGHTS, help="Of a module.")
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, default=MODES)
@click.option(
    "--against", "others", type=click.Choice(OTHERS), multiple=True, default=OTHERS,
    help="What to compare with; again for another. Both, if it is not given.",
)  # fmt: skip
@duration_option(5.0, "row")
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, weights: tuple[int, ...], modes: tuple[str, ...],
    others: tuple[str, ...], duration: float, as_json: bool,
) -> None:  # fmt: skip
    """Time calls of small modules under torch.compile: tvmfuse beside inductor and eager, in turn.

    The time is that for which the thread had a core. A ratio above 1 is a win of tvmfuse's.
    """

    def work() -> Iterator[Row]:
        asked = [(count, mode) for count in weights for mode in modes]
        for (count, mode), title in titled(asked):
            yield from measure(count, mode, title, others=others, duration_s=duration)

    show_rows(ctx, work(), table, as_json=as_json, threads=1, torch=torch.__version__)


if __name__ == "__main__":
    main()
