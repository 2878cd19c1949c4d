"""What the parts of a model take of a run: how much another engine's are."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tvmfuse.errors import ConfigurationError, TvmfuseError, first_line
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.results.parts import Parts, PartShare
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.partitioned import PartitionedExecutable

if TYPE_CHECKING:
    from tvmfuse.build.artifact import Artifact

RUNS: Final = 9
"""That are timed, after one that warms up."""
LONGEST_S: Final = 2.0
"""After so many seconds no other run begins."""


def part_shares(
    model: Artifact | Executable,
    *,
    inputs: Mapping[str, Any] | None = None,
    dims: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Parts:
    """Time each part of a model where it stands: a few runs, which tell shares and no more.

    Where it cannot be loaded here, or does not take random inputs, the result says so.

    Args:
        model: A model that was compiled with a fallback.
        inputs: Arrays by name; None for random ones.
        dims: The symbolic dimensions by name; one that is not named has its usual size.
        seed: Seed for random inputs.

    Raises:
        ConfigurationError: The model has no parts.
    """
    said = model.manifest
    if not said.parts:
        raise ConfigurationError(f"{said.name} is compiled as a whole, and has no parts")
    try:
        executable = model if isinstance(model, Executable) else model.load()
        assert isinstance(executable, PartitionedExecutable)
        feeds = inputs or random_inputs(executable.inputs, dims=dims, seed=seed)
        milliseconds = _timed(executable, feeds)
    except TvmfuseError as error:
        alone = tuple(PartShare(part.engine, part.nodes) for part in said.parts)
        return Parts(said.name, alone, 0, first_line(error))
    typical = np.median(milliseconds, axis=0)
    shares = typical / max(float(typical.sum()), 1e-9)
    timed = tuple(
        PartShare(part.engine, part.nodes, float(took), float(share))
        for part, took, share in zip(said.parts, typical, shares, strict=True)
    )
    return Parts(said.name, timed, len(milliseconds))


def _timed(executable: PartitionedExecutable, feeds: Mapping[str, Any]) -> list[list[float]]:
    """Return what each part took, for each run."""
    executable(feeds)
    end, found = time.monotonic() + LONGEST_S, list[list[float]]()
    while len(found) < RUNS and (not found or time.monotonic() < end):
        found.append([part.milliseconds for part in executable.part_times(feeds)])
    return found
