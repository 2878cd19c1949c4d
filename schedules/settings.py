"""What a caller asks of the schedules: which steps not to take, and which plans to follow."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tvmfuse.errors import ConfigurationError
from tvmfuse.names import Names
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.steps import PREPARING, steps_of


@dataclass(frozen=True)
class ScheduleSettings:
    """What a caller asks of the schedules.

    Attributes:
        disabled_steps: Names of steps that no kernel takes.
        plans: A kernel's name or key -> the plan that it follows.
        tuned: A kernel's key -> the plan that it follows where it fits: of a database, whose plans
            are for kernels of any model.
        strict: Whether a schedule that fails is an error, and not left out.
    """

    disabled_steps: frozenset[str] = frozenset()
    plans: Mapping[str, KernelPlan] = field(default_factory=dict)
    tuned: Mapping[str, KernelPlan] = field(default_factory=dict)
    strict: bool = True

    @classmethod
    def of(
        cls,
        disabled_step: Names = (),
        plans: Mapping[str, Any] | None = None,
        *,
        strict: bool = True,
    ) -> ScheduleSettings:
        """Resolve names, and read plans.

        Args:
            disabled_step: Names or aliases; one text may hold several. Those that mean a pass are
                left to `passes_of`.
            plans: By kernel: `KernelPlan`s, or what their JSON holds.
            strict: Whether a schedule that fails is an error.

        Raises:
            ConfigurationError: A name means no step, or a plan is none.
        """
        if plans is not None and not isinstance(plans, Mapping):
            raise ConfigurationError(f"plans: expected plans by kernel, found {plans!r}")
        off = frozenset(step.name for step in steps_of(disabled_step) if not step.by_pass)
        read = {name: from_json(plan, f"plans[{name!r}]") for name, plan in (plans or {}).items()}
        return cls(off, read, strict=strict)

    def plan_for(self, *names: str) -> KernelPlan | None:
        """Return the plan for the kernel of these names: a caller's, else a tuned one."""
        if (given := self.given(*names)) is not None:
            return given
        found = (self.tuned[name] for name in names if name in self.tuned)
        return next((p for p in found if self.disabled_steps.isdisjoint(p.steps)), None)

    def given(self, *names: str) -> KernelPlan | None:
        """Return the caller's plan for the kernel of these names."""
        return next((self.plans[name] for name in names if name in self.plans), None)

    def following(self, plan: KernelPlan) -> ScheduleSettings:
        """Return the settings under which a kernel's stages are prepared as for a plan."""
        return replace(self, disabled_steps=self.disabled_steps | (PREPARING - {*plan.steps}))

    def digest_for(self, *names: str) -> str:
        """Return what of the settings the code of a kernel depends on; empty for none."""
        plan = self.plan_for(*names)
        if not self.disabled_steps and plan is None:
            return ""
        said = [sorted(self.disabled_steps), None if plan is None else to_json(plan)]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def passes_of(disabled_step: Names) -> tuple[str, ...]:
    """Return the passes that some of the names mean: the graph's, which do a step of kernels.

    >>> passes_of("Winograd; KBlocking")
    ('WinogradConv',)
    """
    return tuple(step.by_pass for step in steps_of(disabled_step) if step.by_pass)
