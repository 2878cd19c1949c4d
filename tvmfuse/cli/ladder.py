"""`tvmfuse ladder`: what does each level gain?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.boundary import INTERRUPTED
from tvmfuse.cli.console import measuring, show, show_json
from tvmfuse.cli.options import (
    cache_option,
    dim_option,
    duration_option,
    examples,
    json_option,
    model_or_demo,
    seed_option,
    shape_option,
    target_option,
    threads_option,
)
from tvmfuse.cli.pages import (
    html_option,
    picture_option,
    require_pages,
    write_page,
    write_picture,
)


@click.command(
    epilog=examples(
        "tvmfuse ladder resnet50.onnx",
        "tvmfuse ladder bert.onnx --dim batch=1 --threads 1 --duration 60",
        "tvmfuse ladder net.onnx --target avx2 --json",
    ),
)
@model_or_demo
@target_option
@threads_option
@shape_option
@dim_option
@cache_option
@duration_option(20.0)
@seed_option
@html_option
@picture_option
@json_option
@click.pass_context
def ladder(
    ctx: click.Context,
    /,
    *,
    model: Path | None,
    html: Path | None,
    picture: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Time MODEL at every level, and say what each gains.

    The levels are none, basic, extended and layout, which is all that there is; each includes those
    before it. Outputs are compared with those of level none first; a level whose numbers are wrong
    gets no time. Then all levels run in turn, in one process. Printed is how many times as fast as
    level none each is; the intervals are corrected for their number. Where two neighbours launch
    the same kernels it says so. Without MODEL it
    takes the demo of `tvmfuse ab`. Ctrl-C prints what was measured so far.
    """
    require_pages(html, picture)
    from tvmfuse import measure
    from tvmfuse.demo import wee_net

    with measuring() as progress:
        source = wee_net() if model is None else model
        found = measure.ladder(source, progress=progress, **settings)
    if html is not None:
        write_page(html, f"tvmfuse ladder {found.model}", found.to_html())
    if picture is not None:
        write_picture(picture, found.chart())
    if as_json:
        show_json(found.to_json())
    else:
        show(found.table())
    if found.interrupted:
        ctx.exit(INTERRUPTED)
