"""A report as one page: what it says first, then each part with its chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from tvmfuse.views.html.document import document, fragment, paragraph
from tvmfuse.views.html.tables import from_table

if TYPE_CHECKING:
    from tvmfuse.measure.report import Report, Section

TITLES: Final = {
    "ladder": "What each level gains",
    "ablate": "What each pass gains",
    "profile": "Where the time goes",
    "diff": "What the passes did to the graph",
    "accuracy": "Accuracy",
}


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
    return Markup(section.part.to_html())
