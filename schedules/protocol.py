"""What a schedule is: it plans a kernel, or says why it does not, and makes code of a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar, cast

from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.kernels import Kernel, UnreadableError, read
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import Machine

Made = TypeVar("Made")


@dataclass(frozen=True)
class Declined:
    """Why a schedule leaves a kernel to the next one in the table."""

    reason: str


@dataclass(frozen=True, eq=False)
class Subject:
    """The PrimFunc to schedule, what it is to run on, and what the caller asks for.

    What schedules find out about it is found out once.
    """

    function: PrimFunc
    target: Target
    settings: ScheduleSettings = field(default_factory=ScheduleSettings)
    _made: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def machine(self) -> Machine:
        """What the target is, of kind ``llvm``."""
        return Machine.of(self.target)

    @cached_property
    def parsed(self) -> Kernel | Declined:
        """The function's stages as they are written; or why it is no list of stages."""
        try:
            return read(self.function)
        except UnreadableError as error:
            return Declined(str(error))

    @cached_property
    def kernel(self) -> Kernel | Declined:
        """The function's stages, after inlining."""
        return self.parsed if isinstance(self.parsed, Declined) else inline(self.parsed)

    def once(self, make: Callable[[Subject], Made]) -> Made:
        """Return what a function makes of the subject, the same at each call."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("Made", self._made[make])


class Schedule(Protocol):
    """A way to run a kernel on a kind of target.

    Whatever it raises is a defect, which `schedule` reports with the kernel's name and its own.
    """

    @property
    def name(self) -> str:
        """Its name in the report and in plans."""

    def plan(self, subject: Subject) -> KernelPlan | Declined:
        """Return how the kernel shall run, or the reason why this schedule is not for it."""

    def misfit(self, subject: Subject, plan: KernelPlan) -> str | None:
        """Say what of another plan does not fit a kernel that `plan` takes; None where it fits."""

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Return the function scheduled as a plan that fits says."""
