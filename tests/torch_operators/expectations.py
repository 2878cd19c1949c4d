"""What is expected of each entry, in a file of lines: those that are not there pass.

A line has the entry's name, its dtype, the outcome, and the operator with the reason.
`python -m pytest tests/torch_operators --renew` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from outcome import PASS, Outcome

Table = Mapping[tuple[str, str], Outcome]

FILE: Final = Path(__file__).with_name("expected.txt")


def expected() -> dict[tuple[str, str], Outcome]:
    """Read what is expected, by entry and dtype."""
    table = {}
    for line in FILE.read_text().splitlines() if FILE.exists() else ():
        name, dtype, kind, operator, *why = line.split(maxsplit=4)
        table[name, dtype] = Outcome(kind, operator.removesuffix(":"), *why)
    return table


def renew(found: Table) -> None:
    """Write down what was found; of entries that did not run, what was written stays."""
    table = {**expected(), **found}
    lines = [
        f"{name} {dtype} {o.kind} {o.operator}: {o.why}".rstrip() + "\n"
        for (name, dtype), o in sorted(table.items(), key=lambda row: row[0])
        if o.kind != PASS
    ]
    FILE.write_text("".join(lines))
