"""How far each tensor is from another engine's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.accuracy import Accuracy, TensorError
from tvmfuse.views.terminal.dispatch import table

SHOWN: Final = 12
"""Tensors inside, in a table that does not have all."""


@table.register
def _(result: Accuracy, *, everything: bool = False) -> Table:
    title = Text(result.conditions.after(f"level {result.level} and {result.against}"))
    drawn = Table(title=title, title_justify="left")
    drawn.add_column("tensor", overflow="fold")
    for column in ("max abs", "mean abs", "max rel", "mean rel", "max ulp", "excess"):
        drawn.add_column(column, justify="right", no_wrap=True)
    for row in result.outputs:
        _add(drawn, row)
    drawn.add_section()
    inside = result.tensors if everything else sorted(result.tensors, key=_rank)[:SHOWN]
    for row in inside:
        _add(drawn, row)
    return drawn


def _rank(row: TensorError) -> tuple[bool, bool, float]:
    """Put first where errors begin, then other alarms in order, then what is nearest to one."""
    excess = 0.0 if row.alarm else row.excess or 0.0
    return not row.origin, not row.alarm, -excess


def _add(drawn: Table, row: TensorError) -> None:
    far = row.distance
    name = Text(row.name)
    about = [f"{row.op} {row.node}".strip(), f"{row.dtype}[{', '.join(map(str, row.shape))}]"]
    about += [row.order] if row.order != TensorError.order else []
    name.append(f"\n{', '.join(filter(None, about))}", style="dim")
    if far.problem:
        name.append(f"\n{far.problem}", style="red")
    numbers: Iterable[float | None] = (
        far.max_abs, far.mean_abs, far.max_rel, far.mean_rel, far.max_ulp, row.excess,
    )  # fmt: skip
    drawn.add_row(name, *("-" if number is None else f"{number:.1e}" for number in numbers))
