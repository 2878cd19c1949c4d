"""What each level gains."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.comparisons import cost_cells
from tvmfuse.measure.results.ladder import Ladder, Rung
from tvmfuse.measure.words import simultaneous
from tvmfuse.views.terminal.banner import DOUBTFUL, titled
from tvmfuse.views.terminal.comparisons import places_of
from tvmfuse.views.terminal.dispatch import table


@table.register
def _(result: Ladder, *, banner: bool = True) -> Table:
    caption = "\n".join([simultaneous(result.comparisons.confidence), *result.notes])
    title = titled(
        result.conditions.after(f"{result.model}: what each level gains"),
        result.banner if banner else "",
    )
    drawn = Table(title=title, caption=Text(caption))
    drawn.title_justify = drawn.caption_justify = "left"
    drawn.add_column("level", no_wrap=True)
    for column in ("ms", "kernels", "MB", "compile s"):
        drawn.add_column(column, justify="right", no_wrap=True)
    drawn.add_column("speedup over none (x)", overflow="fold")
    places = places_of([r.timing.summary.min for r in result.rungs if r.timing.summary])
    for place, rung in enumerate(result.rungs):
        summary = rung.timing.summary
        ms = f"{summary.median:.{places}f}" if summary else "-"
        speedup = _speedup(rung) if place else "1 (baseline)"
        doubtful = result.banner or (rung.speedup and rung.speedup.doubt)
        style = DOUBTFUL if doubtful else None
        drawn.add_row(rung.level, ms, *cost_cells(rung.timing.cost), Text(speedup), style=style)
    return drawn


def _speedup(rung: Rung) -> str:
    if rung.problem:
        return f"{'failed' if rung.failed else 'wrong'}, so not timed"
    if rung.speedup is None:
        return f"identical kernels to {rung.same_as}" if rung.same_as else "not measured"
    return rung.speedup.judged_short
