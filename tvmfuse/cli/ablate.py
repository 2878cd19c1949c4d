"""`tvmfuse ablate`: what is each pass worth?"""

from __future__ import annotations

from typing import Any

import click

from tvmfuse.cli.comparisons import measured, options
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import enable_option, examples


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse ablate resnet50.onnx",
        "tvmfuse ablate resnet50.onnx --html ablation.html --picture ablation.svg",
        "tvmfuse ablate bert.onnx --dim batch=1 --threads 1 --duration 120",
        "tvmfuse ablate net.onnx --target avx2 --json",
        "tvmfuse ablate resnet50.onnx --steps",
        "tvmfuse ablate resnet50.onnx --pass my_package.module:MyRule",
    ),
)
@options(duration_s=60.0)
@enable_option
@click.option("--steps", is_flag=True, help="Leave out steps of kernels instead of passes.")
def ablate(ctx: click.Context, /, enable: tuple[str, ...], **given: Any) -> None:
    """Time MODEL with each pass, or step of its kernels, off alone.

    Every pass that fires at level all is left out of it (leave-one-out), and is the only one over
    level none (one-at-a-time; FuseOps with FuseTIR, without which it shows nothing). Where that is
    identical code, it is not timed. Outputs are compared with level none's first, and a wrong
    variant gets no time; where level all itself is wrong, it is said without which pass the numbers
    are right.

    With --steps each step that a kernel takes is left out (`tvmfuse passes --steps` lists them):
    that says which kernel optimization pays on this model.

    Printed is the speedup (x) by each pass: above 1 the model is slower when it is disabled. The
    intervals are simultaneous: corrected for the number of variants. Without MODEL it takes the
    demo of `tvmfuse ab`. Ctrl-C prints what was measured so far.
    """
    from tvmfuse import measure

    measured(ctx, measure.ablate, enabled_pass=enable, **given)
