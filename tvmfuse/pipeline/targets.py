"""From what a user calls a target to one that states what was measured of this machine's CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tvm.target import Target

from tvmfuse.build.kernels.cache import KernelCache, kernel_cache
from tvmfuse.calibrate.kept import calibrated
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.progress import Progress, silent
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.resolve import resolve


def resolve_measured(
    target: str | Mapping[str, object] | Target,
    progress: Progress = silent,
    *,
    cache: bool | str | os.PathLike[str] | KernelCache = True,
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
