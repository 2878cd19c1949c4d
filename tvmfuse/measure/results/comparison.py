"""A baseline and a candidate that compute the same, and how long each takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from tvmfuse.measure import words
from tvmfuse.measure.agreement import Difference
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.results.comparisons import Cost, Timing, cost_cells
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.measure.statistics import Ratio
from tvmfuse.result import Result


@dataclass(frozen=True)
class Comparison(Result):
    """Two variants that compute the same, and how long each takes.

    Attributes:
        a: The baseline.
        b: The candidate.
        ratio: b's time by a's; None where both are identical code, or the measurement was
            interrupted before one block was done.
        agreement: How far b's outputs are from a's.
        tolerance: Of the largest error, by the largest magnitude of a's output.
        warm: Whether times were stable when the warm-up ended.
        interrupted: Whether Ctrl-C cut it short.
        seed: Of the inputs, the order and the bootstrap.
        machine: What else the machine did.
        idle: Passes that b does without, and that have nothing to do in a.
        identical_code: Whether both launch the same kernels, so that nothing was timed.
        conditions: On how many threads, and at which sizes; nothing where only the variants know.
    """

    a: Timing
    b: Timing
    ratio: Ratio | None
    agreement: tuple[Difference, ...]
    tolerance: float
    warm: bool
    interrupted: bool
    seed: int
    machine: Machine
    idle: tuple[str, ...] = ()
    identical_code: bool = False
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def speedup(self) -> Ratio | None:
        """A's time by b's: above 1, b is faster; None where `ratio` is."""
        return self.ratio.inverse if self.ratio else None

    @property
    def sentence(self) -> str:
        """What the comparison says, as a clause without a full stop."""
        speedup = self.speedup
        if self.identical_code:
            return f"{words.IDENTICAL}: A and B launch the same, so that there is nothing to tell"
        if speedup is None:
            return "interrupted before both variants were measured: there is nothing to compare"
        said = f"speedup of B ({self.b.name}) over A ({self.a.name}): {speedup}"
        return f"{speedup.doubt}: {said}" if speedup.doubt else said

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the times; nothing where the machine was quiet."""
        return self.machine.banner

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        largest = max((d.error for d in self.agreement), default=0.0)
        notes = _costs(self.a.cost, self.b.cost)
        notes.append(f"A and B agree: {words.largest_error(largest, self.tolerance)}")
        if self.interrupted:
            notes.append(words.INTERRUPTED)
        elif not self.warm:
            notes.append(words.NOT_WARM)
        notes += self.machine.notes
        notes += self.conditions.notes
        if self.idle:
            notes.append(f"on this model nothing is left for {', '.join(self.idle)} to do")
        return tuple(notes)


def _costs(a: Cost | None, b: Cost | None) -> list[str]:
    """Say what both variants take beside their time, as far as both are known."""
    names = ("kernels", "MB", "seconds to compile")
    rows = zip(names, cost_cells(a), cost_cells(b), strict=True)
    known = [f"{what}: A {x}, B {y}" for what, x, y in rows if "-" not in (x, y)]
    return ["; ".join(known)] if known else []
