"""A loop nest that is yet to be written: what can be decided about it, and its code for a decision.

A nest holds what was found out about some stages. Its plan is plain data, so that it can be shown,
kept, and changed; whatever plan fits, the nest computes the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from tvm.tirx import Stmt

from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.schedules.plans import NestPlan
from tvmfuse.target.machine import Machine

Plan = TypeVar("Plan", bound=NestPlan)


class Misfit(NamedTuple):
    """What of a plan does not fit: a field, what was expected of it, and what was found."""

    field: str
    expected: object
    found: object

    def __str__(self) -> str:
        return f"{self.field}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True)
class Scope:
    """What kernels are scheduled for.

    Attributes:
        machine: The vectors, registers, caches and so on.
        disabled_steps: Names of steps that are not taken.
    """

    machine: Machine
    disabled_steps: frozenset[str] = frozenset()

    def takes(self, step: str) -> bool:
        """Whether a step may be taken."""
        return step not in self.disabled_steps


class Nest(ABC, Generic[Plan]):
    """A loop nest that is yet to be written."""

    plan_type: type[Plan]

    @abstractmethod
    def plan(self, *, parallel: bool = True) -> Plan:
        """Return the plan that is expected to run fastest.

        Args:
            parallel: Whether its loops may run in threads; not inside a loop that does.
        """

    @abstractmethod
    def misfits(self, plan: Plan) -> Iterator[Misfit]:
        """Yield what of a plan of `plan_type` does not fit; what follows the first is not read."""

    @abstractmethod
    def emit(self, builder: LoopNestBuilder, plan: Plan) -> Stmt | None:
        """Return the loops of a plan that fits; None where there is nothing to do."""

    def misfit(self, plan: NestPlan, *, parallel: bool = True) -> Misfit | None:
        """Return what of any plan does not fit the nest; None where it fits."""
        if not isinstance(plan, self.plan_type):
            return Misfit("kind", self.plan_type.kind, plan.kind)
        if plan.parallel and not parallel:
            return Misfit("parallel", "false inside a loop that may be parallel", "true")
        return next(self.misfits(plan), None)


def misfits_of(
    nests: Sequence[Nest[Any]],
    plans: Sequence[NestPlan],
    name: str = "nests",
    *,
    parallel: bool = True,
) -> Iterator[Misfit]:
    """Yield what of some plans does not fit nests; `name` is the field that holds them."""
    if len(nests) != len(plans):
        yield Misfit(name, f"{len(nests)} plans", len(plans))
        return
    for place, (nest, plan) in enumerate(zip(nests, plans, strict=True)):
        if found := nest.misfit(plan, parallel=parallel):
            yield found._replace(field=f"{name}[{place}].{found.field}")


def axis_names(axes: Sequence[Axis]) -> dict[Axis, str]:
    """Return a name for each axis, no two the same: TIR's, without the prefix of TVM's lowering."""
    names: dict[Axis, str] = {}
    for axis in axes:
        stem = axis.var.name.removeprefix("v_").replace("_v_", "*")
        taken, name, number = {*names.values()}, stem, 2
        while name in taken:
            name, number = f"{stem}.{number}", number + 1
        names[axis] = name
    return names


def in_order_of(names: Sequence[str], axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """Return axes in the order of their names."""
    by_name = {name: axis for axis, name in axis_names(axes).items()}
    return tuple(by_name[name] for name in names)


def order_misfit(names: Sequence[str], axes: Sequence[Axis]) -> Iterator[Misfit]:
    """Yield what is wrong with names that are to be those of all axes, in any order."""
    expected = list(axis_names(axes).values())
    if sorted(names) != sorted(expected):
        yield Misfit("order", f"all of {', '.join(expected) or 'none'}", ", ".join(names) or "none")
