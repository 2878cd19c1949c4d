"""Each result as a fragment of a page, and those that have a chart as a chart."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from tvmfuse.measure.results.ablation import Ablation
from tvmfuse.measure.results.accuracy import Accuracy
from tvmfuse.measure.results.bisection import Bisection
from tvmfuse.measure.results.comparison import Comparison
from tvmfuse.measure.results.comparisons import Comparisons
from tvmfuse.measure.results.ladder import Ladder
from tvmfuse.measure.results.profile import Profile
from tvmfuse.views.html.charts import Bar, bars
from tvmfuse.views.html.dispatch import chart, fragment
from tvmfuse.views.html.document import paragraph, section, warning
from tvmfuse.views.html.tables import from_table
from tvmfuse.views.terminal import table

DRAWN: Final = 12
"""Kernels in a profile's chart; the table has all."""


@fragment.register
def _(result: Comparison) -> Markup:
    drawn = from_table(table(result, banner=False))
    lines = [paragraph(f"{line}.") for line in (*result.notes, result.sentence)]
    title = f"{result.a.name} and {result.b.name}"
    return section(title, warning(result.banner), drawn, *lines)


@fragment.register
def _(result: Comparisons) -> Markup:
    drawn = from_table(table(result, banner=False))
    return section("Variants", warning(result.banner), drawn)


@fragment.register
def _(result: Ladder, *, banner: bool = True) -> Markup:
    drawn = from_table(table(result, banner=False))
    return section("What each level gains", _banner(result, shown=banner), chart(result), drawn)


@chart.register
def _(result: Ladder) -> Markup:
    rows = [Bar.of(rung.level, rung.speedup) for rung in result.rungs if rung.speedup]
    return bars(rows, axis="speedup over level none (x), with CIs", one=True)


@fragment.register
def _(result: Ablation, *, banner: bool = True) -> Markup:
    if result.empty:
        notes = [paragraph(f"{note}.") for note in result.notes]
        return section("What each pass gains", *notes)
    drawn = from_table(table(result, banner=False))
    return section("What each pass gains", _banner(result, shown=banner), chart(result), drawn)


@chart.register
def _(result: Ablation) -> Markup:
    timed = [(e.name, e.leave_one_out.speedup) for e in result.effects]
    rows = [Bar.of(name, speedup) for name, speedup in timed if speedup]
    return bars(rows, axis="speedup (x) by the pass, leave-one-out", one=True)


@fragment.register
def _(result: Accuracy) -> Markup:
    lines = [paragraph(f"{line}.") for line in (result.sentence, *result.notes)]
    return section("Accuracy", *lines, from_table(table(result, everything=True)))


@fragment.register
def _(result: Bisection) -> Markup:
    lines = [paragraph(f"{line}.") for line in (result.sentence, *result.notes)]
    command = [paragraph(result.reproducer.command)] if result.reproducer else []
    return section("Which rewrite is wrong", *lines, *command, from_table(table(result)))


@fragment.register
def _(result: Profile, *, banner: bool = True) -> Markup:
    kernels, doubtful = result.lines()[:DRAWN], bool(result.banner)
    rows = [Bar(line.kernel, line.microseconds, doubtful=doubtful) for line in kernels]
    drawn = bars(rows, axis="µs of one run")
    notes = [paragraph(f"{note}.") for note in result.notes]
    figures = from_table(table(result, banner=False))
    head = _banner(result, shown=banner)
    return section("Where the time goes", head, drawn, figures, *notes)


def _banner(result: Ladder | Ablation | Profile, *, shown: bool) -> Markup:
    return warning(result.banner if shown else "")
