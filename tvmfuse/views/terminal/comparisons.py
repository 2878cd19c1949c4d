"""Variants beside each other: a baseline, and one candidate or several."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from tvmfuse.measure import words
from tvmfuse.measure.results.comparison import Comparison
from tvmfuse.measure.results.comparisons import Comparisons, cost_cells
from tvmfuse.measure.words import simultaneous
from tvmfuse.views.terminal.banner import DOUBTFUL, titled
from tvmfuse.views.terminal.dispatch import table


@table.register
def _(result: Comparison, *, banner: bool = True) -> Table:
    if result.identical_code:
        return _variants(result)
    rows = [(what, t.summary) for what, t in (("A", result.a), ("B", result.b)) if t.summary]
    tails = [q for q in ("p90", "p99") if all(getattr(s, q) is not None for _, s in rows)]
    columns = ["mean", "median", "max", "min", "std", *(tails if rows else [])]
    places = places_of([summary.min for _, summary in rows])

    speedup = f"speedup of B over A: {result.speedup.judged}" if result.speedup else None
    title = "\n".join([result.conditions.after("ms per run"), *_named(result)])
    drawn = Table(title=titled(title, result.banner if banner else ""), caption=speedup)
    drawn.title_justify = drawn.caption_justify = "left"
    drawn.add_column("", no_wrap=True)  # names are above: beside so many columns they have no room
    for column in [*columns, "samples"]:
        drawn.add_column(column, justify="right", no_wrap=True)
    for name, summary in rows:
        values = [getattr(summary, column) for column in columns]
        cells = ["-" if value is None else f"{value:.{places}f}" for value in values]
        style = DOUBTFUL if result.banner else None
        drawn.add_row(name, *cells, str(summary.samples), style=style)
    return drawn


@table.register
def _(result: Comparisons, *, banner: bool = True) -> Table:
    timings = [result.baseline, *(c.timing for c in result.candidates)]
    places = places_of([t.summary.min for t in timings if t.summary])
    caption = "\n".join([simultaneous(result.confidence), *result.notes])
    title = titled("variants", result.banner if banner else "")
    drawn = Table(title=title, caption=Text(caption))
    drawn.title_justify = drawn.caption_justify = "left"
    drawn.add_column("variant", overflow="fold")
    for column in ("ms", "kernels", "MB", "compile s"):
        drawn.add_column(column, justify="right", no_wrap=True)
    drawn.add_column("speedup (x)", overflow="fold")
    sentences = ["1 (baseline)", *(c.sentence for c in result.candidates)]
    for timing, sentence in zip(timings, sentences, strict=True):
        ms = f"{timing.summary.median:.{places}f}" if timing.summary else "-"
        drawn.add_row(Text(timing.name), ms, *cost_cells(timing.cost), Text(sentence))
    return drawn


def _variants(result: Comparison) -> Table:
    """Name variants that were not timed, because they are the same code."""
    title = Text(result.conditions.after(words.IDENTICAL))
    drawn = Table(title=title, title_justify="left", show_header=False, min_width=72)
    drawn.add_column(overflow="fold")
    for line in _named(result):
        drawn.add_row(Text(line))
    return drawn


def _named(result: Comparison) -> tuple[str, str]:
    return f"A, baseline: {result.a.name}", f"B, candidate: {result.b.name}"


def places_of(milliseconds: Sequence[float]) -> int:
    """Show four significant digits of the smallest time, and at most picoseconds."""
    smallest = min(milliseconds, default=1.0)
    return min(9, max(0, 3 - math.floor(math.log10(smallest))))
