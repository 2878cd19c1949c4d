"""What each pass is worth on a model: left out of level all, and alone over level none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from tvmfuse.measure import words
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.results.comparisons import Candidate, Timing
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.measure.statistics import Ratio
from tvmfuse.result import Result, view

if TYPE_CHECKING:
    from markupsafe import Markup

Status = Literal["measured", "identical code", "right", "wrong", "failed", "not measured"]

NOTHING: Final = (
    "no pass fires on this model at level all, so there is none to switch off: `tvmfuse explain` "
    "says what each looked for, `tvmfuse profile` where the time goes"
)

NO_STEP: Final = "no kernel takes a step at level all, so there is none to switch off"


@dataclass(frozen=True)
class Outcome:
    """What came of one variant.

    Attributes:
        status: Whether it was timed, or why not; ``right`` where there is nothing to time it with.
        speedup: Of the pass: the time without it by the time with it. Above 1 the model is slower
            when the pass is disabled.
        timing: The variant's times.
        problem: Where the numbers are wrong, or it fails, what is.
    """

    status: Status
    speedup: Ratio | None = None
    timing: Timing | None = None
    problem: str | None = None

    @classmethod
    def without(cls, candidate: Candidate) -> Outcome:
        """Read the candidate that does without the pass; the baseline has it."""
        return cls._of(candidate, candidate.ratio)

    @classmethod
    def alone(cls, candidate: Candidate) -> Outcome:
        """Read the candidate that has the pass; the baseline does without."""
        return cls._of(candidate, candidate.speedup)

    @classmethod
    def _of(cls, candidate: Candidate, speedup: Ratio | None) -> Outcome:
        if candidate.failure:
            return cls("failed", timing=candidate.timing, problem=candidate.failure)
        if candidate.problem:
            return cls("wrong", timing=candidate.timing, problem=candidate.problem)
        status: Status = "not measured" if speedup is None else "measured"
        return cls(status, speedup, candidate.timing)

    @property
    def sentence(self) -> str:
        """The speedup, or why there is none."""
        if self.speedup is None:
            return words.IDENTICAL if self.status == "identical code" else self.status
        return self.speedup.judged_short

    @property
    def size(self) -> float:
        """The speedup as a number to sort by; 1 where none is claimed."""
        return self.speedup.median if self.speedup and self.speedup.effect else 1.0


@dataclass(frozen=True)
class PassEffect:
    """What one pass is worth.

    Attributes:
        name: The pass.
        tier: Its level.
        fired: The number of its rewrites at level all; 0 where it fails there.
        leave_one_out: Level all without it.
        one_at_a_time: It alone over level none.
    """

    name: str
    tier: str
    fired: int
    leave_one_out: Outcome
    one_at_a_time: Outcome

    @property
    def size(self) -> tuple[bool, float, float]:
        """What to sort by: those that were timed first, then the speedup."""
        timed = bool(self.leave_one_out.speedup or self.one_at_a_time.speedup)
        return timed, self.leave_one_out.size, self.one_at_a_time.size

    @property
    def significant(self) -> bool:
        """Whether either speedup is."""
        both = (self.leave_one_out.speedup, self.one_at_a_time.speedup)
        return any(speedup is not None and speedup.effect for speedup in both)


@dataclass(frozen=True)
class Ablation(Result):
    """Every pass that fires on a model, by its effect.

    Attributes:
        model: Its name.
        effects: The largest speedup first; last those that change no kernel.
        confidence: With which all intervals together hold the truth.
        tolerance: Of the largest error, by the largest magnitude of the reference.
        warm: Whether times were stable when each warm-up ended.
        interrupted: Whether Ctrl-C cut it short.
        seed: Of the inputs, the order and the bootstrap.
        machine: What else the machine did, at worst; None where nothing was timed.
        conditions: On how many threads, and at which sizes.
        problem: Why no time was taken in level all: it fails, or its numbers are wrong.
        of: What was left out: passes, or steps of kernels.
    """

    model: str
    effects: tuple[PassEffect, ...]
    confidence: float
    tolerance: float
    warm: bool
    interrupted: bool
    seed: int
    machine: Machine | None
    conditions: Conditions
    problem: str | None = None
    of: Literal["passes", "steps"] = "passes"

    def __getitem__(self, name: str) -> PassEffect:
        return next(effect for effect in self.effects if effect.name == name)

    @property
    def empty(self) -> bool:
        """Whether no pass fires, so that there is nothing to show."""
        return not (self.effects or self.interrupted)

    @property
    def idle(self) -> tuple[str, ...]:
        """The passes without which, at level all, the same kernels are launched."""
        return tuple(e.name for e in self.effects if e.leave_one_out.status == "identical code")

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the times; nothing where the machine was quiet."""
        return self.machine.banner if self.machine else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [
            *self._of_level_all(),
            *([NOTHING if self.of == "passes" else NO_STEP] if self.empty else []),
        ]
        if self.idle:
            notes.append(f"level all without {', '.join(self.idle)}: {words.IDENTICAL}")
        for effect in self.effects:
            for what, outcome in (
                ("without", effect.leave_one_out),
                ("only", effect.one_at_a_time),
            ):
                if outcome.problem and not (self.problem and what == "without"):
                    status = f"{outcome.status}, so not timed"
                    notes.append(f"{what} {effect.name}: {status}: {outcome.problem}")
        if self.interrupted:
            notes.append(words.INTERRUPTED)
        elif not self.warm:
            notes.append(words.NOT_WARM)
        notes += self.conditions.notes
        return (*notes, *(self.machine.notes if self.machine else ()))

    def chart(self) -> Markup:
        """Draw each pass's speedup in level all; nothing where nothing was timed."""
        drawn: Markup = view("html").chart(self)
        return drawn

    def _of_level_all(self) -> tuple[str, ...]:
        if self.problem is None:
            return ()
        right = [e.name for e in self.effects if e.leave_one_out.status == "right"]
        said = f"nothing was timed in level all: {self.problem}"
        if right:
            return said, f"right is level all without {', or without '.join(right)}"
        asked = any(e.leave_one_out.status in ("wrong", "failed") for e in self.effects)
        return (said, "no single pass makes level all right by its absence") if asked else (said,)
