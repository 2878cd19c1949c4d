"""Does the measurement tell the truth? Identical variants, and a slowdown that was planted.

From the repository's root::

    python -m bench.aa
    python -m bench.aa --comparisons 20 --json

At 99 % one of a hundred comparisons of identical code claims a difference, and more than 5 do with
a chance of 0.05 %.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

import click
import numpy as np
from rich.table import Table

import tvmfuse
from bench import machine
from bench.command import Benchmark, end, finished
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.options import examples, json_option, threads_option
from tvmfuse.demo import wee_net
from tvmfuse.measure import Comparison, Variant, compare
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.progress import Step

SLOWDOWN: Final = 1.1
CLAIMS: Final = 0.05
"""Of the comparisons of identical variants, that may claim a difference."""
FOUND: Final = 0.95
"""Of the planted slowdowns, that have to be found."""

Run = Callable[[], Mapping[str, np.ndarray]]


@dataclass(frozen=True)
class Verdict:
    """What one comparison claimed.

    Attributes:
        planted: Whether the second variant was slowed down.
        claimed: Whether the interval lies beyond 1; of a planted slowdown, above it.
        median: The ratio.
        low: Of its interval.
        high: Likewise.
        pairs: How many it was made of.
        notes: What the watch over the machine said.
    """

    planted: bool
    claimed: bool
    median: float
    low: float | None
    high: float | None
    pairs: int
    notes: tuple[str, ...]


def slowed(run: Run, extra_ns: float) -> Run:
    """Return the run with a busy loop of so many nanoseconds behind it."""

    def slow() -> Mapping[str, np.ndarray]:
        outputs = run()
        end_ns = time.perf_counter_ns() + extra_ns
        while time.perf_counter_ns() < end_ns:
            pass
        return outputs

    return slow


def calibrated(run: Run, calls: int = 200) -> float:
    """Return the median nanoseconds of a run."""
    times = []
    for _ in range(calls):
        begin = time.perf_counter_ns()
        run()
        times.append(time.perf_counter_ns() - begin)
    return float(np.median(times))


def verdict(first: Run, *, planted: bool, duration_s: float, seed: int) -> Verdict:
    """Compare a run with itself, or with itself slowed down."""
    # As much as the machine's speed of this moment asks for, not of the beginning.
    second = slowed(first, (SLOWDOWN - 1) * calibrated(first)) if planted else first
    done: Comparison = compare(
        Variant("first", first), Variant("second", second), duration_s=duration_s, least_rounds=32,
        warm_up_s=0.5, seed=seed,
    )  # fmt: skip
    if done.ratio is None or done.interrupted:
        raise KeyboardInterrupt
    ratio = done.ratio
    claimed = ratio.low is not None and ratio.low > 1 if planted else ratio.effect
    return Verdict(planted, claimed, ratio.median, ratio.low, ratio.high, ratio.pairs,
                   done.machine.notes)  # fmt: skip


def share(verdicts: list[Verdict], *, planted: bool) -> tuple[int, int]:
    """Count the claims, and the comparisons, of identical or of planted variants."""
    of = [v for v in verdicts if v.planted == planted]
    return sum(v.claimed for v in of), len(of)


def holds(verdicts: list[Verdict]) -> bool:
    """Whether few enough differences were claimed and slowdowns enough found."""
    claims, same = share(verdicts, planted=False)
    found, slow = share(verdicts, planted=True)
    return claims <= CLAIMS * same and found >= FOUND * slow


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.aa", "python -m bench.aa --comparisons 20 --json"),
)
@click.option("--comparisons", type=click.IntRange(min=1), default=100, show_default=True,
              help="Of identical variants, and as many with a planted slowdown.")  # fmt: skip
@click.option("--duration", type=click.FloatRange(min=0, min_open=True), default=1.0,
              show_default=True, metavar="SECONDS", help="For each comparison.")  # fmt: skip
@threads_option
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, comparisons: int, duration: float, threads: int | None, as_json: bool
) -> None:
    """Compare the demo with itself, again and again, and with itself 10 % slower.

    The second is slowed by a busy loop of a tenth of the run's time, calibrated before each
    comparison. Identical code may claim a difference in 5 of 100 comparisons, and the slowdown has
    to be found in 95. Exits with 1 where that does not hold.
    """
    executable = tvmfuse.compile(wee_net()).load(num_threads=threads)
    feeds = random_inputs(executable.inputs)
    with working(f"comparing {2 * comparisons} times") as progress:

        def one(number: int) -> Verdict:
            progress(Step(f"{number} done", number / (2 * comparisons)))
            run = lambda: executable(feeds)  # noqa: E731
            return verdict(run, planted=number % 2 == 1, duration_s=duration, seed=number)

        verdicts, interrupted = finished(map(one, range(2 * comparisons)))
    if as_json:
        shares = {"claims": share(verdicts, planted=False), "found": share(verdicts, planted=True)}
        rows = [asdict(v) for v in verdicts]
        show_json({**machine.record(), **shares, "holds": holds(verdicts), "rows": rows})
    else:
        show(_table(verdicts))
        say("It holds." if holds(verdicts) else "It does not hold.")
    end(ctx, interrupted=interrupted)
    ctx.exit(0 if holds(verdicts) else 1)


def _table(verdicts: list[Verdict]) -> Table:
    table = Table(title="what comparisons claim", title_justify="left")
    for column in ("variants", "claim a difference", "allowed", "median ratio", "noisy"):
        table.add_column(column, justify="left" if column == "variants" else "right")
    for planted, name, allowed in (
        (False, "identical", f"at most {CLAIMS:.0%}"),
        (True, f"the second {SLOWDOWN - 1:.0%} slower", f"at least {FOUND:.0%}"),
    ):
        of = [v for v in verdicts if v.planted == planted]
        claims, count = share(verdicts, planted=planted)
        median = f"{np.median([v.median for v in of]):.3f}" if of else "-"
        noisy = str(sum(bool(v.notes) for v in of))
        table.add_row(name, f"{claims} of {count}", allowed, median, noisy)
    return table


if __name__ == "__main__":
    main()
