"""How compiling, batches of rows and serving scale: simulated for up to 1,000 nodes.

Measured here with 1 and 2 workers, simulated for the same and compared, and then simulated for
nodes of two cores that are not here. `docs/scale.md` says what to make of it::

    python -m bench.scale --json > scale.json
    python -m bench.scale --from scale.json --markdown

It takes the extras ``bench`` and ``ray``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
import numpy as np
from rich.table import Table

from bench.command import Benchmark
from bench.scale_measured import BLOCKS, MOST, ROWS, measure
from bench.scale_models import WORKERS, Done, Pool, Queue, Router, Task
from bench.scale_record import Measured
from tvmfuse.cli.console import show, show_json
from tvmfuse.cli.options import examples, existing_file, json_option

NODES: Final = (1, 10, 100, 1000)
USES: Final = (0.5, 0.8, 0.95)

COMPILATIONS: Final = 10_000
KINDS: Final = 2_000
"""Of models: those of one kind share kernels; the n-th is drawn 1 / n as often as the first."""
FARM_DISPATCH_S: Final = 1e-3
STORAGE: Final = 1e9
"""Bytes a second, of all nodes together."""
LINK: Final = 1.25e9
"""Bytes a second, of each: 10 Gbit/s."""
SLOW: Final = 0.02
SLOW_BY: Final = 3.0
AHEAD: Final = 2
"""Blocks that Ray Data hands to an actor beyond the one that it works on."""
ALL_ROWS: Final = 200_000_000
REQUESTS: Final = 20_000
"""At least, of which the first third is left out."""


@dataclass(frozen=True)
class Figures:
    """A table of words and numbers."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def table(self) -> Table:
        """Return it for the terminal."""
        shown = Table(title=self.title, title_justify="left")
        for place, name in enumerate(self.head):
            shown.add_column(name, justify="right" if place else "left")
        for cells in self.rows:
            shown.add_row(*cells)
        return shown

    def markdown(self) -> str:
        """Return the title, and the table under it."""
        ruled = ["---", *["--:"] * (len(self.head) - 1)]
        lines = [f"| {' | '.join(cells)} |" for cells in (self.head, ruled, *self.rows)]
        return "\n".join([f"**{self.title}**", "", *lines])


def compared(measured: Measured) -> Figures:
    """Simulate what was measured, and set both beside each other."""
    rows = []
    cold = [arm for arm in measured.farm if not arm.kept]
    for farm in cold:
        tasks = [Task(seconds) for seconds in cold[0].cpu]
        done = Pool(stretch=farm.stretch).run(tasks, farm.workers)
        what = f"{len(tasks)} compilations, {_workers(farm.workers)}"
        rows.append(_pair(what, farm.seconds, done.seconds, "s", f"{farm.stretch:.2f}"))
    for run in measured.batches:
        tasks = [Task(measured.batches[0].block_s)] * BLOCKS
        pool = replace(rows_pool(measured), start_s=run.start_s, stretch=run.stretch)
        done = pool.run(tasks, run.actors)
        what = f"{ROWS:,} rows, {_workers(run.actors)}"
        rows.append(_pair(what, run.seconds, done.seconds, "s", f"{run.stretch:.2f}"))
    for one in measured.serving:
        queue = Queue(one.base_s, one.row_s, one.spread, MOST)
        quantiles = 1e3 * np.quantile(queue.run(one.rate, one.replicas, REQUESTS), (0.5, 0.99))
        for name, ours, theirs in zip(("p50", "p99"), one.milliseconds, quantiles, strict=True):
            what = f"{one.rate:.0f} requests/s, {_workers(one.replicas)}, {name}"
            rows.append(_pair(what, ours, theirs, "ms", ""))
    head = ["", "measured", "simulated", "simulated / measured", "stretch"]
    return Figures("Simulated and measured, on this machine", head, rows)


