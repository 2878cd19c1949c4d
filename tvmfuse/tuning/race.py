"""Two compilations of one model in turn, and the time of each kernel where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final, TypeAlias

import numpy as np

from tvmfuse.manifest import Kernel
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.interleave import Run, Samples
from tvmfuse.measure.machine import Machine, worst
from tvmfuse.measure.quiet import interleave_watched
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.statistics import CONFIDENCE, Ratio, paired_ratio
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.timed_run import TimedRun

PartOf: TypeAlias = Callable[[Kernel], Hashable | None]
"""Which part of a model's time a launch of a kernel belongs to."""

#: Of one heat: as many as make an interval of pairs.
ROUNDS: Final = 16


class Race:
    """A baseline and a candidate, run in turn, heat after heat, on the same inputs.

    Kernels are timed in the model: what they read is as near or far as it is in any run.

    Args:
        baseline: The model as it is.
        candidate: The model with something changed.
        feeds: Their inputs.
        part_of: Which part of the model's time a launch belongs to; None for none that is asked
            for. By default each kernel is a part, by its key.
    """

    def __init__(
        self,
        baseline: Executable,
        candidate: Executable,
        feeds: Mapping[str, Array],
        part_of: PartOf = attrgetter("key"),
    ) -> None:
        self._arms = [_Arm(arm, feeds, part_of) for arm in (baseline, candidate)]
        self._feeds = feeds
        self._parts = defaultdict[Hashable, list[float]](list)
        self._whole: list[float] = []
        self.interrupted = False
        self.machines: list[Machine] = []

    def run(self, settings: MeasureSettings, *, whole: bool = False) -> None:
        """Run one heat.

        Args:
            settings: How long.
            whole: Whether runs are timed, too, in which nobody looks at the kernels.
        """
        runs: list[Run] = [arm.timed for arm in self._arms]
        if whole:
            runs += [arm.executable.bound(self._feeds) for arm in self._arms]

        def progress(step: str) -> None:
            if step == "warming up":
                for arm in self._arms:
                    arm.runs.clear()
            settings.progress(step)

        samples, machine = interleave_watched(runs, replace(settings, progress=progress))
        self.machines.append(machine)
        self.interrupted |= samples.interrupted
        first, second = (arm.by_part(samples, place) for place, arm in enumerate(self._arms))
        for key in first.keys() & second.keys():
            table = np.maximum(np.column_stack([first[key], second[key]]), 1e-6)
            self._parts[key] += list(replace(samples, milliseconds=table).ratios(0, 1))
        if whole:
            self._whole += list(samples.ratios(2, 3))

    def speedup(self, part: Hashable) -> Ratio | None:
        """Return the time of a part in the baseline by that in the candidate; None: unknown."""
        return _ratio(self._parts.get(part, ()))

    @property
    def whole(self) -> Ratio | None:
        """The same of the whole model, from runs that nobody looked into."""
        return _ratio(self._whole)

    @property
    def machine(self) -> Machine:
        """What the machine did meanwhile."""
        return worst(self.machines)


def spent_by_kernel(
    executable: Executable, feeds: Mapping[str, Array], runs: int = 5
) -> dict[str, float]:
    """Return the microseconds of each kernel's launches in a run, by its key."""
    executable.timed(feeds)
    seen = [_spent(executable.timed(feeds), attrgetter("key")) for _ in range(runs)]
    return {str(key): 1e3 * float(np.median([one[key] for one in seen])) for key in seen[0]}


class _Arm:
    """A compiled model, and the runs of it that were timed kernel by kernel."""

    def __init__(self, executable: Executable, feeds: Mapping[str, Array], part_of: PartOf) -> None:
        self.executable, self.runs = executable, list[TimedRun]()
        self._feeds, self._part_of = feeds, part_of

    def timed(self) -> None:
        self.runs.append(self.executable.timed(self._feeds))

    def by_part(self, samples: Samples, place: int) -> Mapping[Hashable, Sequence[float]]:
        """Return each part's milliseconds in every round."""
        calls, spent = samples.calls[place], defaultdict[Hashable, list[float]](list)
        # Where a sample takes several runs, the first one stands for it.
        for run in self.runs[: len(samples.milliseconds) * calls : calls]:
            for key, milliseconds in _spent(run, self._part_of).items():
                spent[key].append(milliseconds)
        return spent


def _spent(run: TimedRun, part_of: PartOf) -> dict[Hashable, float]:
    spent = defaultdict[Hashable, float](float)
    for kernel, _, milliseconds in run.launches:
        if (part := part_of(kernel)) is not None:
            spent[part] += milliseconds
    return spent


def _ratio(ratios: Sequence[float]) -> Ratio | None:
    return paired_ratio(ratios, confidence=CONFIDENCE) if ratios else None
