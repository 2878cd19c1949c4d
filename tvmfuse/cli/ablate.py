"""`tvmfuse ablate`: what is each pass worth?"""

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
        "tvmfuse ablate resnet50.onnx",
        "tvmfuse ablate resnet50.onnx --html ablation.html --picture ablation.svg",
        "tvmfuse ablate bert.onnx --dim batch=1 --threads 1 --duration 120",
        "tvmfuse ablate net.onnx --target avx2 --json",
    ),
)
@model_or_demo
@target_option
@threads_option
@shape_option
@dim_option
@cache_option
@duration_option(60.0)
@seed_option
@html_option
@picture_option
@json_option
@click.pass_context
def ablate(
    ctx: click.Context,
    /,
    *,
    model: Path | None,
    html: Path | None,
    picture: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Time MODEL with each pass off alone, and on alone.

    Every pass that fires at level all is left out of level all, and is the only one over level none
    (FuseOps with FuseTIR, without which it shows nothing). Where that changes no kernel there is
    nothing to time. Outputs are compared first; an arm whose numbers are wrong gets no time.
    Printed is how many times as fast the model is with the pass as without it: above 1 it pays.
    The intervals are corrected for the number of arms. Without MODEL it
    takes the demo of `tvmfuse ab`. Ctrl-C prints what was measured so far.
    """
    require_pages(html, picture)
    from tvmfuse import measure
    from tvmfuse.demo import wee_net

    with measuring() as progress:
        source = wee_net() if model is None else model
        found = measure.ablate(source, progress=progress, **settings)
    if html is not None:
        write_page(html, f"tvmfuse ablate {found.model}", found.to_html())
    if picture is not None:
        write_picture(picture, found.chart())
    if as_json:
        show_json(found.to_json())
    else:
        show(found.table())
    if found.interrupted:
        ctx.exit(INTERRUPTED)
