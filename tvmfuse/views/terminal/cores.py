"""How a model's parallel loops would fill more cores than there are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.cores import KernelOnCores, ManyCores
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.names import listed


@table.register
def _(result: ManyCores, *, top: int | None = None) -> Table:
    title = f"{result.model}: the share of N threads' time in which they compute"
    drawn = Table(title=Text(title), title_justify="left")
    drawn.add_column("kernel and its first ONNX node", overflow="fold")
    for column in ("µs", "pieces", *(f"N = {n}" for n in result.threads)):
        drawn.add_column(column, justify="right", no_wrap=True)
    drawn.add_column("lost on the most threads", overflow="fold")
    most = max(result.threads)
    shown = result.kernels if top is None else result.kernels[:top]
    for kernel in shown:
        drawn.add_row(
            Text(kernel.kernel).append(f"\n{listed(kernel.nodes, 1)}", style="dim"),
            f"{kernel.microseconds:.1f}",
            str(kernel.pieces),
            *(f"{kernel.efficiency(n):.0%}" for n in result.threads),
            _lost(result, kernel, most),
        )
    each = (f"{result.efficiency(n):.0%}" for n in result.threads)
    drawn.add_row("all kernels", f"{result.microseconds:.1f}", "", *each, "")
    return drawn


def _lost(result: ManyCores, kernel: KernelOnCores, threads: int) -> str:
    why = kernel.why(threads)
    return f"{result.lost(kernel, threads):.1%}: {why}" if why else ""
