"""The passes that there are, as a table and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from tvmfuse.passes.selection import PassInfo


def passes_table(infos: Iterable[PassInfo]) -> Table:
    """List the passes in running order: phase, tier, default, what each does, its other names."""
    table = Table(title="passes, in running order", title_justify="left", show_lines=True)
    table.add_column("name", no_wrap=True)
    table.add_column("phase", no_wrap=True)
    table.add_column("tier", no_wrap=True)
    table.add_column("default", no_wrap=True)
    table.add_column("what it does")
    for info in infos:
        words = Text(info.summary)
        if info.aliases:
            words.append(f"\nalso: {', '.join(info.aliases)}", style="dim")
        tier, default = info.tier, "on" if info.default else "off"
        if info.required:
            tier, default = "-", "always"
        table.add_row(Text(info.name), info.phase, tier, default, words)
    return table


def passes_markdown(infos: Iterable[PassInfo]) -> str:
    """Write the passes as a Markdown page, one table for each phase."""
    lines = [
        "# The passes",
        "",
        "Written by `tvmfuse passes --markdown`, in running order: one table for each phase.",
        "A tier is the level that brings a pass in. Required passes run at every level.",
    ]
    for phase, members in groupby(infos, key=lambda info: info.phase):
        rows = list(members)
        tier = "required" if rows[0].required else f"tier {rows[0].tier}"
        heading = f"## {phase.capitalize()} ({tier})"
        lines += ["", heading, "", "| pass | what it does |", "|---|---|"]
        for info in rows:
            opt_in = "" if info.default else " *(opt-in)*"
            lines.append(f"| `{info.name}` | {info.summary}{opt_in} |")
    return "\n".join(lines)
