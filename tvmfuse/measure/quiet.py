"""Waiting until nothing else takes the cores, and measuring while somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tvmfuse.errors import NotQuietError
from tvmfuse.measure.interleave import Run, Samples, interleave
from tvmfuse.measure.machine import Machine, Watch
from tvmfuse.progress import Step

if TYPE_CHECKING:
    from tvmfuse.measure.settings import MeasureSettings


def interleave_watched(
    runs: Sequence[Run], settings: MeasureSettings, *, baseline: int = 0
) -> tuple[Samples, Machine]:
    """Time the variants as `interleave` does, once the machine is as quiet as was asked for.

    The machine is watched before, which is the warm-up, while times are taken, and a moment after:
    so long that its load is known however short the measurement was.

    Args:
        runs: One callable per variant; a call is one run.
        settings: How long, with which clock and watch, and how quiet it has to be.
        baseline: The variant whose own spread is noted.

    Raises:
        NotQuietError: The machine has to be quiet, and is not before anything is timed.
    """
    watch = settings.watching
    waited_s = _wait(watch, settings)
    watch.begin()

    def progress(step: str) -> None:
        watch.look("measuring" if step == "measuring" else "before")
        settings.progress(step)

    watch.look("before")
    samples = interleave(runs, replace(settings, progress=progress))
    try:
        watch.rest()
    except KeyboardInterrupt:
        samples = replace(samples, interrupted=True)
    machine = watch.finish(samples.milliseconds[:, baseline])
    return samples, replace(machine, waited_s=waited_s)


def _wait(watch: Watch, settings: MeasureSettings) -> float:
    """Look, and wait where somebody asked for it; return the seconds that it took."""
    asked = settings.quiet
    if not (asked.wait_s or asked.required):
        return 0.0
    begin_s = watch.now_s()
    while True:
        found = _idle_look(watch)
        waited_s = watch.now_s() - begin_s
        if found.quiet or (found.quiet is None and not asked.required):
            return waited_s
        if found.quiet is None or waited_s >= asked.wait_s:
            if asked.required:
                raise NotQuietError(found.disturbances, waited_s)
            return waited_s
        words = f"waiting for a quiet machine: {found.disturbances[0]}"
        settings.progress(Step(words, waited_s / asked.wait_s))


def _idle_look(watch: Watch) -> Machine:
    """Return what the machine does while this process sleeps."""
    watch.begin()
    watch.look("before")
    watch.rest()
    return watch.finish()
