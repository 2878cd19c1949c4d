"""How many models are drawn: in a table, or line by line as each is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from tvmfuse.fleet.result import CompiledModel, CompiledModels
from tvmfuse.views.terminal.dispatch import table

STATE: Final = len("interrupted")


@table.register
def _(result: CompiledModels) -> Table:
    drawn = Table(title=Text(result.output), title_justify="left")
    drawn.add_column("model", overflow="fold", ratio=3)
    drawn.add_column("target", overflow="fold", ratio=1)
    drawn.add_column("", no_wrap=True)
    drawn.add_column("file, or why there is none", overflow="fold", ratio=4)
    for model in result.models:
        drawn.add_row(*map(Text, (model.model, model.target, model.state, _said(model))))
    return drawn


def lines_for(
    models: Sequence[str], targets: Sequence[str]
) -> tuple[str, Callable[[CompiledModel], str]]:
    """Return the head of a table that grows, and what makes a line of it."""
    name = max(len("model"), *map(len, models))
    target = max(len("target"), *map(len, targets))

    def line(model: CompiledModel) -> str:
        said = f"{model.model:<{name}}  {model.target:<{target}}  {model.state:<{STATE}}"
        return f"{said}  {_said(model)}"

    head = f"{'model':<{name}}  {'target':<{target}}  {'':<{STATE}}  file, or why there is none"
    return head, line


def _said(model: CompiledModel) -> str:
    if not model.is_done:
        return model.reason
    took = f", {model.seconds:.1f} s" if model.state == "compiled" else ""
    warned = "".join(f"; warning: {words}" for words in model.warnings)
    return f"{model.file}, {decimal(model.nbytes)}{took}{warned}"
