"""`tvmfuse ablate`: what is each pass worth?"""

from __future__ import annotations

from typing import Any

import click

from tvmfuse.cli.options import examples
from tvmfuse.cli.standings import measured, options


@click.command(
    epilog=examples(
        "tvmfuse ablate resnet50.onnx",
        "tvmfuse ablate resnet50.onnx --html ablation.html --picture ablation.svg",
        "tvmfuse ablate bert.onnx --dim batch=1 --threads 1 --duration 120",
        "tvmfuse ablate net.onnx --target avx2 --json",
    ),
)
@options(duration_s=60.0)
def ablate(ctx: click.Context, /, **given: Any) -> None:
    """Time MODEL with each pass off alone, and on alone.

    Every pass that fires at level all is left out of level all, and is the only one over level none
    (FuseOps with FuseTIR, without which it shows nothing). Where that changes no kernel there is
    nothing to time. Outputs are compared with level none's first, and a wrong arm gets no time;
    where level all itself is wrong, it is said without which pass the numbers are right.

    Printed is how many times as fast the model is with the pass as without it: above 1 it pays. The
    intervals are corrected for the number of arms. Without MODEL it takes the demo of `tvmfuse ab`.
    Ctrl-C prints what was measured so far.
    """
    from tvmfuse import measure

    measured(ctx, measure.ablate, **given)
