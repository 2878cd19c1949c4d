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
    model_argument,
    seed_option,
    shape_option,
    target_option,
    threads_option,
)


@click.command(
    epilog=examples(
        "tvmfuse ablate resnet50.onnx",
        "tvmfuse ablate bert.onnx --dim batch=1 --threads 1 --duration 120",
        "tvmfuse ablate net.onnx --target avx2 --json",
    ),
)
@model_argument
@target_option
@threads_option
@shape_option
@dim_option
@cache_option
@duration_option(60.0)
@seed_option
@json_option
@click.pass_context
def ablate(ctx: click.Context, /, *, model: Path, as_json: bool, **settings: Any) -> None:
    """Time MODEL with each pass off alone, and on alone.

    Every pass that fires at level all is left out of level all, and is the only one over level none
    (FuseOps with FuseTIR, without which it shows nothing). Where that changes no kernel there is
    nothing to time. Outputs are compared first; an arm whose numbers are wrong gets no time.
    Printed is how many times as fast the model is with the pass as without it: above 1 it pays.
    The intervals are corrected for the number of arms. Ctrl-C prints what was measured so far.
    """
    from tvmfuse import measure

    with measuring() as progress:
        found = measure.ablate(model, progress=progress, **settings)
    if as_json:
        show_json(found.to_json())
    else:
        show(found.table())
    if found.interrupted:
        ctx.exit(INTERRUPTED)
