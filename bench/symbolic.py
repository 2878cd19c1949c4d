"""One artifact for all sizes, with code of its own for some and without, beside fixed sizes.

From the repository's root::

    python -m bench.symbolic
    python -m bench.symbolic ResNet-18 encoder --duration 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import click
import numpy as np
from rich.table import Table

import tvmfuse
from bench.command import (
    Benchmark,
    duration_option,
    in_short,
    names_argument,
    show_rows,
    threads_option,
    titled,
    watched,
)
from bench.symbolic_models import CASES, Case
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure.clock import thread_clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Row:
    """One network's figures at some sizes.

    Attributes:
        model: The network.
        sizes: Of its symbolic dimensions.
        static: Microseconds of a run of the artifact of these sizes, their median.
        symbolic: Of the artifact of all sizes.
        specialized: Of one of all sizes with code of its own for each row's.
        ratio: The first one's time by the second one's.
        ratio_specialized: The first one's time by the third one's.
        error: The largest difference between them, by max abs of the first.
        warm: Whether times were stable when the warm-up ended.
    """

    model: str
    sizes: str
    static: float
    symbolic: float
    specialized: float
    ratio: Ratio
    ratio_specialized: Ratio
    error: float
    warm: bool


def measure(case: Case, title: str, *, threads: int, duration_s: float) -> Iterator[Row]:
    """Compare the numbers of the artifacts, then time them in turn, at each of the sizes.

    Raises:
        WrongNumbersError: They differ; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    model = case.make()
    symbolic = tvmfuse.compile(model).load(num_threads=threads)
    special = tvmfuse.compile(model, specialize=case.sizes).load(num_threads=threads)
    for sizes in case.sizes:
        named = ", ".join(f"{name} {size}" for name, size in sizes.items())
        static = tvmfuse.compile(model, dims=sizes).load(num_threads=threads)
        rng = np.random.default_rng(0)
        feeds = {
            v.name: rng.standard_normal(
                [d.dim_value or sizes[d.dim_param] for d in v.type.tensor_type.shape.dim], "float32"
            )
            for v in model.graph.input
        }
        arms = {"static": static, "symbolic": symbolic, "specialized": special}
        done = watched(
            f"{title}, {named}",
            {name: partial(run, feeds) for name, run in arms.items()},
            timed={name: run.bound(feeds) for name, run in arms.items()},
            duration_s=duration_s,
            clock=thread_clock() if threads == 1 else None,
        )
        if done.measured:
            yield Row(
                case.name,
                named,
                1e3 * done.milliseconds("static"),
                1e3 * done.milliseconds("symbolic"),
                1e3 * done.milliseconds("specialized"),
                done.ratio("static", "symbolic"),
                done.ratio("static", "specialized"),
                done.error,
                done.samples.warm,
            )
        if done.samples.interrupted:
            raise KeyboardInterrupt


def table(name: str, rows: Sequence[Row], threads: int) -> Table:
    """Show one network's rows."""
    where = f"threads: {threads}, {cpu_name()}"
    shown = Table(title=f"{name}, {where}", title_justify="left")
    shown.add_column("sizes", overflow="fold")
    times = ("static, us", "symbolic, us", "specialized, us")
    for column in (*times, "static by symbolic", "static by specialized"):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        took = (f"{t:.1f}" for t in (row.static, row.symbolic, row.specialized))
        ratios = map(in_short, (row.ratio, row.ratio_specialized))
        shown.add_row(row.sizes, *took, *ratios)
    return shown


def _rows(cases: Sequence[Case], *, threads: int, duration_s: float) -> Iterator[Row]:
    for case, title in titled(cases):
        yield from measure(case, title, threads=threads, duration_s=duration_s)


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.symbolic", "python -m bench.symbolic ResNet-18 --json"),
)
@names_argument("network", (case.name for case in CASES), "NETWORKS")
@threads_option
@duration_option(0.5, "size")
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], threads: int, duration: float, as_json: bool
) -> None:
    """Time NETWORKS, or all: artifacts of fixed sizes and of all sizes in turn.

    Of all sizes there are two: one as it is, and one with kernels for these sizes, too
    (`specialize`). Inputs are bound once, and each allocates its outputs. Of one thread, the time
    is that for which it had a core, so that others' programs count little. A ratio above 1 is the
    artifact of all sizes ahead. Ctrl-C prints what was measured until then.
    """
    cases = [case for case in CASES if case.name in names]
    work = _rows(cases, threads=threads, duration_s=duration)
    show_rows(ctx, work, partial(table, threads=threads), as_json=as_json, threads=threads)


if __name__ == "__main__":
    main()
