"""What the benchmarks' commands share: failures in words, options, Ctrl-C that loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Final, Protocol, TypeVar

import click
from rich.table import Table

from bench import machine
from bench.models import MODELS
from bench.variants import Arrays, Race, Reference, race
from tvmfuse.cli.console import measuring, show, show_json
from tvmfuse.cli.options import split_names
from tvmfuse.errors import TvmfuseError, closest
from tvmfuse.interruption import INTERRUPTED
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.progress import within

T = TypeVar("T")


class ModelRow(Protocol):
    """A dataclass of figures that says whose they are."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def model(self) -> str:
        """The model's name."""


R = TypeVar("R", bound=ModelRow)


class Benchmark(click.Command):
    """A command that ends in words and not in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what tvmfuse or the disk refuses becomes one line."""
        try:
            return super().invoke(ctx)
        except (TvmfuseError, OSError) as error:
            raise click.ClickException(str(error)) from error


def titled(things: Collection[T]) -> Iterator[tuple[T, str]]:
    """Yield each with a title that says how far the work is: ``vit (2 of 5)``."""
    for place, thing in enumerate(things, 1):
        yield thing, f"{thing} ({place} of {len(things)})"


def watched(
    what: str,
    variants: Mapping[str, Callable[[], Arrays]],
    *,
    timed: Mapping[str, Callable[[], object]] | None = None,
    references: Mapping[str, Reference] | None = None,
    duration_s: float,
    threads: int = 1,
    clock: Clock | None = None,
) -> Race:
    """Race the variants under a progress bar; see `race`."""
    with measuring() as report:
        progress = within(what, report)
        return race(
            variants,
            timed=timed,
            references=references,
            duration_s=duration_s,
            threads=threads,
            progress=progress,
            clock=clock,
        )


def finished(work: Iterable[T]) -> tuple[list[T], bool]:
    """Collect results one by one; return those that are there, and whether Ctrl-C cut it short."""
    results: list[T] = []
    try:
        for result in work:
            results.append(result)  # noqa: PERF402 (an interrupt shall not lose them)
    except KeyboardInterrupt:
        return results, True
    return results, False


def end(ctx: click.Context, *, interrupted: bool, wrong: Sequence[str] = ()) -> None:
    """Say so, and exit as shells expect it, where Ctrl-C cut the work short.

    Args:
        ctx: Of the command.
        interrupted: Whether it did.
        wrong: Why some of the work could not be done, which makes the command fail, too.
    """
    for words in wrong:
        click.echo(f"Error: {words}", err=True)
    if interrupted:
        click.echo("interrupted: this is what was measured until then", err=True)
        ctx.exit(INTERRUPTED)
    if wrong:
        ctx.exit(1)


def show_rows(
    ctx: click.Context,
    work: Iterable[R],
    table: Callable[[str, list[R]], Table],
    *,
    as_json: bool,
    **environment: object,
) -> None:
    """Collect rows and print them, by model or as JSON with the machine and the environment."""
    rows, interrupted = finished(work)
    if as_json:
        figures = [asdict(row) for row in rows]
        show_json({**machine.record(), **environment, "rows": figures})
    else:
        for name in dict.fromkeys(row.model for row in rows):
            show(table(name, [row for row in rows if row.model == name]))
    end(ctx, interrupted=interrupted)


def known(what: str, names: Iterable[str]) -> Callable[[Iterable[str]], tuple[str, ...]]:
    """Make a function that returns its names, each once, or refuses the first unknown one."""
    there = tuple(names)

    def check(asked: Iterable[str]) -> tuple[str, ...]:
        for name in asked:
            if name not in there:
                raise click.BadParameter(f"no {what} is called {name!r}; {closest(name, there)}")
        return tuple(dict.fromkeys(asked))

    return check


def in_short(ratio: Ratio) -> str:
    """Return a ratio and its interval, where it has one, for a table: ``1.35 (1.34 to 1.36)``."""
    if ratio.low is None or ratio.high is None:
        return f"{ratio.median:.2f}"
    return f"{ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f})"


def names_argument(what: str, names: Iterable[str], metavar: str) -> Callable[[Any], Any]:
    """Make the argument for what to measure: some of these names, or all."""
    there = tuple(dict.fromkeys(names))

    def asked(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
        return known(what, there)(given or there)

    return click.argument("names", nargs=-1, metavar=f"[{metavar}]...", callback=asked)


def chosen_option(
    flag: str, what: str, names: Iterable[str], default: str, words: str
) -> Callable[[Any], Any]:
    """Make the option that takes some of these names, separated by commas; `words` is its help."""
    there = tuple(names)

    def asked(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
        chosen = known(what, there)(split_names(None, None, (value,)))
        if not chosen:
            raise click.BadParameter(f"expected some of {', '.join(there)}, found none")
        return chosen

    return click.option(
        flag, default=default, show_default=True, callback=asked, metavar="NAMES",
        help=f"Among {', '.join(there)}; {words}",
    )  # fmt: skip


models_argument: Final = names_argument("model", MODELS, "NAMES")
threads_option: Final = click.option(
    "--threads", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="Threads that compute one run.",
)  # fmt: skip


def duration_option(default: float, what: str) -> Callable[[Any], Any]:
    """Make the option for how long to measure; `what` is measured so long."""
    return click.option(
        "--duration", type=click.FloatRange(min=0, min_open=True), default=default,
        show_default=True, metavar="SECONDS",
        help=f"Seconds for each {what}; more where that is too short for an interval.",
    )  # fmt: skip
