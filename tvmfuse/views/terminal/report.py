"""Everything about a model, one part below the other."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.report import Report
from tvmfuse.views.terminal.dispatch import table


@table.register
def _(result: Report) -> Table:
    everything = Table.grid()
    for line in (*result.summary, *result.cautions, *result.missing):
        everything.add_row(Text(f"{line}."))
    for section in result.sections:
        if section.part:
            everything.add_row(section.part.table())
    everything.add_row(table(result.environment))
    return everything
