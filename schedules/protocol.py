"""What a schedule is: a function that takes a kernel, or says why it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tvm.target import Target
from tvm.tirx import PrimFunc


@dataclass(frozen=True)
class Declined:
    """Why a schedule leaves a kernel to the next one in the table."""

    reason: str


class Schedule(Protocol):
    """A way to run a kernel on a kind of target."""

    @property
    def name(self) -> str:
        """Return its name in the report."""
        ...

    def __call__(self, function: PrimFunc, target: Target) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it.

        Whatever it raises is a defect: it is reported as a `ScheduleError`.
        """
        ...
