"""What is in some arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.array_summary import array_summary

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def arrays_table(title: str, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Table:
    """Show what is in some arrays: name, type, shape, range of the finite elements, the others."""
    table = Table(title=title, title_justify="left")
    table.add_column("name", overflow="fold")
    table.add_column("type and shape", overflow="fold")
    for column in ("min", "mean", "max", "NaN or infinite"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, array in arrays.items():
        held = array_summary(name, array)
        span = (held.min, held.mean, held.max)
        cells = ["-" if value is None else f"{value:.6g}" for value in span]
        shape = f"{held.dtype}[{', '.join(map(str, held.shape))}]"
        table.add_row(Text(name), shape, *cells, str(held.nan + held.infinite))
    return table
