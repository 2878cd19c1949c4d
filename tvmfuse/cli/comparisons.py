"""What the verbs `ladder` and `ablate` have in common: their options, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tvmfuse.cli.console import measuring, show, show_json
from tvmfuse.cli.options import (
    cache_option,
    duration_option,
    json_option,
    model_or_demo,
    precision_option,
    reading_options,
    seed_option,
    target_option,
    threads_option,
    tolerance_option,
)
from tvmfuse.cli.pages import (
    html_option,
    picture_option,
    require_pages,
    write_page,
    write_picture,
)
from tvmfuse.cli.quiet import end, quiet_options, taken

if TYPE_CHECKING:
    from tvmfuse.measure import Ablation, Ladder


def options(duration_s: float) -> Callable[[Any], Any]:
    """Declare a model, how it is compiled and how long it is measured."""
    declared = (
        *(model_or_demo, target_option, precision_option, tolerance_option, threads_option),
        *(reading_options, cache_option),
        *(duration_option(duration_s), quiet_options, seed_option),
        *(html_option, picture_option, json_option),
    )

    def decorate(function: Any) -> Any:
        for option in reversed(declared):
            function = option(function)
        return click.pass_context(function)

    return decorate


def measured(
    ctx: click.Context,
    measure: Callable[..., Ablation | Ladder],
    *,
    model: Path | None,
    html: Path | None,
    picture: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Measure a model, or the demo; print what was found, and write and draw what was asked for."""
    require_pages(html, picture)
    quiet = taken(settings)
    from tvmfuse.demo import wee_net

    with measuring() as progress:
        source = wee_net() if model is None else model
        found = measure(source, progress=progress, quiet=quiet, **settings)
    if as_json:
        show_json(found.to_json())
    else:
        show(found.table())
    if html is not None:
        write_page(html, f"tvmfuse {ctx.info_name} {found.model}", found.to_html())
    if picture is not None:
        write_picture(picture, found.chart())
    end(ctx, found, quiet)
