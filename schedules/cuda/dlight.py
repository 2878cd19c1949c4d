"""TVM's own GPU schedules, dlight, one entry of the table for each of its rules."""

from __future__ import annotations

from tvm import s_tir
from tvm.s_tir import dlight
from tvm.s_tir.dlight.base import ScheduleRule
from tvm.s_tir.schedule import ScheduleError
from tvm.tirx import PrimFunc

from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.plans import KernelPlan
from tvmfuse.schedules.protocol import Declined, Subject


class Dlight:
    """One dlight rule; it takes a kernel or leaves it without saying why, and decides alone."""

    def __init__(self, rule: ScheduleRule) -> None:
        self._rule = rule
        self.name = f"dlight.{type(rule).__name__}"

    def plan(self, subject: Subject) -> KernelPlan | Declined:
        """Return a plan without nests, or the reason why this rule is not for it."""
        found = subject.once(self._scheduled)
        return found if isinstance(found, Declined) else KernelPlan(self.name)

    def misfit(self, subject: Subject, plan: KernelPlan) -> str | None:
        """Say that there is nothing to plan."""
        del subject
        return f"nests: expected none, found {len(plan.nests)}" if plan.nests else None

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Return the function as the rule schedules it."""
        del plan
        found = subject.once(self._scheduled)
        assert not isinstance(found, Declined)
        return found

    def _scheduled(self, subject: Subject) -> PrimFunc | Declined:
        with subject.target:
            try:
                found = self._rule.apply(subject.function, subject.target, False)  # noqa: FBT003
            except ScheduleError as error:
                # Known of convolutions of one channel (apache/tvm issue 20048).
                return Declined(f"TVM's rule failed: {str(error).strip().splitlines()[-1]}")
        if found is None:
            return Declined("TVM's rule does not match it")
        schedule = found if isinstance(found, s_tir.Schedule) else found[0]
        return schedule.mod["main"].with_attr(SCHEDULED, 1)


RULES = (
    Dlight(dlight.gpu.Matmul()),
    Dlight(dlight.gpu.GEMV()),
    Dlight(dlight.gpu.Reduction()),
    Dlight(dlight.gpu.GeneralReduction()),
    Dlight(dlight.gpu.Fallback()),
)
