"""`tvmfuse inspect`: the manifest of a compiled file."""

from __future__ import annotations

from pathlib import Path

import click

from tvmfuse.cli.console import show, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import examples, json_option, model_argument


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse inspect resnet50.so",
        "tvmfuse inspect resnet50.so --json",
        "tvmfuse inspect resnet50.so --check",
    ),
)
@model_argument
@click.option(
    "--check",
    is_flag=True,
    help="Compare all of the file with its checksum and with the SHA-256 that is shown.",
)
@json_option
def inspect(model: Path, *, check: bool, as_json: bool) -> None:
    """Show what a compiled file contains, without loading its code."""
    import tvmfuse
    from tvmfuse.views.terminal import manifest_tables

    manifest = tvmfuse.inspect(model, check=check)
    if as_json:
        show_json(manifest.to_json())
    else:
        show(*manifest_tables(manifest))
