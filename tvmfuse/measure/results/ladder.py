"""All levels of one model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tvmfuse.measure.results.comparisons import Candidate, Comparisons, Timing
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
        identical_code: Whether it launches the same kernels as the level before it.
        failed: Whether it does not compile, or fails when it runs.
    """

    level: str
    timing: Timing
    speedup: Ratio | None
    error: float | None
    problem: str | None
    identical_code: bool
    failed: bool = False

    @classmethod
    def of(cls, level: str, candidate: Candidate, *, identical_code: bool) -> Rung:
        """Read a candidate beside level none."""
        return cls(
            level=level,
            timing=candidate.timing,
            speedup=candidate.speedup,
            error=max((d.error for d in candidate.agreement), default=None),
            problem=candidate.problem,
            identical_code=identical_code,
            failed=candidate.failure is not None,
        )


@dataclass(frozen=True)
class Ladder(Result):
    """All levels of one model.

    Attributes:
        model: Its name.
        rungs: One for each level.
        comparisons: What they were taken from.
    """

    model: str
    rungs: tuple[Rung, ...]
    comparisons: Comparisons

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C cut it short."""
        return self.comparisons.interrupted

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        pairs = zip(self.rungs, self.rungs[1:], strict=False)
        notes = [
            f"levels {before.level} and {rung.level} are identical code on this model"
            for before, rung in pairs
            if rung.identical_code
        ]
        known = {candidate.timing.name for candidate in self.comparisons.candidates}
        notes += [
            f"{rung.timing.name}: failed, so not timed: {rung.problem}"
            for rung in self.rungs
            if rung.failed and rung.timing.name not in known
        ]
        return (*notes, *self.comparisons.notes)

    def chart(self) -> Markup:
        """Draw each level's speedup; nothing where nothing was timed."""
        drawn: Markup = view("html").chart(self)
        return drawn
