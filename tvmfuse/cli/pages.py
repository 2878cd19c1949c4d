"""Writing pages and pictures: what that takes is asked for before the long work starts."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

import click

from tvmfuse.cli.options import output_option
from tvmfuse.errors import ConfigurationError

NEEDED: Final = ("jinja2", "matplotlib", "grandalf")

html_option = output_option("--html", words="Also write a page here.")
picture_option = output_option("--picture", words="Also draw the speedups here, as SVG.")


def require_pages(*outputs: Path | None) -> None:
    """Refuse to write a page or a picture where the libraries for that are not installed.

    Raises:
        ConfigurationError: It names them, and how to install them.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    asked = [str(output) for output in outputs if output is not None]
    if asked and missing:
        raise ConfigurationError(
            f"writing {' and '.join(asked)} requires {', '.join(missing)}, which the extra "
            "`report` installs: python -m pip install 'tvmfuse[report]'"
        )


def write_page(path: Path, title: str, *fragments: str) -> None:
    """Write fragments as a page."""
    from tvmfuse.format.atomic import write_text
    from tvmfuse.views.html import document

    write_text(path, document(title, *fragments))


def write_picture(path: Path, chart: str) -> None:
    """Write a chart as a file of its own; where there is nothing to draw, say so."""
    from tvmfuse.format.atomic import write_text
    from tvmfuse.views.html.charts import alone

    if chart:
        write_text(path, alone(chart))
    else:
        click.secho(f"{path}: not written: nothing was timed to draw", err=True, fg="yellow")
