"""All levels of one model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tvmfuse.measure.machine import Machine
from tvmfuse.measure.results.comparisons import Candidate, Comparisons, Timing
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.measure.statistics import Ratio
from tvmfuse.result import Result, view

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True)
class Rung:
    """One level.

    Attributes:
        level: Its name.
        timing: Its times and what it takes beside them.
        speedup: Level none's time by this one's; None for none itself, and where there is no time.
        error: The largest error, normalized by the largest magnitude of none's output; None where
            it has no numbers.
        problem: Why it has no time: it fails, or its numbers are wrong.
        same_as: The first level below it that launches the same kernels, and whose times are its
            own, too; None where there is none.
        failed: Whether it does not compile, or fails when it runs.
    """

    level: str
    timing: Timing
    speedup: Ratio | None
    error: float | None
    problem: str | None
    same_as: str | None
    failed: bool = False

    @classmethod
    def of(cls, level: str, candidate: Candidate, *, same_as: str | None) -> Rung:
        """Read a candidate beside level none."""
        return cls(
            level=level,
            timing=candidate.timing,
            speedup=candidate.speedup,
            error=max((d.error for d in candidate.agreement), default=None),
            problem=candidate.problem,
            same_as=same_as,
            failed=candidate.failure is not None,
        )


@dataclass(frozen=True)
class Ladder(Result):
    """All levels of one model.

    Attributes:
        model: Its name.
        rungs: One for each level.
        comparisons: What they were taken from.
        conditions: On how many threads, and at which sizes.
    """

    model: str
    rungs: tuple[Rung, ...]
    comparisons: Comparisons
    conditions: Conditions

    @property
    def machine(self) -> Machine:
        """What else the machine did."""
        return self.comparisons.machine

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C cut it short."""
        return self.comparisons.interrupted

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the times; nothing where the machine was quiet."""
        return self.comparisons.banner

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [
            f"levels {rung.same_as} and {rung.level} are identical kernels on this model"
            for rung in self.rungs
            if rung.same_as is not None
        ]
        known = {candidate.timing.name for candidate in self.comparisons.candidates}
        notes += [
            f"{rung.timing.name}: failed, so not timed: {rung.problem}"
            for rung in self.rungs
            if rung.failed and rung.timing.name not in known
        ]
        return (*notes, *self.conditions.notes, *self.comparisons.notes)

    def chart(self) -> Markup:
        """Draw each level's speedup; nothing where nothing was timed."""
        drawn: Markup = view("html").chart(self)
        return drawn
