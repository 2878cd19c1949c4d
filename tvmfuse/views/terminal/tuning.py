"""What tuning found: each kernel, how it was planned, and the faster plan."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.tuning.result import Tuning
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.names import listed


@table.register
def _(result: Tuning) -> Table:
    title = f"{result.model}: {result.threads} threads, {result.cpu}"
    drawn = Table(title=Text(title), title_justify="left")
    drawn.add_column("faster kernel, its ONNX nodes", overflow="fold", ratio=3)
    drawn.add_column("share", justify="right", no_wrap=True)
    drawn.add_column("plans", justify="right", no_wrap=True)
    drawn.add_column("as planned, and faster", overflow="fold", ratio=4)
    drawn.add_column("speedup (99 % CI)", justify="right", overflow="fold", ratio=2)
    for kernel in result.kernels:
        if kernel.speedup is not None:
            drawn.add_row(
                Text(kernel.names[0]).append(f"\n{listed(kernel.nodes, 1)}", style="dim"),
                f"{kernel.share:.1%}",
                str(kernel.trials),
                Text(kernel.planned, style="dim").append(f"\n{kernel.best}", style="not dim"),
                kernel.speedup.short,
            )
    for tiles in result.convolutions:
        words = f"{_tiles(tiles.planned)}\n{_tiles(tiles.best)}"
        drawn.add_row(Text(listed(tiles.nodes, 1)), "", "", Text(words), tiles.speedup.short)
    others = [kernel for kernel in result.kernels if kernel.speedup is None]
    share, plans = sum(k.share for k in others), sum(k.trials for k in others)
    drawn.add_row(f"{len(others)} others, as planned", f"{share:.1%}", str(plans), "", "")
    return drawn


def _tiles(m: int) -> str:
    return f"Winograd, F({m}x{m})" if m else "convolutions as they are"
