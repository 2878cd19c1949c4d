"""What the passes did, what they declined, and which were off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tvmfuse.views.terminal.names import listed
from tvmfuse.views.terminal.parts import handed_table

if TYPE_CHECKING:
    from tvmfuse.report import OptimizationReport, PassReport


def report_tables(report: OptimizationReport) -> tuple[RenderableType, ...]:
    """Show what each pass did, what it declined and why, the passes that were off, and the rest."""
    ran = [entry for entry in report.passes if entry.status == "ran"]
    head = Text(
        f"level {report.level}: {report.ops_before} operators -> {report.ops_after}, "
        f"{report.kernels} kernels, {report.seconds:.2f} s"
    )
    off = [Text(f"{status}: {', '.join(names)}") for status, names in _off(report.passes).items()]
    off += [Text(f"disabled steps: {', '.join(report.steps_disabled)}")] * bool(
        report.steps_disabled
    )
    declined = [_declined_table(ran)] if any(entry.declined for entry in ran) else []
    notes = [Text(f"{entry.name}: {entry.note}") for entry in report.passes if entry.note]
    handed = [handed_table(report.handed_over)] if report.handed_over else []
    return (head, _fired_table(ran), *notes, *declined, *off, *handed)


def _fired_table(ran: Iterable[PassReport]) -> Table:
    table = Table(title="what the passes did", title_justify="left")
    table.add_column("pass", no_wrap=True)
    table.add_column("tier", no_wrap=True)
    for column in ("fired", "operators", "ms", "declined"):
        table.add_column(column, justify="right", no_wrap=True)
    for entry in ran:
        table.add_row(
            Text(entry.name),
            entry.tier,
            str(entry.fired),
            f"{entry.ops_before} -> {entry.ops_after}",
            f"{entry.seconds * 1e3:.1f}",
            str(sum(decline.count for decline in entry.declined)),
            style=None if entry.fired else "dim",
        )
    return table


def _declined_table(ran: Iterable[PassReport]) -> Table:
    table = Table(title="declined", title_justify="left")
    table.add_column("pass", overflow="fold")
    table.add_column("matches", justify="right", no_wrap=True)
    table.add_column("requires", overflow="fold")
    table.add_column("ONNX nodes", overflow="fold")
    for entry in ran:
        for decline in entry.declined:
            nodes = Text(listed(decline.nodes))
            table.add_row(Text(entry.name), str(decline.count), Text(decline.reason), nodes)
    return table


def _off(passes: Iterable[PassReport]) -> dict[str, list[str]]:
    off: dict[str, list[str]] = {}
    for entry in passes:
        if entry.status != "ran":
            off.setdefault(entry.status, []).append(entry.name)
    return off
