"""The function that draws any result as a table; some results register their own with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import singledispatch
from typing import Any

from rich.table import Table
from rich.text import Text


@singledispatch
def table(result: object, **_options: Any) -> Table:
    """Draw a result as a table for the terminal, at most 100 columns wide.

    A result that has no table of its own gets a row for each field that says something. Names out
    of a model go in as `Text`: they may hold brackets, which rich would read as markup.

    Args:
        result: What `tvmfuse.measure` found.
        _options: What some results take: `everything` (accuracy), `each` and `top` (profile).

    Raises:
        TypeError: It has no fields.
    """
    if not is_dataclass(result) or isinstance(result, type):
        raise TypeError(f"no table is drawn of {type(result).__name__}")
    drawn = Table(title=type(result).__name__.lower(), title_justify="left", show_header=False)
    drawn.add_column(no_wrap=True)
    drawn.add_column(overflow="fold")
    for field in fields(result):
        if said := _said(getattr(result, field.name)):
            drawn.add_row(field.name, Text(said))
    return drawn


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
