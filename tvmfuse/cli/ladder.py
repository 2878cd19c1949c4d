"""`tvmfuse ladder`: what does each level gain?"""

from __future__ import annotations

from typing import Any

import click

from tvmfuse.cli.comparisons import measured, options
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import examples


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse ladder resnet50.onnx",
        "tvmfuse ladder bert.onnx --dim batch=1 --threads 1 --duration 60",
        "tvmfuse ladder net.onnx --target avx2 --json",
    ),
)
@options(duration_s=20.0)
def ladder(ctx: click.Context, /, **given: Any) -> None:
    """Time MODEL at every level, and say what each gains.

    The levels are none, basic, extended and layout, which is all that there is; each includes those
    before it. Outputs are compared with those of level none first; a level whose numbers are wrong,
    or that fails, gets no time. Then all levels run in turn, in one process. Printed is the speedup
    (x) of each over level none; the intervals are simultaneous: corrected for their number. Where
    two neighbours are identical code it says so. Without MODEL it takes the demo of `tvmfuse ab`.
    Ctrl-C prints what was measured so far.
    """
    from tvmfuse import measure

    measured(ctx, measure.ladder, **given)
