"""The plan of a whole kernel: its schedule, its steps, and the plans of its nests."""

from __future__ import annotations

from dataclasses import dataclass

from tvmfuse.schedules.plans import NestPlan
from tvmfuse.schedules.steps import in_order


@dataclass(frozen=True)
class KernelPlan:
    """How a kernel runs.

    Attributes:
        schedule: The schedule that makes its code.
        steps: The named steps that take part, in the order of `steps.STEPS`. Given back, those of
            `steps.PREPARING` count; the others follow from the nests.
        nests: The plans of its loop nests, in the order in which they run.
    """

    schedule: str
    steps: tuple[str, ...] = ()
    nests: tuple[NestPlan, ...] = ()

    @classmethod
    def of(cls, schedule: str, steps: frozenset[str], nests: tuple[NestPlan, ...]) -> KernelPlan:
        """Return the plan of some nests, with the steps that they and the kernel take."""
        taken = {step for nest in nests for step in nest.steps}
        return cls(schedule, in_order(steps | taken), nests)

    @property
    def words(self) -> str:
        """The plan in a few words: its nests', each once, and whether they run in threads."""
        said = dict.fromkeys(nest.words for nest in self.nests)
        return "; ".join(said) + ("" if "Threads" in self.steps else ", one thread") if said else ""
