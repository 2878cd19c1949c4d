"""What the doctor looked at, section by section, with what is wrong below it."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from tvmfuse.doctor.diagnosis import Diagnosis
from tvmfuse.views.terminal.dispatch import table


@table.register
def _(result: Diagnosis) -> Table:
    drawn = Table(show_header=False)
    drawn.add_column(no_wrap=True)
    drawn.add_column(overflow="fold")
    section = result.checks[0].section if result.checks else ""
    for check in result.checks:
        if check.section != section:
            drawn.add_section()
            section = check.section
        said = Text(check.found)
        if check.problem:
            said.append("\n" if check.found else "").append(check.problem, style="red")
        drawn.add_row(Text(check.name, style="red" if check.problem else ""), said)
    return drawn
