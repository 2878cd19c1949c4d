"""Kernels that no schedule can read run as they were written.

Sorting, scans and scatter say in their own loops what is parallel and in which order the rest
runs; nothing else knows it.
"""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.protocol import Declined, Subject


class AsWritten:
    """The last of every table: it takes all kernels and changes none."""

    name = "as_written"

    def plan(self, subject: Subject) -> KernelPlan | Declined:
        """Return a plan without nests."""
        del subject
        return KernelPlan(self.name)

    def misfit(self, subject: Subject, plan: KernelPlan) -> str | None:
        """Say that there is nothing to plan."""
        del subject
        return f"nests: expected none, found {len(plan.nests)}" if plan.nests else None

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Return the function itself."""
        del plan
        return subject.function.with_attr(SCHEDULED, 1)
