"""What stands over a table whose times give no verdict."""

from __future__ import annotations

from typing import Final

from rich.text import Text

BANNER: Final = "bold yellow"
DOUBTFUL: Final = "dim"
"""Of rows in which nothing is claimed."""


def titled(title: str, banner: str) -> Text:
    """Return a table's title, below its banner where there is one."""
    return Text.assemble(*([(f"{banner}\n", BANNER)] if banner else []), title)
