"""`tvmfuse passes`: the names, and what they mean."""

from __future__ import annotations

import dataclasses

import click

from tvmfuse.cli.console import show, show_json
from tvmfuse.cli.options import json_option


@click.command()
@json_option
def passes(as_json: bool) -> None:
    """List every pass: its tier, other names it goes by, what it does, whether it is on.

    \b
    Examples:
      tvmfuse passes
      tvmfuse passes --json
    """
    import tvmfuse
    from tvmfuse.tables import passes_table

    infos = tvmfuse.list_passes()
    if as_json:
        show_json([dataclasses.asdict(info) for info in infos])
    else:
        show(passes_table(infos))
