"""The parts of a model, and the nodes that another engine computes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.parts import Parts
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.names import listed

if TYPE_CHECKING:
    from tvmfuse.manifest import PartNode
    from tvmfuse.report import HandedOver


@table.register
def _(result: Parts) -> Table:
    drawn = Table(title=Text(f"{result.model}, in parts"), title_justify="left")
    drawn.add_column("part", justify="right", no_wrap=True)
    drawn.add_column("engine", no_wrap=True)
    drawn.add_column("nodes", justify="right", no_wrap=True)
    drawn.add_column("ms", justify="right", no_wrap=True)
    drawn.add_column("share", justify="right", no_wrap=True)
    for number, part in enumerate(result.parts):
        drawn.add_row(
            str(number),
            part.engine,
            str(len(part.nodes)),
            "" if part.milliseconds is None else f"{part.milliseconds:.3f}",
            "" if part.share is None else f"{part.share:.0%}",
        )
    return drawn


def handed_table(nodes: Iterable[PartNode | HandedOver]) -> Table:
    """List the nodes that another engine computes, and why each."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for node in nodes:
        reasons.setdefault((node.operator, node.why), []).append(node.name)
    drawn = Table(title="not compiled", title_justify="left")
    drawn.add_column("operator", overflow="fold")
    drawn.add_column("ONNX nodes", overflow="fold")
    drawn.add_column("why", overflow="fold")
    for (operator, why), names in reasons.items():
        drawn.add_row(Text(operator), Text(listed(names)), Text(why))
    return drawn
