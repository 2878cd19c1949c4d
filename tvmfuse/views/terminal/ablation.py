"""What each pass is worth."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.ablation import Ablation
from tvmfuse.measure.words import simultaneous
from tvmfuse.views.terminal.banner import DOUBTFUL, titled
from tvmfuse.views.terminal.dispatch import table


@table.register
def _(result: Ablation, *, banner: bool = True) -> Table:
    what, count = ("pass", "fired") if result.of == "passes" else ("step", "launches")
    title = titled(
        result.conditions.after(f"{result.model}: what each {what} gains"),
        result.banner if banner else "",
    )
    if result.empty:
        return _in_words(title, *result.notes)
    head = (
        f"Speedup (x) by the {what}: above 1 the model is slower when it is disabled, below 1 it "
        f"is faster; {simultaneous(result.confidence)}"
    )
    drawn = Table(title=title, caption=Text("\n".join([head, *result.notes])))
    drawn.title_justify = drawn.caption_justify = "left"
    drawn.add_column(what, overflow="fold")
    drawn.add_column(count, justify="right", no_wrap=True)
    drawn.add_column("leave-one-out (level all)", overflow="fold")
    if result.of == "passes":
        drawn.add_column("one-at-a-time (level none)", overflow="fold")
    for effect in result.effects:
        outcomes = (effect.leave_one_out, effect.one_at_a_time)[: 1 + (result.of == "passes")]
        cells = [Text(outcome.sentence) for outcome in outcomes]
        style = None if effect.significant else DOUBTFUL
        drawn.add_row(Text(effect.name), str(effect.fired), *cells, style=style)
    return drawn


def _in_words(title: Text, *lines: str) -> Table:
    drawn = Table.grid()
    for line in (title, *(Text(f"{line}.") for line in lines)):
        drawn.add_row(line)
    return drawn
