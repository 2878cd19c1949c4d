"""What a schedule is: a function that takes a kernel, or says why it does not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Kernel, read


@dataclass(frozen=True, eq=False)
class Subject:
    """The PrimFunc to schedule, and what it is to run on."""

    function: PrimFunc
    target: Target

    @cached_property
    def kernel(self) -> Kernel:
        """The function's stages, after inlining.

        Raises:
            UnreadableError: It is no list of stages.
        """
        return inline(read(self.function))


@dataclass(frozen=True)
class Declined:
    """Why a schedule leaves a kernel to the next one in the table."""

    reason: str


class Schedule(Protocol):
    """A way to run a kernel on a kind of target.

    Whatever it raises is a defect, which `schedule` reports with the kernel's name and its own.
    """

    @property
    def name(self) -> str:
        """Its name in the report."""

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it."""