def _pair(what: str, measured: float, simulated: float, unit: str, stretch: str) -> list[str]:
    ratio = f"{simulated / measured:.2f}"
    return [what, f"{measured:.1f} {unit}", f"{simulated:.1f} {unit}", ratio, stretch]


def _workers(count: int) -> str:
    return f"{count} worker" + "s" * (count > 1)


def farm_pool(measured: Measured) -> Pool:
    """Return the compile farm: what was measured, and what is taken for granted of a cluster."""
    cold, warm = ([arm for arm in measured.farm if arm.kept is kept][-1] for kept in (False, True))
    return Pool(
        start_s=measured.worker_s,
        dispatch_s=FARM_DISPATCH_S,
        nbytes=2 * measured.nbytes,  # a model comes, and a file of about its size goes
        storage=STORAGE,
        link=LINK,
        kept=sum(warm.cpu) / sum(cold.cpu),
        slow=SLOW,
        slow_by=SLOW_BY,
    )


def compilations(measured: Measured) -> list[Task]:
    """Draw compilations: logarithms of seconds as they were measured, kinds by Zipf's law."""
    rng = np.random.default_rng(0)
    logs = np.log(next(arm.cpu for arm in measured.farm if not arm.kept))
    seconds = np.exp(rng.normal(logs.mean(), logs.std(ddof=1), KINDS))
    often = 1 / np.arange(1, KINDS + 1)
    kinds = rng.choice(KINDS, COMPILATIONS, p=often / often.sum())
    return [Task(float(seconds[kind]), int(kind)) for kind in kinds]


def farm(measured: Measured) -> Iterator[Figures]:
    """Yield the compile farm's tables: as given, and with longest first."""
    tasks = compilations(measured)
    longest_first = sorted(tasks, key=lambda task: -task.seconds)
    for title, given in (("in any order", tasks), ("the longest first", longest_first)):
        rows = [_row(n, farm_pool(measured).run(given, n * WORKERS)) for n in NODES]
        head = ["nodes", "time", "cores busy", "kernels kept", "what bounds it"]
        yield Figures(f"{COMPILATIONS:,} compilations, {title}", head, rows)


def _row(nodes: int, done: Done) -> list[str]:
    busy = f"{done.worked / (done.seconds * nodes * WORKERS):.0%}"
    return [str(nodes), _time(done.seconds), busy, f"{done.kept:.0%}", done.limit]


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 3600:.1f} h"


def rows_pool(measured: Measured) -> Pool:
    """Return Ray Data's actors, as they were measured."""
    return Pool(start_s=measured.actor_s, dispatch_s=measured.dispatch_s, ahead=AHEAD)


