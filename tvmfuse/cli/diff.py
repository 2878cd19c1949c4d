"""`tvmfuse diff`: what the passes did to a model's graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.console import show, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    LEVELS,
    disable_option,
    enable_option,
    examples,
    json_option,
    model_argument,
    precision_option,
    reading_options,
    target_option,
)
from tvmfuse.cli.pages import html_option, require_pages, write_page

_level = click.Choice(LEVELS, case_sensitive=False)


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse diff resnet50.onnx",
        "tvmfuse diff bert.onnx --from basic --to extended",
        "tvmfuse diff bert.onnx --around AttentionFusion",
        "tvmfuse diff net.onnx --html net.html",
    ),
)
@model_argument
@click.option(
    "--from", "from_level", type=_level, default="none", show_default=True,
    help="The level of the first graph.",
)  # fmt: skip
@click.option(
    "--to", "to_level", type=_level, default="all", show_default=True,
    help="The level of the last graph.",
)  # fmt: skip
@click.option(
    "--around", metavar="PASS",
    help="Compare the graph just before and just after this pass, on the way to --to.",
)  # fmt: skip
@disable_option
@enable_option
@target_option
@precision_option
@reading_options
@html_option
@json_option
def diff(
    *,
    model: Path,
    disable: tuple[str, ...],
    enable: tuple[str, ...],
    html: Path | None,
    as_json: bool,
    **others: Any,
) -> None:
    """Show what the passes did to MODEL's graph, before and after.

    Which operators (and ONNX nodes) were removed and which added, by which pass; then what fired,
    and what declined and what that requires. No kernel is compiled.
    """
    require_pages(html)
    from tvmfuse.measure import diff as compare
    from tvmfuse.views.terminal import report_tables

    with working(f"optimizing {model}") as progress:
        found = compare(
            model, disabled_pass=disable, enabled_pass=enable, progress=progress, **others
        )
    if as_json:
        show_json(found.to_json())
    else:
        show(found.table(), *report_tables(found.report))
    if html is not None:
        from tvmfuse.views.html import diff_fragment

        title = f"{model.name}: from {found.start} to {found.end}"
        write_page(html, title, diff_fragment(found, opened=True))
