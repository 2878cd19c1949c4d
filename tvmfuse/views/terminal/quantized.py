"""What quantization costs: by output, then by layer."""

from __future__ import annotations

from typing import Final

from rich.table import Table
from rich.text import Text

from tvmfuse.quantization.result import Quantized
from tvmfuse.views.terminal.dispatch import table

SHOWN: Final = 12
"""Layers, in a table that does not have all."""


@table.register
def _(result: Quantized, *, everything: bool = False) -> Table:
    drawn = Table(title=Text(result.settings.words), title_justify="left")
    drawn.add_column("output, or layer alone", overflow="fold")
    drawn.add_column("type", no_wrap=True)
    for column in ("max rel", "mean rel", "SQNR dB"):
        drawn.add_column(column, justify="right", no_wrap=True)
    for row in result.outputs:
        far, name = row.distance, Text(row.name)
        if far.problem:
            name.append(f"\n{far.problem}", style="red")
        errors = ("-" if e is None else f"{e:.1e}" for e in (far.max_rel, far.mean_rel))
        drawn.add_row(
            name, row.dtype, *errors, "-" if row.sqnr_db is None else f"{row.sqnr_db:.1f}"
        )
    drawn.add_section()
    for layer in result.layers if everything else result.layers[:SHOWN]:
        drawn.add_row(Text(layer.name), layer.op, "", "", f"{layer.sqnr_db:.1f}")
    return drawn
