"""A report as one page: what it says first, then each part with its chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from tvmfuse.page.charts import Bar, bars
from tvmfuse.page.document import document, fragment, paragraph
from tvmfuse.page.tables import from_table

if TYPE_CHECKING:
    from tvmfuse.measure.report import Report, Section

TITLES: Final = {
    "ladder": "What each level gains",
    "ablate": "What each pass gains",
    "profile": "Where the time goes",
    "diff": "What the passes did to the graph",
    "accuracy": "Accuracy",
}
KERNELS: Final = 12
"""Kernels in the chart; the table has all."""


def report_page(report: Report) -> str:
    """Return a whole page, which loads nothing from elsewhere."""
    facts = report.circumstances
    cores = "one core" if facts.cores == 1 else f"{facts.cores} cores"
    head = Markup('<p class="quiet">{}</p>').format(
        f"{facts.date}; {facts.cpu}, {cores}, {facts.instructions}; "
        f"tvmfuse {facts.versions.get('tvmfuse', '')}"
    )
    command = Markup("<p><code>{}</code></p>").format(facts.command) if facts.command else ""
    summary = [Markup("<p><strong>{}.</strong></p>").format(line) for line in report.summary]
    summary += [paragraph(f"{line}.") for line in report.cautions]
    parts = [_section(section) for section in report.sections]
    machine = fragment("The machine and the versions", from_table(facts.table()))
    return document(f"{report.model}: what tvmfuse does for it", head, command, *summary, *parts,
                    machine)  # fmt: skip


def _section(section: Section) -> Markup:
    if section.part is None:
        return fragment(TITLES[section.name], paragraph(f"Not here: {section.problem}."))
    heading, end, rest = str(section.part.to_html()).partition("</h2>")
    return Markup(heading + end) + _chart(section.name, section.part) + Markup(rest)


def _chart(name: str, part: Any) -> Markup:
    """Draw what a part found, where a chart says it sooner than its table."""
    if name == "ladder":
        rows = [_ratio(r.level, r.gain) for r in part.rungs if r.gain]
        return _bars(rows, axis="times as fast as level none, with intervals", one=True)
    if name == "ablate":
        rows = [_ratio(e.name, e.off.gain) for e in part.effects if e.off.gain]
        return _bars(rows, axis="times as fast with the pass as without, in level all", one=True)
    if name == "profile":
        lines = part.lines()[:KERNELS]
        rows = [Bar(line.kernel[:40], line.microseconds) for line in lines]
        return _bars(rows, axis="microseconds of one run", one=False)
    return Markup()


def _ratio(label: str, ratio: Any) -> Bar:
    return Bar(label, ratio.median, ratio.low, ratio.high)


def _bars(rows: Sequence[Bar], *, axis: str, one: bool) -> Markup:
    return bars(rows, axis=axis, one=one) if rows else Markup()
