"""A report as one page: what it says first, then each part with its chart."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from tvmfuse.measure.results.report import Report, Section
from tvmfuse.views.html.dispatch import fragment
from tvmfuse.views.html.document import document, paragraph, section, warning
from tvmfuse.views.html.tables import from_table
from tvmfuse.views.terminal import table
from tvmfuse.views.terminal.report import TIMED

TITLES: Final = {
    "ladder": "What each level gains",
    "ablate": "What each pass gains",
    "profile": "Where the time goes",
    "diff": "What the passes did to the graph",
    "accuracy": "Accuracy",
}


def page(report: Report) -> Markup:
    """Return a whole page, which loads nothing from elsewhere."""
    facts = report.environment
    cores = "one core" if facts.cores == 1 else f"{facts.cores} cores"
    head = Markup('<p class="quiet">{}</p>').format(
        f"{facts.date}; {facts.cpu}, {cores}, {facts.instructions}; "
        f"tvmfuse {facts.versions.get('tvmfuse', '')}"
    )
    command = Markup("<p><code>{}</code></p>").format(facts.command) if facts.command else ""
    summary = [Markup("<p><strong>{}.</strong></p>").format(line) for line in report.summary]
    summary += [paragraph(f"{line}.") for line in report.cautions]
    parts = [_part(part) for part in report.sections]
    machine = section("The machine and the versions", from_table(table(facts)))
    title = f"{report.model}: what tvmfuse does for it"
    first = warning(report.banner)
    return Markup(document(title, first, head, command, *summary, *parts, machine))


def _part(part: Section) -> Markup:
    if part.part is None:
        return section(TITLES[part.name], paragraph(f"Not here: {part.problem}."))
    if isinstance(part.part, TIMED):
        return fragment(part.part, banner=False)  # the report's banner stands for all
    return Markup(part.part.to_html())