def batches(measured: Measured) -> Iterator[Figures]:
    """Yield a table for each size of blocks and of rows."""
    small = ROWS // BLOCKS
    for block, nbytes in ((small, 192), (16 * small, 192), (16 * small, 3072)):
        pool = replace(
            rows_pool(measured), nbytes=block * nbytes, storage=STORAGE, link=LINK,
            slow=SLOW, slow_by=SLOW_BY,
        )  # fmt: skip
        tasks = [Task(measured.batches[0].block_s * block / small)] * (ALL_ROWS // block)
        rows = []
        for nodes in NODES:
            done = pool.run(tasks, nodes * WORKERS)
            rate = f"{ALL_ROWS / done.seconds:,.0f}"
            cells = _row(nodes, done)
            rows.append([cells[0], rate, *cells[1:3], cells[4]])
        head = ["nodes", "rows/s", "time", "cores busy", "what bounds it"]
        yield Figures(f"{ALL_ROWS:,} rows of {nbytes} bytes in blocks of {block:,}", head, rows)


def serving(measured: Measured) -> Iterator[Figures]:
    """Yield latencies by how busy the replicas are, and by who waits where."""

    def cell(router: Router, nodes: int, use: float) -> str:
        queue = Queue(measured.base_s, measured.row_s, measured.spread, MOST, router)
        replicas = nodes * WORKERS
        latencies = queue.run(
            use * queue.capacity(replicas), replicas, max(REQUESTS, 100 * replicas)
        )
        p50, p99 = 1e3 * np.quantile(latencies[len(latencies) // 3 :], (0.5, 0.99))
        return f"{p50:.1f} / {p99:.1f}"

    head = ["nodes", *(f"{use:.0%} busy" for use in USES)]
    rows = [[str(n), *(cell("two choices", n, use) for use in USES)] for n in NODES]
    yield Figures("Latency, median / 99 % in ms, the shorter of two queues", head, rows)
    routers: tuple[Router, ...] = ("one queue", "two choices", "random")
    rows = [[str(n), *(cell(router, n, 0.8) for router in routers)] for n in NODES[:3]]
    yield Figures("The same, 80 % busy, by who waits where", ["nodes", *routers], rows)


def given(measured: Measured) -> Figures:
    """Return what was measured, in short."""
    cold = next(arm for arm in measured.farm if not arm.kept)
    block, base_s, row_s = measured.batches[0], measured.base_s, measured.row_s
    rows = [
        ("a compilation, mean", f"{np.mean(cold.cpu):.2f} s of a core"),
        ("its logarithm's standard deviation", f"{np.log(cold.cpu).std(ddof=1):.2f}"),
        ("with kernels kept", f"{farm_pool(measured).kept:.0%} of it"),
        ("a compiled file, mean", f"{measured.nbytes / 1e6:.1f} MB"),
        ("a worker of the farm starts in", f"{measured.worker_s:.1f} s of a core"),
        ("an actor of Ray Data's starts in", f"{measured.actor_s:.1f} s of a core"),
        ("Ray Data's head, for a block", f"{1e3 * measured.dispatch_s:.1f} ms of a core"),
        (f"a block of {ROWS // BLOCKS:,} rows", f"{1e3 * block.block_s:.0f} ms of a core"),
        ("a request, alone in its batch", f"{1e3 * (base_s + row_s):.2f} ms of a core"),
        (f"a batch of {MOST}", f"{1e3 * (base_s + MOST * row_s):.2f} ms of a core"),
    ]  # fmt: skip
    return Figures("Measured", ["", ""], rows)


PARTS: Final[Sequence[Callable[[Measured], Iterator[Figures]]]] = (farm, batches, serving)


def tables(measured: Measured) -> Iterator[Figures]:
    """Yield all tables."""
    yield given(measured)
    yield compared(measured)
    for part in PARTS:
        yield from part(measured)


def _read(_: click.Context, __: click.Parameter, file: Path | None) -> Measured | None:
    if file is None:
        return None
    try:
        return Measured.from_json(json.loads(file.read_text()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.BadParameter(f"{file} is not what --json printed: {error!r}") from error


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.scale --json > bench/results/2026-12-01-scale.json",
        "python -m bench.scale --from bench/results/2026-12-01-scale.json --markdown",
    ),
)
@json_option
@click.option("--markdown", is_flag=True, help="Print the tables in Markdown.")
@click.option(
    "--from", "measured", type=existing_file, callback=_read, metavar="FILE",
    help="Measure nothing: simulate with what --json printed into this file.",
)  # fmt: skip
def main(*, as_json: bool, markdown: bool, measured: Measured | None) -> None:
    """Measure 1 and 2 workers, and simulate up to 1,000 nodes of two cores.

    Compilations, rows by Ray Data, and requests at random times. Measuring takes some minutes.
    """
    if measured is None:
        measured = measure(lambda what: click.echo(what, err=True))
    if as_json:
        show_json(measured.to_json())
    elif markdown:
        click.echo("\n\n".join(figures.markdown() for figures in tables(measured)))
    else:
        for figures in tables(measured):
            show(figures.table())


if __name__ == "__main__":
    main()
