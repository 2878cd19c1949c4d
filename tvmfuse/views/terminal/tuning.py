"""What tuning found: each kernel, how it was planned, and the faster plan."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.tuning.result import TunedKernel, Tuning
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.names import listed


@table.register
def _(result: Tuning) -> Table:
    title = f"{result.model}: {result.threads} threads, {result.cpu}"
    drawn = Table(title=Text(title), title_justify="left")
    drawn.add_column("kernel and its ONNX nodes", no_wrap=True, overflow="ellipsis", ratio=3)
    drawn.add_column("share", justify="right", no_wrap=True)
    drawn.add_column("plans", justify="right", no_wrap=True)
    drawn.add_column("as planned, and the faster plan", overflow="fold", ratio=4)
    drawn.add_column("speedup (99 % CI)", justify="right", overflow="fold", ratio=2)
    for kernel in result.kernels:
        drawn.add_row(
            Text(kernel.names[0]).append(f"\n{listed(kernel.nodes, 1)}", style="dim"),
            f"{kernel.share:.1%}",
            str(kernel.trials),
            _plans(kernel),
            kernel.speedup.short if kernel.speedup else "",
        )
    for tiles in result.convolutions:
        words = f"{_tiles(tiles.planned)}\n{_tiles(tiles.best)}"
        drawn.add_row(Text(listed(tiles.nodes, 1)), "", "", Text(words), tiles.speedup.short)
    return drawn


def _tiles(m: int) -> str:
    return f"Winograd, F({m}x{m})" if m else "convolutions as they are"


def _plans(kernel: TunedKernel) -> Text:
    words = Text(kernel.planned, style="" if kernel.speedup is None else "dim")
    return words if kernel.speedup is None else words.append(f"\n{kernel.best}", style="not dim")
