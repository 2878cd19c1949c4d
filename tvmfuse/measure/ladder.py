"""What each level gains: none, basic, extended and layout, interleaved."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.measure.agreement import TOLERANCE, Array
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.many import LEAST_ROUNDS, PAUSE_S, compare_candidates
from tvmfuse.measure.results.comparisons import Timing
from tvmfuse.measure.results.ladder import Ladder, Rung
from tvmfuse.measure.runners import Runner, Workload, compiling, make_runner
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.variants import VariantSettings, pools_of_their_own
from tvmfuse.pipeline.compile import Model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.progress import Progress, silent

LEVELS: Final = ("none", "basic", "extended", "layout")
"""Each includes those before it. `all` is `layout`: there is no tier after it."""


def ladder(
    model: Model,
    *,
    target: Any = "llvm",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 20.0,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Ladder:
    """Compile a model at every level, compare the numbers with level none's, and time all in turn.

    A level that fails or is wrong is listed without a time; the others go on, unless it is none.

    Args:
        model: As `tvmfuse.compile` takes it.
        target: Likewise.
        threads: Threads that compute one run; None lets the runtime choose.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name.
        inputs: An array for each input; None: random ones.
        seed: Seed for random inputs, for the order and for the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by the levels; longer where that is too short for
            intervals.
        tolerance: Of the largest error, by the largest magnitude of the reference.
        progress: Called with each step and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: Level none does not compile.
    """
    base = VariantSettings(target=target, threads=threads)
    settings = MeasureSettings(
        duration_s=duration_s,
        least_rounds=LEAST_ROUNDS,
        pause_s=PAUSE_S if pools_of_their_own([base]) else 0.0,
        threads=threads,
        tolerance=tolerance,
        seed=seed,
        progress=progress or silent,
        clock=clock,
    )
    compiled_with = CompileSettings.of(target, shapes=shapes, dims=dims, cache=cache)
    workload = Workload(model, compiled_with, inputs, seed)
    runners, failed = _compiled(workload, base, settings)
    feeds = workload.feeds(runners[LEVELS[0]])
    none, *others = [runner.variant(feeds) for runner in runners.values()]
    done = compare_candidates(none, others, settings)
    rungs = {LEVELS[0]: Rung(LEVELS[0], done.baseline, None, 0.0, None, identical_code=False)}
    for level, candidate in zip([*runners][1:], done.candidates, strict=True):
        before = runners.get(LEVELS[LEVELS.index(level) - 1])
        same = before is not None and runners[level].same_kernels(before)
        rungs[level] = Rung.of(level, candidate, identical_code=same)
    rungs |= failed
    return Ladder(workload.name, tuple(rungs[level] for level in LEVELS), done)


def _compiled(
    workload: Workload, base: VariantSettings, settings: MeasureSettings
) -> tuple[dict[str, Runner], dict[str, Rung]]:
    """Compile every level; return those that can be run, and the rungs of those that cannot."""
    runners: dict[str, Runner] = {}
    failed: dict[str, Rung] = {}
    for place, level in enumerate(LEVELS):
        variant = replace(base, level=level)
        try:
            report = compiling(settings.progress, f"level {level}", place / len(LEVELS))
            runners[level] = make_runner(workload, variant, report)
        except TvmfuseError as error:
            if level == LEVELS[0]:
                raise
            timing = Timing(variant.title, variant.to_json(), 0, None)
            why = first_line(error)
            failed[level] = Rung(level, timing, None, None, why, identical_code=False, failed=True)
    return runners, failed
