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
        "tvmfuse passes --steps",
    ),
)
@json_option
@click.option("--markdown", is_flag=True, help="Print them as a Markdown page.")
@click.option("--steps", is_flag=True, help="List the steps of kernels instead.")
def passes(*, as_json: bool, markdown: bool, steps: bool) -> None:
    """List every pass: tier, aliases, what it does, whether it is on.

    With --steps, what kernels are made with: each step can be left out by --disable-step.
    """
    import tvmfuse
    from tvmfuse.schedules.steps import STEPS
    from tvmfuse.views.terminal import passes_markdown, passes_table, steps_table

    if steps and markdown:
        raise click.UsageError("--markdown prints the page of passes; leave --steps")
    if steps:
        rows = [dataclasses.asdict(step) for step in STEPS]
        show_json(rows) if as_json else show(steps_table(STEPS))
        return
    infos = tvmfuse.list_passes()
    if as_json:
        show_json([dataclasses.asdict(info) for info in infos])
    elif markdown:
        click.echo(passes_markdown(infos))
    else:
        show(passes_table(infos))
