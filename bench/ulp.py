"""How far elementary functions are from their exact values, over all numbers of float32.

From the repository's root::

    python -m bench.ulp
    python -m bench.ulp Tanh Gelu --targets avx2 --every 64
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import click
import numpy as np
import torch

import tvmfuse
from bench import machine
from bench.command import Benchmark, chosen_option, end, finished, names_argument
from bench.elementary import FUNCTIONS, Array, Function
from tvmfuse.cli.console import measuring, show_json
from tvmfuse.cli.options import examples, json_option
from tvmfuse.progress import Progress, Step

CHUNK: Final = 1 << 20
RUN: Final = 1 << 8
TARGETS: Final = ("avx2", "avx512")


@dataclass(frozen=True)
class Row:
    """One function on one target.

    Attributes:
        model: The function.
        target: For which it is compiled.
        count: Of how many numbers.
        error: The largest one, in units of the exact value's last place.
        at: Where it is.
        special: How many results are not the exact NaN, infinity or signed zero.
        special_at: The first of them.
        back: The largest step, in such units, against the direction in which the function runs.
        back_at: Where it is.
    """

    model: str
    target: str
    count: int = 0
    error: float = 0.0
    at: float | None = None
    special: int = 0
    special_at: float | None = None
    back: float | None = None
    back_at: float | None = None


@dataclass
class Tally:
    """What has been found of one function on one target; see `Row`."""

    run: Callable[[Array], Array]
    rises: bool | None
    count: int = 0
    error: float = 0.0
    at: float | None = None
    special: int = 0
    special_at: float | None = None
    back: float = 0.0
    back_at: float | None = None

    def take(self, x: Array, exact: Array, unit: Array) -> None:
        """Compare the results of some numbers, in the order of their bits."""
        found = self.run(x)
        self.count += len(x)
        number = np.isfinite(exact) & (exact != 0)
        wide = _bounded(found.astype("float64"))
        error = np.abs(wide - _bounded(exact)) / unit
        error[~number] = 0
        error[number & np.isnan(found)] = np.inf
        place = int(np.argmax(error))
        if error[place] > self.error:
            self.error, self.at = float(error[place]), float(x[place])
        same = (found == exact) & (np.signbit(found) == np.signbit(exact))
        wrong = ~(number | same | (np.isnan(found) & np.isnan(exact)))
        if wrong.any():
            self.special += int(wrong.sum())
            self.special_at = (
                float(x[np.argmax(wrong)]) if self.special_at is None else self.special_at
            )
        if self.rises is not None:
            self._step(x, wide, unit)

    def _step(self, x: Array, wide: Array, unit: Array) -> None:
        with np.errstate(invalid="ignore"):
            steps = np.diff(wide) / unit[1:]
        outward = self.rises != (x[0] < 0 or np.signbit(x[0]))
        back = np.nan_to_num(-steps if outward else steps, nan=0.0, posinf=0.0, neginf=0.0)
        place = int(np.argmax(back))
        if back[place] > self.back:
            self.back, self.back_at = float(back[place]), float(x[place + 1])

    def row(self, name: str, target: str) -> Row:
        """Return the figures."""
        back = None if self.rises is None else self.back
        return Row(
            name, target, self.count, self.error, self.at,
            self.special, self.special_at, back, self.back_at,
        )  # fmt: skip


def sweep(
    name: str, function: Function, targets: Sequence[str], every: int, progress: Progress
) -> list[Row]:
    """Compare one function's values with the exact ones, of one run of numbers out of `every`."""
    tallies = {t: Tally(_runner(function, t), function.rises) for t in targets}
    count = (1 << 32) // every
    for start in range(0, count, CHUNK):
        progress(Step(name, start / count))
        # One number is in two chunks, so that no step between two is lost.
        first = start - 1 if start % (count // 2) else start
        place = np.arange(first, first + CHUNK)
        bits = place // RUN * RUN * every + place % RUN
        x = bits.astype("uint32").view("float32")
        with np.errstate(all="ignore"):
            exact = np.asarray(function.exact(x.astype("float64")))
            unit = units(exact)
            for tally in tallies.values():
                tally.take(x, exact, unit)
    return [tally.row(name, target) for target, tally in tallies.items()]


def units(exact: Array) -> Array:
    """Return the distance of neighbours in float32 where some values lie."""
    power = (exact.view("int64") & (0x7FF << 52)).view("float64")
    found: Array = np.clip(power, 2.0**-126, 2.0**127) * 2.0**-23
    return found


def _bounded(x: Array) -> Array:
    """Take what is too large for float32, or infinite, for the number that would come next."""
    found: Array = np.clip(x, -(2.0**128), 2.0**128)
    return found


def _runner(function: Function, target: str) -> Callable[[Array], Array]:
    model, given = function.model(CHUNK), dict[str, Any]()
    if isinstance(model, torch.nn.Module):
        given["example_inputs"] = (torch.zeros(CHUNK),)
    executable = tvmfuse.compile(model, target, **given).load()
    (spec,) = executable.manifest.inputs

    def run(x: Array) -> Array:
        (result,) = executable({spec.name: x}).values()
        return result

    return run


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| function | target | largest error, ULP | at | wrong ends | step back, ULP | at |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for row in rows:
        error = f"{row.error:.2f}" if row.error < 1000 else f"{row.error:.2g}"
        special = f"{row.special} ({_number(row.special_at)})" if row.special else "0"
        back = "" if row.back is None else f"{row.back:.3g}"
        cells = (row.model, row.target, error, _number(row.at), special, back, _number(row.back_at))
        yield f"| {' | '.join(cells)} |"


def _number(x: float | None) -> str:
    return "" if x is None else f"{x:.9g}"


def _rows(names: Sequence[str], targets: Sequence[str], every: int) -> Iterator[Row]:
    with measuring() as progress:
        for name in names:
            yield from sweep(name, FUNCTIONS[name], targets, every, progress)


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.ulp", "python -m bench.ulp Tanh Gelu --every 64"),
)
@names_argument("function", FUNCTIONS, "FUNCTIONS")
@chosen_option("--targets", "target", TARGETS, ",".join(TARGETS), "what it is compiled for.")
@click.option(
    "--every", type=click.Choice([str(1 << n) for n in range(11)]), default="1",
    show_default=True, metavar="N", callback=lambda _, __, value: int(value),
    help=f"Take one run of {RUN} neighbours out of N, a power of two up to 1024; 1 is all numbers.",
)  # fmt: skip
@json_option
@click.pass_context
def main(
    ctx: click.Context,
    /,
    *,
    names: tuple[str, ...],
    targets: tuple[str, ...],
    every: int,
    as_json: bool,
) -> None:
    """Compare FUNCTIONS, or all, with their exact values, over all 2**32 numbers of float32."""
    rows, interrupted = finished(_rows(names, targets, every))
    if as_json:
        show_json({**machine.record(), "every": every, "rows": [asdict(row) for row in rows]})
    else:
        click.echo("\n".join(table(rows)))
    end(ctx, interrupted=interrupted)


if __name__ == "__main__":
    main()
