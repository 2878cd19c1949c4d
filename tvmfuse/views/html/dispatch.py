"""The functions that draw any result for a page; each result's own are registered with them."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from markupsafe import Markup

from tvmfuse.views.html.document import section
from tvmfuse.views.html.tables import from_table
from tvmfuse.views.terminal import table


@singledispatch
def fragment(result: object, **_options: Any) -> Markup:
    """Draw a result as a fragment of a page: its table, its charts, what it says.

    A result that has no fragment of its own gets its table.

    Args:
        result: What `tvmfuse.measure` found.
        _options: What some results take: `banner` (what is timed), whether to begin with it.

    Raises:
        TypeError: No table is drawn of it.
    """
    return section(type(result).__name__, from_table(table(result)))


@singledispatch
def chart(result: object) -> Markup:
    """Draw a result as a chart; nothing where nothing was timed.

    Raises:
        TypeError: No chart is drawn of this type.
    """
    raise TypeError(f"no chart is drawn of {type(result).__name__}")
