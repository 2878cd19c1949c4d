"""Operators alone, of kinds that the networks of `bench.models` lack, against onnxruntime.

From the repository's root::

    python -m bench.operators
    python -m bench.operators LSTM GRU --duration 2
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import click
import onnx
import onnxruntime
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
from bench.operator_cases import CASES, Case
from bench.variants import BATCH_S, Arrays, repeated
from tvmfuse.cli.options import examples, json_option
from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.measure.clock import thread_clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Row:
    """One operator's figures.

    Attributes:
        model: The operator.
        case: Its sizes.
        ours: Microseconds of a run, their median.
        theirs: onnxruntime's.
        ratio: onnxruntime's time by ours.
        error: The largest difference from onnxruntime's numbers, by max abs of the reference.
        warm: Whether times were stable when the warm-up ended.
    """

    model: str
    case: str
    ours: float
    theirs: float
    ratio: Ratio
    error: float
    warm: bool


def measure(case: Case, title: str, *, threads: int, duration_s: float) -> Iterator[Row]:
    """Compare an operator's numbers with onnxruntime's, then time both in turn.

    Raises:
        WrongNumbersError: They differ; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    model, feeds = case.make()
    ours = tvmfuse.compile(model).load(num_threads=threads)
    theirs, bound = _onnxruntime(model, feeds, threads)
    runs = {"ours": ours.bound(feeds), "onnxruntime": bound}
    calls = {name: _calls(run) for name, run in runs.items()}
    done = watched(
        title,
        {"onnxruntime": theirs, "ours": lambda: ours(feeds)},
        timed={name: repeated(run, calls[name]) for name, run in runs.items()},
        duration_s=duration_s,
        clock=thread_clock() if threads == 1 else None,
    )
    if done.measured:
        by_call = calls["onnxruntime"] / calls["ours"]
        yield Row(
            case.operator,
            case.title,
            1e3 * done.milliseconds("ours") / calls["ours"],
            1e3 * done.milliseconds("onnxruntime") / calls["onnxruntime"],
            _scaled(done.ratio("onnxruntime", "ours"), 1 / by_call),
            done.error,
            done.samples.warm,
        )
    if done.samples.interrupted:
        raise KeyboardInterrupt


def _scaled(ratio: Ratio, by: float) -> Ratio:
    low, high = (end if end is None else end * by for end in (ratio.low, ratio.high))
    return Ratio(ratio.median * by, low, high, ratio.confidence, ratio.pairs, ratio.disturbed)


def _calls(run: Callable[[], object]) -> int:
    """Return how many calls make a sample; the first ones, which are slow, do not count."""
    times = []
    for _ in range(5):
        start = time.thread_time()
        run()
        times.append(time.thread_time() - start)
    return max(1, round(BATCH_S / min(times)))


def _onnxruntime(
    model: onnx.ModelProto, feeds: Arrays, threads: int
) -> tuple[Callable[[], Arrays], Callable[[], None]]:
    """Return what runs the operator once and gives its outputs, and what is timed: it bound."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    binding = session.io_binding()
    names = [output.name for output in session.get_outputs()]
    for name, array in feeds.items():
        binding.bind_cpu_input(name, array)
    for name in names:
        binding.bind_output(name)
    return (
        lambda: dict(zip(names, session.run(None, dict(feeds)), strict=True)),
        lambda: session.run_with_iobinding(binding),
    )


def table(name: str, rows: Sequence[Row], threads: int) -> Table:
    """Show one operator's rows."""
    where = f"threads: {threads}, {cpu_name()}"
    shown = Table(title=f"{name}, {where}", title_justify="left")
    shown.add_column("case", overflow="fold")
    for column in ("us", "onnxruntime, us", "onnxruntime by ours"):
        shown.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        shown.add_row(row.case, f"{row.ours:.1f}", f"{row.theirs:.1f}", in_short(row.ratio))
    return shown


def _rows(cases: Sequence[Case], *, threads: int, duration_s: float) -> Iterator[Row]:
    for case, title in titled(cases):
        try:
            yield from measure(case, title, threads=threads, duration_s=duration_s)
        except TvmfuseError as error:
            click.echo(f"{case}: {first_line(error)}", err=True)


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.operators", "python -m bench.operators LSTM GRU --json"),
)
@names_argument("operator", (case.operator for case in CASES), "OPERATORS")
@threads_option
@duration_option(0.5, "case")
@json_option
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], threads: int, duration: float, as_json: bool
) -> None:
    """Time OPERATORS, or all, each alone as a model: ours and onnxruntime's in turn.

    Both sides' inputs are bound once, and both allocate their outputs. Of one thread, the time is
    that for which it had a core, so that others' programs count little. A ratio above 1 is ours
    ahead. Ctrl-C prints what was measured until then.
    """
    cases = [case for case in CASES if case.operator in names]
    work = _rows(cases, threads=threads, duration_s=duration)
    show_rows(ctx, work, partial(table, threads=threads), as_json=as_json, threads=threads)


if __name__ == "__main__":
    main()
