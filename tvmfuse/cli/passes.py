"""`tvmfuse passes`: the names, and what they mean."""

from __future__ import annotations

import dataclasses

import click

from tvmfuse.cli.console import show, show_json
from tvmfuse.cli.options import examples, json_option


@click.command(
    epilog=examples(
        "tvmfuse passes",
        "tvmfuse passes --json",
    ),
)
@json_option
def passes(*, as_json: bool) -> None:
    """List every pass: tier, aliases, what it does, whether it is on."""
    import tvmfuse
    from tvmfuse.tables import passes_table

    infos = tvmfuse.list_passes()
    if as_json:
        show_json([dataclasses.asdict(info) for info in infos])
    else:
        show(passes_table(infos))
