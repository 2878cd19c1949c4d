"""How a model is compiled, as one value that travels through the stages."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from importlib.util import find_spec
from typing import Any, Final, Literal, Self

from tvm.target import Target

from tvmfuse.build.kernels.cache import Cache, KernelCache, check_cache
from tvmfuse.errors import ConfigurationError
from tvmfuse.limits import Limits
from tvmfuse.manifest import OTHERS
from tvmfuse.names import Names, listed
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.layout.auto_mixed_precision import AutoMixedPrecision
from tvmfuse.passes.layout.float16_weights import Float16Weights
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.plan_database import PlanDatabase
from tvmfuse.pipeline.targets import resolve_measured
from tvmfuse.progress import Progress, silent
from tvmfuse.schedules.settings import ScheduleSettings, passes_of
from tvmfuse.size_ranges import GivenShapes, GivenSizes, NamedSizes, named_sizes
from tvmfuse.target.calibration import Calibration

#: In which types products may be computed, and the passes that see to it.
PRECISIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "f32": (),
    "bf16": (AutoMixedPrecision.name,),
    "f16": (Float16Weights.name,),
}


@dataclass(frozen=True)
class CompileSettings:
    """What a compilation depends on besides the model.

    Attributes:
        target: What the kernels are compiled for.
        selection: Which passes run.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name; the others have any size.
        cache: Whether compiled kernels are kept in the user's cache folder and taken from there;
            or the folder that takes its place, a shared one behind it, or the cache itself.
        schedules: Which steps kernels do not take, and which plans they follow.
        limits: How much the model may ask for.
        strict: Whether a pass that fails is an error, and not left out; for schedules, that is
            said in `schedules`.
        map_weights: Whether weights in files beside the model are mapped, and not read.
        fallback: The engine that computes what is not compiled; None where that is an error.
        direct: See `assemble.build`.
        specialize: Sizes of symbolic dimensions that kernels get code of their own for.
        calibration: What was measured of the target's CPU; None where code does not depend on it.
    """

    target: Target
    selection: Selection
    shapes: GivenShapes | None = None
    dims: GivenSizes | None = None
    cache: Cache | KernelCache = True
    schedules: ScheduleSettings = field(default_factory=ScheduleSettings)
    limits: Limits = field(default_factory=Limits)
    strict: bool = True
    map_weights: bool = False
    fallback: str | None = None
    direct: bool = False
    specialize: tuple[NamedSizes, ...] = ()
    calibration: Calibration | None = None

    @classmethod
    def of(
        cls,
        target: str | Mapping[str, object] | Target = "llvm",
        level: str | int = "all",
        *,
        disabled_pass: Names = (),
        enabled_pass: Names = (),
        only_pass: Names = (),
        shapes: GivenShapes | None = None,
        dims: GivenSizes | None = None,
        cache: Cache = True,
        disabled_step: Names = (),
        plans: Mapping[str, Any] | None = None,
        limits: Limits | Mapping[str, int] | None = None,
        strict: bool = True,
        map_weights: bool = False,
        fallback: str | None = None,
        precision: str = "f32",
        specialize: Any = None,
        database: str | os.PathLike[str] | Literal[False] | None = None,
        calibration: bool = True,
        progress: Progress = silent,
    ) -> Self:
        """Resolve the names that a caller gives; the arguments are those of `tvmfuse.compile`.

        Raises:
            ConfigurationError: A target, level, pass, step, limit, fallback or precision does not
                exist, or they do not go together, or a plan is none, or the database no folder.
        """
        _check_fallback(fallback)
        check_cache(cache)
        if done_by := passes_of(disabled_step):
            disabled_pass = [*listed(disabled_pass), *done_by]
        enabled_pass, only_pass = with_precision(precision, enabled_pass, only_pass)
        selection = Selection.of(level, disabled_pass, enabled_pass, only_pass)
        schedules = ScheduleSettings.of(disabled_step, plans, strict=strict)
        resolved, measured = resolve_measured(
            target, progress, cache=cache, calibration=calibration
        )
        if passes_of_precision(precision) and resolved.kind.name not in CPU:
            raise ConfigurationError(f"precision={precision!r} is for the CPU, found {resolved}")
        special = named_sizes(specialize)
        if special and resolved.kind.name != "llvm":
            raise ConfigurationError(f"specialize= is for the CPU, found {resolved}")
        if (known := _database(database)) is not None:
            chosen = known.chosen(str(resolved), metadata.version("tvmfuse"))
            schedules = replace(schedules, tuned=chosen.plans)
            selection = replace(selection, tiles=tuple(chosen.tiles.items()))
        admitted = Limits.of(limits)
        return cls(
            resolved, selection, shapes, dims, cache, schedules, admitted, strict, map_weights,
            fallback, specialize=special, calibration=measured,
        )  # fmt: skip


def _database(database: str | os.PathLike[str] | Literal[False] | None) -> PlanDatabase | None:
    """Return the database that is given, or the environment's.

    Raises:
        ConfigurationError: There is no such folder; the environment's is made by the first tuning.
    """
    folder = os.environ.get("TVMFUSE_DATABASE") if database is None else database
    if not folder:
        return None
    found = PlanDatabase(folder)
    if database is not None and not found.folder.is_dir():
        raise ConfigurationError(f"database: expected a folder, and there is none: {folder}")
    return found


def with_precision(precision: str, enabled: Names, only: Names) -> tuple[Names, Names]:
    """Return the names of passes to enable, or to run alone, with those that a precision takes.

    Raises:
        ConfigurationError: There is no such precision.
    """
    added = passes_of_precision(precision)
    if not added:
        return enabled, only
    named = [*listed(only or enabled), *added]
    return ((), named) if only else (named, ())


def passes_of_precision(precision: str) -> tuple[str, ...]:
    """Return the passes that a precision takes.

    Raises:
        ConfigurationError: There is no such precision.
    """
    if not isinstance(precision, str) or precision not in PRECISIONS:
        known = ", ".join(PRECISIONS)
        raise ConfigurationError(f"precision: expected one of {known}, found {precision!r}")
    return PRECISIONS[precision]


def _check_fallback(fallback: str | None) -> None:
    if fallback is None:
        return
    if fallback not in OTHERS:
        known = ", ".join(OTHERS)
        raise ConfigurationError(f"fallback: expected {known} or None, found {fallback!r}")
    if find_spec(fallback) is None:
        raise ConfigurationError(
            f"the fallback {fallback} is not installed: python -m pip install 'tvmfuse[ort]'"
        )
