"""`tvmfuse passes`: the names, and what they mean."""

from __future__ import annotations

import dataclasses

import click

from tvmfuse.cli.console import show, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import examples, json_option


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse passes",
        "tvmfuse passes --json",
        "tvmfuse passes --markdown",
        "tvmfuse passes --steps",
        "tvmfuse passes --steps --markdown",
    ),
)
@json_option
@click.option("--markdown", is_flag=True, help="Print them as a Markdown page.")
@click.option("--steps", is_flag=True, help="List the steps of kernels instead.")
def passes(*, as_json: bool, markdown: bool, steps: bool) -> None:
    """List every pass: tier, aliases, what it does, its default.

    With --steps, what kernels are made with: each step can be left out by --disable-step.
    """
    import tvmfuse
    from tvmfuse.schedules.steps import STEPS
    from tvmfuse.views.terminal import (
        passes_markdown,
        passes_table,
        steps_markdown,
        steps_table,
    )

    infos = tvmfuse.list_passes()
    if as_json:
        show_json([dataclasses.asdict(row) for row in (STEPS if steps else infos)])
    elif markdown:
        click.echo(steps_markdown(STEPS) if steps else passes_markdown(infos))
    else:
        show(steps_table(STEPS) if steps else passes_table(infos))
