"""What can be done with every result: write it as JSON, print it as a table, put it on a page.

A result holds figures and knows nothing of how they are drawn. The views that draw it live above
it, so they are handed down: `tvmfuse/__init__.py` names their package, and a view is imported when
a result is first drawn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tvmfuse.errors import ConfigurationError

if TYPE_CHECKING:
    from markupsafe import Markup
    from rich.table import Table

_package: str | None = None


def drawn_by(package: str) -> None:
    """Say which package draws results: it has ``terminal.table``, ``json.to_json`` and so on."""
    global _package
    _package = package


def view(name: str) -> Any:
    """Return a view, which is imported when it is first asked for.

    Raises:
        ConfigurationError: It requires a package that is not installed.
    """
    if _package is None:
        raise ConfigurationError(f"the view {name!r} is drawn by tvmfuse.views: import tvmfuse")
    try:
        return importlib.import_module(f"{_package}.{name}")
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"the view {name!r} requires {error.name}: python -m pip install 'tvmfuse[report]'"
        ) from error


class Record:
    """Figures that can be written down."""

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON's types; what is not finite is None."""
        record: dict[str, Any] = view("json").to_json(self)
        return record


class Result(Record):
    """What a measurement found: figures, to be drawn in several ways."""

    def table(self) -> Table:
        """Return a table for the terminal, at most 100 columns wide."""
        drawn: Table = view("terminal").table(self)
        return drawn

    def to_html(self) -> Markup:
        """Return a fragment for `tvmfuse.views.html.document`.

        Raises:
            ConfigurationError: The extra ``report`` is not installed.
        """
        drawn: Markup = view("html").fragment(self)
        return drawn
