"""Several candidates against one baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tvmfuse.measure import words
from tvmfuse.measure.agreement import Difference, problem_of
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.statistics import Ratio, Summary
from tvmfuse.result import Result


@dataclass(frozen=True)
class Cost:
    """What a variant takes beside its time.

    Attributes:
        kernels: Launched in one run; None where the engine does not say.
        nbytes: Bytes of its library and its weights; None where the engine does not say.
        compile_s: Seconds to compile it; few where the kernel cache has its kernels.
    """

    kernels: int | None
    nbytes: int | None
    compile_s: float


@dataclass(frozen=True)
class Timing:
    """What was measured of one variant.

    Attributes:
        name: The variant in words.
        settings: What it was made with.
        calls_per_sample: How many runs one sample averages.
        summary: Its times; None where the measurement was interrupted in the warm-up, or the
            variant is wrong or fails.
        cost: What it takes beside its time; None where that is not known.
    """

    name: str
    settings: Mapping[str, object]
    calls_per_sample: int
    summary: Summary | None
    cost: Cost | None = None


@dataclass(frozen=True)
class Candidate:
    """One variant beside the baseline.

    Attributes:
        timing: Its times.
        ratio: Its time by the baseline's; None where it was not timed.
        agreement: How far its outputs are from the right ones.
        failure: What it raised when it ran; None where it has outputs.
    """

    timing: Timing
    ratio: Ratio | None
    agreement: tuple[Difference, ...]
    failure: str | None = None

    @property
    def speedup(self) -> Ratio | None:
        """The baseline's time by its own; None where it was not timed."""
        return self.ratio.inverse if self.ratio else None

    @property
    def problem(self) -> str | None:
        """Why it has no time: it fails, or its numbers are wrong; None where they are right."""
        return self.failure or problem_of(self.agreement)

    @property
    def sentence(self) -> str:
        """What is known of it, in a few words."""
        if self.problem:
            return f"{'failed' if self.failure else 'wrong'}, so not timed: {self.problem}"
        if self.speedup is None:
            return "not measured"
        return self.speedup.judged


@dataclass(frozen=True)
class Comparisons(Result):
    """Several candidates against one baseline.

    Attributes:
        baseline: What the candidates are compared with.
        candidates: In the order in which they were given.
        tolerance: Of the largest error, by the largest magnitude of the reference.
        confidence: With which all intervals together hold the truth.
        warm: Whether times were stable when the warm-up ended.
        interrupted: Whether Ctrl-C cut it short.
        seed: Of the order and the bootstrap.
        machine: What else the machine did.
    """

    baseline: Timing
    candidates: tuple[Candidate, ...]
    tolerance: float
    confidence: float
    warm: bool
    interrupted: bool
    seed: int
    machine: Machine

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the times; nothing where the machine was quiet."""
        return self.machine.banner

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [f"{c.timing.name}: {c.sentence}" for c in self.candidates if c.problem]
        if self.interrupted:
            notes.append(words.INTERRUPTED)
        elif not self.warm:
            notes.append(words.NOT_WARM)
        return (*notes, *self.machine.notes)


def cost_cells(cost: Cost | None) -> tuple[str, str, str]:
    """Write kernels, megabytes and seconds to compile into cells.

    >>> cost_cells(Cost(21, 46_800_000, 1.234)), cost_cells(Cost(None, None, 0.5))
    (('21', '46.8', '1.2'), ('-', '-', '0.5'))
    """
    if cost is None:
        return "-", "-", "-"
    size = "-" if cost.nbytes is None else f"{cost.nbytes / 1e6:.3g}"
    return "-" if cost.kernels is None else str(cost.kernels), size, f"{cost.compile_s:.1f}"
