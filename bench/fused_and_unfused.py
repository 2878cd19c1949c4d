"""One model with and without the passes that fuse operators: compiled, compared, timed in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import tvmfuse
from bench.command import watched
from bench.variants import Race
from tvmfuse.cli.console import working
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.passes.selection import list_passes

FUSIONS: Final = tuple(info.name for info in list_passes() if "fus" in info.name.casefold())
"""The passes that make one operator, or one kernel, of several: their names say so."""

FUSED: Final = "with fusion"
UNFUSED: Final = "without fusion"


@dataclass(frozen=True, eq=False)
class Raced:
    """What was found of one model.

    Attributes:
        kernels: Launched by the fused variant.
        kernels_unfused: Launched by the other.
        race: Of `FUSED` and `UNFUSED`, on inputs bound once.
    """

    kernels: int
    kernels_unfused: int
    race: Race


def raced(
    model: Any, title: str, *, threads: int, duration_s: float, **options: Any
) -> Iterator[Raced]:
    """Compare the numbers of both variants, then time them; yield nothing where nothing was timed.

    Args:
        model: As `tvmfuse.compile` takes it.
        title: What to call it while the work goes on.
        threads: That compute one run.
        duration_s: Seconds to measure.
        options: Of `tvmfuse.compile`.

    Raises:
        WrongNumbersError: They differ; then nothing is timed.
        KeyboardInterrupt: After what was measured until then.
    """
    with working(title) as progress:
        fused, unfused = (
            tvmfuse.compile(model, disabled_pass=off, progress=progress, **options)
            for off in ((), FUSIONS)
        )
    artifacts = {UNFUSED: unfused, FUSED: fused}
    runs = {variant: art.load(num_threads=threads) for variant, art in artifacts.items()}
    feeds = random_inputs(runs[FUSED].inputs, seed=1)
    done = watched(
        title,
        {variant: partial(run, feeds) for variant, run in runs.items()},
        timed={variant: run.bound(feeds) for variant, run in runs.items()},
        duration_s=duration_s,
        threads=threads,
    )
    if done.measured:
        yield Raced(len(fused.manifest.kernels), len(unfused.manifest.kernels), done)
    if done.samples.interrupted:
        raise KeyboardInterrupt
