"""One kernel that is tuned: the plans that were tried, the fastest of them, and what is next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.errors import ConfigurationError, ScheduleError
from tvmfuse.measure.statistics import Ratio
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.protocol import Subject
from tvmfuse.schedules.schedule import check_fits
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.tuning.neighbours import neighbours

#: By how much a plan has to be ahead of the best so far to take its place.
AHEAD: Final = 1.002
#: A kernel of so many times less than the longest one has a turn each time; another one seldom.
OFTEN: Final = 4
SELDOM: Final = 1 / 16


@dataclass(eq=False)
class Contestant:
    """A kernel of a model, and the search for a faster plan of it.

    The search is greedy: it tries the neighbours of the best plan so far, and starts again from
    one that is faster.

    Attributes:
        key: See `plan_key`.
        names: What the kernels with this key are called in the model.
        function: The kernel before it is scheduled.
        target: What it is compiled for.
        planned: The plan of its schedule.
        nodes: The ONNX nodes that its launches compute.
        microseconds: Of all its launches in a run, with the schedule's plan.
        share: Of a run's time.
        best: The fastest plan so far.
        speedup: The time with `planned` by the time with `best`; None where nothing is faster.
        trials: How many plans were timed.
    """

    key: str
    names: tuple[str, ...]
    function: PrimFunc
    target: Target
    planned: KernelPlan
    nodes: Sequence[str]
    microseconds: float
    share: float
    best: KernelPlan = field(init=False)
    speedup: Ratio | None = None
    trials: int = 0
    _seen: set[KernelPlan] = field(default_factory=set, init=False)
    _left: Iterator[KernelPlan] = field(init=False)
    _subject: Subject = field(init=False)

    def __post_init__(self) -> None:
        settings = ScheduleSettings().following(self.planned)
        self._subject = Subject(self.function, self.target, settings)
        self._seen.add(self.planned)
        self._start_from(self.planned)

    def has_turn(self, generation: int, largest: float) -> bool:
        """Whether another plan is tried now: less often of a kernel that takes little of the time.

        Args:
            generation: Plans of all kernels that are compiled together, counted from 0.
            largest: The share of the kernel that takes most of the time.
        """
        often = min(1.0, max(OFTEN * self.share / largest, SELDOM))
        return int((generation + 1) * often) > int(generation * often)

    def next(self) -> KernelPlan | None:
        """Return a plan that fits and was not tried; None where all neighbours of the best were."""
        for plan in self._left:
            if plan not in self._seen:
                self._seen.add(plan)
                if self._fits(plan):
                    return plan
        return None

    def tried(self, plan: KernelPlan, speedup: Ratio) -> None:
        """Take in how fast a plan was."""
        self.trials += 1
        self._seen.add(plan)
        so_far = self.speedup.median if self.speedup else 1.0
        certain = speedup.low is not None and speedup.low > 1
        if certain and speedup.median > so_far * AHEAD and self._fits(plan):
            self.speedup = speedup
            self._start_from(plan)

    def give_up(self) -> None:
        """Go back to the schedule's own plan."""
        self.best, self.speedup = self.planned, None

    def _start_from(self, plan: KernelPlan) -> None:
        self.best, self._left = plan, neighbours(plan)

    def _fits(self, plan: KernelPlan) -> bool:
        try:
            check_fits(self.names[0], self._subject, plan)
        except (ConfigurationError, ScheduleError):
            return False
        return True
