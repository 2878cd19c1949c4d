"""From what a user calls a target to one that states what was measured of this machine's CPU.

And from several targets to the order in which a machine looks for one that it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tvm.target import Target

from tvmfuse.build.kernels.cache import Cache, KernelCache, kernel_cache
from tvmfuse.calibrate.kept import calibrated
from tvmfuse.errors import ConfigurationError
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.progress import Progress, silent
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.resolve import processor, required_cpu_features, resolve

Given: TypeAlias = str | Mapping[str, object] | Target
"""How a user may name a target."""


def resolve_measured(
    target: Given,
    progress: Progress = silent,
    *,
    cache: Cache | KernelCache = True,
    calibration: bool = True,
) -> tuple[Target, Calibration | None]:
    """Return the target, and what was measured of its CPU where code depends on that.

    Where it is this machine, and `machine.NAMED` does not have its CPU, that is measured, once.

    Args:
        target: As `resolve` takes it.
        progress: Called before something is measured.
        cache: As `tvmfuse.compile` takes it: the folder in which the numbers are kept, too.
        calibration: Whether it is; else such a CPU is taken for the smallest with its vectors.

    Raises:
        UnknownTargetError: See `resolve`.
    """
    measured: list[Calibration] = []

    def fmas_per_cycle(cpu: Target) -> int:
        kept = kernel_cache(cache=cache)
        measured.append(calibrated(cpu, None if kept is None else kept.folder, progress))
        return measured[-1].fmas_per_cycle

    with COMPILING:  # LLVM says which of the features that a target names it does not know
        found = resolve(target, fmas_per_cycle if calibration else None)
    return found, measured[-1] if measured else None


def most_demanding_first(given: Given | Sequence[Given]) -> tuple[Given, ...]:
    """Return the targets of one file, those first whose code may use the most CPU features.

    Of two that use as many, the later one comes first. One target is returned as it is.

    Raises:
        ConfigurationError: There is none; or one of several is for a GPU, for another processor
            than the others, or never taken, since another one needs the same features.
        UnknownTargetError: See `resolve`.
    """
    if not isinstance(given, list | tuple):
        return (given,)  # whatever it is: `resolve` says what it is not
    targets = tuple(given)
    if len(targets) == 1:
        return targets
    if not targets:
        raise ConfigurationError("target: expected one or more, found none")
    with COMPILING:
        found = [resolve(target) for target in targets]
    for target in found:
        if target.kind.name != "llvm":
            raise ConfigurationError(f"several targets in one file are for the CPU, found {target}")
    if len(processors := {processor(target) for target in found}) > 1:
        raise ConfigurationError(
            "several targets in one file are for one processor, found "
            f"{' and '.join(sorted(processors))}: compile a file for each"
        )
    features = [required_cpu_features(target) for target in found]
    for place, needed in enumerate(features):
        if (other := features.index(needed)) < place:
            raise ConfigurationError(
                f"the targets {targets[other]} and {targets[place]} need the same CPU features, so "
                "that one of them would never be taken: leave one out"
            )
    places = sorted(range(len(found)), key=lambda place: (len(features[place]), place))
    return tuple(targets[place] for place in reversed(places))
