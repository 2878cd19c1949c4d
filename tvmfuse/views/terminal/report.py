"""Everything about a model, one part below the other."""

from __future__ import annotations

from typing import Final

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.ablation import Ablation
from tvmfuse.measure.results.ladder import Ladder
from tvmfuse.measure.results.profile import Profile
from tvmfuse.measure.results.report import Report
from tvmfuse.result import Result
from tvmfuse.views.terminal.banner import BANNER
from tvmfuse.views.terminal.dispatch import table

TIMED: Final = (Ladder, Ablation, Profile)


@table.register
def _(result: Report) -> Table:
    everything = Table.grid()
    if result.banner:
        everything.add_row(Text(result.banner, style=BANNER))
    for line in (*result.summary, *result.cautions, *result.missing):
        everything.add_row(Text(f"{line}."))
    for section in result.sections:
        if section.part:
            everything.add_row(_below(section.part))
    everything.add_row(table(result.environment))
    return everything


def _below(part: Result) -> Table:
    """Draw a part; the report's banner stands for all."""
    return table(part, banner=False) if isinstance(part, TIMED) else part.table()
