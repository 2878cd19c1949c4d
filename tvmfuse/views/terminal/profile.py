"""Where the time of a run goes, kernel by kernel."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.measure.results.profile import Line, Profile
from tvmfuse.views.terminal.banner import DOUBTFUL, titled
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.names import listed


@table.register
def _(result: Profile, *, each: bool = False, top: int | None = None, banner: bool = True) -> Table:
    lines = result.lines(each=each)
    shown = lines if top is None else lines[:top]
    title = result.conditions.after(f"{result.model}: one run")
    drawn = Table(title=titled(title, result.banner if banner else ""))
    drawn.row_styles = [DOUBTFUL] if result.banner else []
    drawn.title_justify = "left"
    # All that is long in one column: two of them were nine letters wide in 80 columns.
    drawn.add_column("kernel, its first ONNX node, its schedule", overflow="fold")
    for column in ("calls", "µs", "share", "GOP/s", "GB/s"):
        drawn.add_column(column, justify="right", no_wrap=True)
    drawn.add_column("% of roofline", justify="right")
    for line in shown:
        drawn.add_row(*_cells(result, line))
    if rest := lines[len(shown) :]:
        left = sum(line.microseconds for line in rest)
        calls = str(sum(line.calls for line in rest))
        drawn.add_row(f"{len(rest)} more", calls, *_took(result, left))
    drawn.add_row("between kernels", "", *_took(result, result.between_microseconds))
    drawn.add_row("the whole run", "", *_took(result, result.microseconds))
    return drawn


def _cells(result: Profile, line: Line) -> list[str | Text]:
    speeds = ["" if s is None else f"{s:.1f}" for s in (line.gflops, line.gbytes_per_s)]
    share = line.roofline_share
    schedule = ": ".join(filter(None, (line.schedule, line.plan)))
    return [
        Text(line.kernel).append(f"\n{listed(line.nodes, 1)}\n{schedule}", style="dim"),
        str(line.calls),
        *_took(result, line.microseconds),
        *speeds,
        "" if share is None else f"{share:.0%} {line.roofline_bound}",
    ]


def _took(result: Profile, microseconds: float) -> tuple[str, str]:
    return f"{microseconds:.1f}", f"{result.share(microseconds):.1%}"
