"""What changed between two states of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.graph_diff import Change, GraphComparison, GraphDiff
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.names import listed

BY_WIDTH: Final = 31
"""Characters of the longest name of a pass."""


@table.register
def _(result: GraphDiff) -> Table:
    drawn = Table(title=Text(f"{result.model}: from {result.start} to {result.end}"))
    drawn.title_justify = drawn.caption_justify = "left"
    drawn.caption = Text(". ".join(result.sentences) + ".")
    drawn.expand = True
    drawn.add_column("matches", justify="right", no_wrap=True)
    drawn.add_column("removed, and its ONNX nodes", overflow="fold", ratio=3)
    drawn.add_column("added", overflow="fold", ratio=2)
    drawn.add_column("by", overflow="fold", width=BY_WIDTH)
    for name, comparison in result.stages.items():
        drawn.add_section()
        stage = f"{name}: {comparison.start} -> {comparison.end}"
        drawn.add_row("", Text(stage, style="bold"))
        for kind in comparison.kinds():
            drawn.add_row(*_row(kind, comparison))
        drawn.add_row(str(len(comparison.kept)), Text("unchanged"), style="dim")
    return drawn


def _row(kind: Sequence[Change], comparison: GraphComparison) -> tuple[Text, ...]:
    change = kind[0]
    removed = Text(comparison.before.names(change.before))
    removed.append(f"\n{listed(change.nodes)}", style="dim")
    added = Text(comparison.after.names(change.after))
    return Text(str(len(kind))), removed, added, Text("\n".join(change.passes) or "-")
