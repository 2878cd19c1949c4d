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
        "tvmfuse passes --markdown",
    ),
)
@json_option
@click.option("--markdown", is_flag=True, help="Print them as a Markdown page.")
def passes(*, as_json: bool, markdown: bool) -> None:
    """List every pass: tier, aliases, what it does, whether it is on."""
    import tvmfuse
    from tvmfuse.views.terminal import passes_markdown, passes_table

    infos = tvmfuse.list_passes()
    if as_json:
        show_json([dataclasses.asdict(info) for info in infos])
    elif markdown:
        click.echo(passes_markdown(infos))
    else:
        show(passes_table(infos))
