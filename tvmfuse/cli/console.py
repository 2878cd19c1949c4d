"""Printing: results to stdout, at most 100 columns; progress to stderr, for people only."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from tvmfuse.progress import share_of, silent

if TYPE_CHECKING:
    from rich.console import Console

    from tvmfuse.progress import Progress

WIDTH: Final = 100
REDRAW_S: Final = 0.25
"""Seconds between two pictures of the progress bar: drawing disturbs what is measured next."""
SHORT_S: Final = 2.0
"""Seconds for which a bar would not be worth the look."""


def show(*renderables: Any) -> None:
    """Print rich renderables to stdout; plain text where it is no terminal."""
    console = _console(stderr=False)
    for renderable in renderables:
        console.print(renderable)


def show_json(record: Any) -> None:
    """Print JSON to stdout."""
    click.echo(json.dumps(record, indent=2, allow_nan=False))


def say(text: str) -> None:
    """Print a sentence to stdout, wrapped for people only; names in it are not markup."""
    console = _console(stderr=False)
    console.print(text, markup=False, soft_wrap=not console.is_terminal)


@contextmanager
def working(what: str) -> Iterator[Progress]:
    """Show that something goes on; yields what to call with its present step.

    Where steps say how much is done, what lasts longer than `SHORT_S` gets a bar and an estimate.
    """
    import time

    from rich import progress as bars
    from rich.markup import escape
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column

    console = _console(stderr=True)
    if not console.is_terminal:
        yield silent
        return
    line = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    spinner, text = SpinnerColumn(), TextColumn("{task.description}", table_column=line)
    start, bar, left = time.monotonic(), BarColumn(bar_width=20), TimeRemainingColumn()
    with bars.Progress(spinner, text, console=console, transient=True, expand=True) as shown:
        task = shown.add_task(escape(what), total=1.0)

        def report(step: str) -> None:
            share = share_of(step)
            if (share or 0.0) < shown.tasks[0].completed:
                shown.reset(task)  # an estimate needs its past
            long = share is not None and time.monotonic() - start > SHORT_S
            shown.columns = (spinner, bar, left, text) if long else (spinner, text)
            shown.update(task, description=escape(f"{what}: {step}"), completed=share or 0.0)

        yield report


@contextmanager
def working_through(what: str) -> Iterator[tuple[Progress, Callable[[str], object]]]:
    """Show a bar, and lines as they come; yields what to call with a step, and with a line.

    Lines go to stdout, above the bar where both are one terminal.
    """
    from functools import partial

    from rich import progress as bars
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeRemainingColumn

    console = _console(stderr=True)
    if not console.is_terminal:
        yield silent, click.echo
        return
    columns = (
        SpinnerColumn(), BarColumn(bar_width=20), TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )  # fmt: skip
    with bars.Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as shown:
        task = shown.add_task(what, total=1.0)

        def report(step: str) -> None:
            shown.update(task, description=f"{what}: {step}", completed=share_of(step) or 0.0)

        above = partial(console.print, markup=False, soft_wrap=True)
        yield report, above if sys.stdout.isatty() else click.echo


@contextmanager
def measuring() -> Iterator[Progress]:
    """Show a bar with an estimate; yields what `tvmfuse.measure` reports progress to.

    The bar is drawn by that call and not by rich's own thread, which would run during the
    timed spans.
    """
    import time

    from rich import progress as bars
    from rich.markup import escape
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    console = _console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    if not console.is_terminal:
        yield silent
        return
    with bars.Progress(*columns, console=console, auto_refresh=False, transient=True) as bar:
        task, phase, drawn = bar.add_task("warming up", total=1.0), "warming up", 0.0

        def report(now: str) -> None:
            nonlocal phase, drawn
            share = share_of(now) or 0.0
            if now != phase:
                phase, done = now, bar.tasks[0].completed
                again = bar.reset if share < done else bar.update  # an estimate needs its past
                again(task, description=escape(now))
            if time.monotonic() - drawn >= REDRAW_S:
                drawn = time.monotonic()
                bar.update(task, completed=share, refresh=True)

        yield report


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        # A name that the encoding does not have, ASCII in the C locale say, is no failure.
        stream.reconfigure(errors="backslashreplace")
    console = Console(stderr=stderr, highlight=False)
    console.width = min(WIDTH, console.width) if console.is_terminal else WIDTH
    return console
