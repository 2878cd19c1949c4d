"""What each level gains: none, basic, extended and layout, interleaved."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import Array, tolerance_for
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.machine import Watch
from tvmfuse.measure.many import compare_candidates, compared, outputs_of, settings_for
from tvmfuse.measure.results.comparisons import Candidate, Timing
from tvmfuse.measure.results.ladder import Ladder, Rung
from tvmfuse.measure.runners import Runner, Workload, compiling, make_runner
from tvmfuse.measure.settings import MeasureSettings, Quiet
from tvmfuse.measure.variants import VariantSettings
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import GivenModel, source_of
from tvmfuse.progress import Progress
from tvmfuse.size_ranges import GivenSizes

LEVELS: Final = ("none", "basic", "extended", "layout")
"""Each includes those before it. `all` is `layout`: there is no tier after it."""


def ladder(
    model: GivenModel,
    *,
    target: Any = "llvm",
    precision: str = "f32",
    threads: int | None = None,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 20.0,
    tolerance: float | None = None,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Ladder:
    """Compile a model at every level, compare the numbers with level none's, and time all in turn.

    A level that fails or is wrong is listed without a time; the others go on, unless it is none.
    Levels that launch the same kernels are timed once.

    Args:
        model: As `tvmfuse.compile` takes it.
        target: Likewise.
        precision: Likewise; levels without its passes are in float32.
        threads: Threads that compute one run; None lets the runtime choose.
        example_inputs: Of a PyTorch module; as `tvmfuse.compile` takes them. It runs on them.
        dynamic_shapes: Of a PyTorch module; as `tvmfuse.compile` takes them.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name.
        limits: As `tvmfuse.compile` takes them.
        inputs: An array for each input; None: random ones.
        seed: Seed for random inputs, for the order and for the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by the levels; longer where that is too short for
            intervals.
        tolerance: Of the largest error, by the largest magnitude of the reference; None: that
            of the precision.
        progress: Called with each step and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: Level none does not compile.
        NotQuietError: The machine has to be quiet, and is not.
    """
    base = VariantSettings(target=target, threads=threads, precision=precision)
    settings = settings_for(
        [base],
        duration_s=duration_s,
        tolerance=tolerance_for(tolerance, precision),
        seed=seed,
        progress=progress,
        clock=clock,
        watch=watch,
        quiet=quiet,
    )
    compiled_with = CompileSettings.of(
        target, shapes=shapes, dims=dims, cache=cache, limits=limits, precision=precision
    )
    workload = Workload(
        source_of(model, example_inputs, dynamic_shapes), compiled_with, inputs, seed
    )
    runners, failed = _compiled(workload, base, settings)
    feeds = workload.feeds(runners[LEVELS[0]])
    variants = {level: runner.variant(feeds) for level, runner in runners.items()}
    none = variants.pop(LEVELS[0])
    same_as = {level: _first_alike(level, runners) for level in variants}
    expected = outputs_of(none)
    timed = [level for level in variants if same_as[level] is None]
    done = compare_candidates(none, [variants[n] for n in timed], settings, expected=expected)
    candidates = dict(zip(timed, done.candidates, strict=True))
    for level, twin in same_as.items():
        if twin is not None:
            found = compared(expected, variants[level], settings.tolerance)
            candidates[level] = _timed_as(found, candidates.get(twin), done.baseline)
    done = replace(done, candidates=tuple(candidates[level] for level in variants))
    rungs = {LEVELS[0]: Rung(LEVELS[0], done.baseline, None, 0.0, None, same_as=None)}
    rungs |= {n: Rung.of(n, candidates[n], same_as=same_as[n]) for n in variants}
    rungs |= failed
    conditions = workload.conditions(runners[LEVELS[0]], feeds)
    return Ladder(workload.name, tuple(rungs[level] for level in LEVELS), done, conditions)


def _compiled(
    workload: Workload, base: VariantSettings, settings: MeasureSettings
) -> tuple[dict[str, Runner], dict[str, Rung]]:
    """Compile every level; return those that can be run, and the rungs of those that cannot."""
    runners: dict[str, Runner] = {}
    failed: dict[str, Rung] = {}
    for place, level in enumerate(LEVELS):
        variant = base.at(level)
        try:
            report = compiling(settings.progress, f"level {level}", place / len(LEVELS))
            runners[level] = make_runner(workload, variant, report)
        except TvmfuseError as error:
            if level == LEVELS[0]:
                raise
            timing = Timing(variant.title, variant.to_json(), 0, None)
            why = first_line(error)
            failed[level] = Rung(level, timing, None, None, why, same_as=None, failed=True)
    return runners, failed


def _first_alike(level: str, runners: Mapping[str, Runner]) -> str | None:
    """Return the first level below one that launches the same kernels."""
    below = LEVELS[: LEVELS.index(level)]
    alike = (n for n in below if n in runners and runners[level].same_kernels(runners[n]))
    return next(alike, None)


def _timed_as(found: Candidate, twin: Candidate | None, baseline: Timing) -> Candidate:
    """Give a level the times of the one whose kernels are the same: level none's, or another's."""
    if found.problem:
        return found
    timed = twin.timing if twin else baseline
    summary, calls = timed.summary, timed.calls_per_sample
    timing = replace(found.timing, summary=summary, calls_per_sample=calls)
    return replace(found, timing=timing, ratio=twin.ratio if twin else None)
