"""`tvmfuse inspect`: the manifest of a compiled file."""

from __future__ import annotations

import click

from tvmfuse.cli.console import show, show_json
from tvmfuse.cli.options import json_option, model_argument


@click.command()
@model_argument
@json_option
def inspect(model: str, as_json: bool) -> None:
    """Show what the compiled file MODEL contains, without loading its code.

    \b
    Examples:
      tvmfuse inspect resnet50.so
      tvmfuse inspect resnet50.so --json
    """
    import tvmfuse
    from tvmfuse.tables import manifest_tables

    manifest = tvmfuse.inspect(model)
    if as_json:
        show_json(manifest.to_json())
    else:
        show(*manifest_tables(manifest))
