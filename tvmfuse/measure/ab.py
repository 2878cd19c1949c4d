"""A baseline and a candidate side by side: first their numbers, then their times."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tvmfuse.errors import CompilationError
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import TOLERANCE, Array, require_agreement, tolerance_for
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.machine import Watch
from tvmfuse.measure.many import Variant, compare_candidates, settings_for
from tvmfuse.measure.results.comparison import Comparison
from tvmfuse.measure.runners import Runner, Workload, compiling, make_runner
from tvmfuse.measure.settings import MeasureSettings, Quiet
from tvmfuse.measure.statistics import CONFIDENCE
from tvmfuse.measure.variants import VariantSettings, read_variant
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import GivenModel, source_of
from tvmfuse.progress import Progress, silent
from tvmfuse.size_ranges import GivenSizes


def compare(
    a: Variant,
    b: Variant,
    *,
    duration_s: float | None = 10.0,
    rounds: int | None = None,
    least_rounds: int = 2,
    warm_up_s: float = 2.0,
    pause_s: float = 0.0,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Comparison:
    """Compare two variants' outputs, then their times: interleaved, paired, with an interval.

    Args:
        a: The baseline.
        b: The candidate, whose time is the ratio's numerator.
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each variant; None: as many as fit in the duration.
        least_rounds: How many samples of each variant are taken though the duration is over.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        pause_s: See `MeasureSettings`.
        tolerance: Of the largest error, by the largest magnitude of the reference, for
            floating-point outputs.
        confidence: With which the interval of the ratio holds the truth.
        seed: Seed for the order and the bootstrap.
        progress: Called with each step and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        CompilationError: The candidate fails in its first run.
        WrongNumbersError: The outputs differ, so neither variant was timed.
        NotQuietError: The machine has to be quiet, and is not.
    """
    settings = MeasureSettings(
        duration_s=duration_s,
        rounds=rounds,
        least_rounds=least_rounds,
        warm_up_s=warm_up_s,
        pause_s=pause_s,
        tolerance=tolerance,
        confidence=confidence,
        seed=seed,
        progress=progress or silent,
        clock=clock,
        watch=watch,
        quiet=quiet or Quiet(),
    )
    return _compare(a, b, settings)


def ab(
    model: GivenModel,
    a: VariantSettings | str = "",
    b: VariantSettings | str = "",
    *,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 10.0,
    tolerance: float | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Comparison:
    """Compile a model in two ways and compare them.

    Where both launch the same kernels on as many threads, only their numbers are compared: what a
    clock says of the same code is noise.

    Args:
        model: As `tvmfuse.compile` takes it.
        a: The baseline: settings, or words such as ``level=basic,threads=2``.
        b: The candidate, whose time is the ratio's numerator.
        example_inputs: Of a PyTorch module; as `tvmfuse.compile` takes them. It runs on them.
        dynamic_shapes: Of a PyTorch module; as `tvmfuse.compile` takes them.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name.
        limits: As `tvmfuse.compile` takes them.
        inputs: An array for each input; None: random ones.
        seed: Seed for random inputs, for the order and for the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, after the warm-up.
        tolerance: Of the largest error, by the largest magnitude of the reference; None: that
            of the precision.
        progress: Called with each step and the share of it that is done, never while timing.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        ConfigurationError: A variant, an engine, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: A variant does not compile, or the candidate fails in its first run.
        WrongNumbersError: The outputs differ, so neither variant was timed.
        NotQuietError: The machine has to be quiet, and is not.
    """
    variants = [read_variant(given) if isinstance(given, str) else given for given in (a, b)]
    settings = settings_for(
        variants,
        duration_s=duration_s,
        tolerance=tolerance_for(tolerance, *(variant.precision for variant in variants)),
        seed=seed,
        progress=progress,
        watch=watch,
        quiet=quiet,
    )
    compiled_with = CompileSettings.of(  # whose target is not used: each variant has its own
        shapes=shapes, dims=dims, cache=cache, limits=limits, calibration=False
    )
    workload = Workload(
        source_of(model, example_inputs, dynamic_shapes), compiled_with, inputs, seed
    )
    second, first = (  # what has fewer passes mostly shows sooner that something is wrong
        make_runner(workload, variant, compiling(settings.progress, variant.title))
        for variant in reversed(variants)
    )
    known = first if first.inputs is not None else second
    feeds = workload.feeds(known)
    same = first.same_code(second)
    comparison = _compare(first.variant(feeds), second.variant(feeds), settings, timed=not same)
    conditions = workload.conditions(known, feeds, first, second)
    idle = _idle(first, second)
    return replace(comparison, idle=idle, identical_code=same, conditions=conditions)


def _compare(
    a: Variant, b: Variant, settings: MeasureSettings, *, timed: bool = True
) -> Comparison:
    done = compare_candidates(a, [b], settings, timed=timed)
    (candidate,) = done.candidates
    if candidate.failure:
        raise CompilationError(f"{b.name}: {candidate.sentence}")
    require_agreement(a.name, b.name, candidate.agreement)
    return Comparison(
        a=done.baseline,
        b=candidate.timing,
        ratio=candidate.ratio,
        agreement=candidate.agreement,
        tolerance=settings.tolerance,
        warm=done.warm,
        interrupted=done.interrupted,
        seed=settings.seed,
        machine=done.machine,
    )


def _idle(first: Runner, second: Runner) -> tuple[str, ...]:
    """Name the passes whose absence changes nothing, because they never fired."""
    if first.report is None or second.report is None:
        return ()
    off = [entry.name for entry in second.report.passes if entry.status == "disabled"]
    return tuple(n for n in off if first.report[n].status == "ran" and not first.report[n].fired)
