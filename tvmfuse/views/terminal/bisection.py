"""How far each level is from the reference."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.bisection import Bisection
from tvmfuse.views.terminal.dispatch import table


@table.register
def _(result: Bisection) -> Table:
    title = Text(result.conditions.after(f"against {result.against}"))
    drawn = Table(title=title, title_justify="left")
    drawn.add_column("level", no_wrap=True)
    drawn.add_column("largest error", justify="right", no_wrap=True)
    drawn.add_column("", overflow="fold")
    for outcome in result.levels:
        error = "-" if outcome.error is None else f"{outcome.error:.1e}"
        drawn.add_row(outcome.level, error, Text(outcome.problem or "agrees"))
    return drawn
