"""Scheduling a module: each kernel takes the first schedule of the table that accepts it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from tvm import IRModule
from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.errors import (
    CompilationError,
    ConfigurationError,
    LeftOutWarning,
    ScheduleError,
    closest,
)
from tvmfuse.ir.well_formed import why_ill_formed_kernel
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.schedules.catalogue import CATALOGUE
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.plan_keys import check_plans, plan_key
from tvmfuse.schedules.protocol import Declined, Schedule, Subject
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.schedules.specialize import SIZES, SPECIALIZE, Sizes, at_sizes, joined, sizes_of
from tvmfuse.schedules.steps import PREPARING
from tvmfuse.schedules.views import viewed

#: What stands for a plan of the database among what failed on a kernel.
TUNED: Final = "tuned plan"


@dataclass(frozen=True)
class Decision:
    """How one kernel was scheduled.

    Attributes:
        plan: How it runs; that names the schedule that took it.
        declined: The schedules that were tried before -> what each said.
        failed: The schedules that failed on it, and were left out -> why.
    """

    plan: KernelPlan
    declined: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)

    @property
    def schedule(self) -> str:
        """The name of the schedule that took it."""
        return self.plan.schedule

    def to_json(self) -> dict[str, Any]:
        """Return the decision as JSON's types."""
        return {
            "plan": to_json(self.plan),
            "declined": dict(self.declined),
            "failed": dict(self.failed),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Decision:
        """Return the decision that `to_json` took apart."""
        return cls(from_json(fields["plan"]), dict(fields["declined"]), dict(fields["failed"]))


@dataclass(frozen=True)
class ScheduleReport:
    """How each kernel was scheduled, by its symbol.

    Attributes:
        decisions: How.
        keys: The keys by which plans may be for the kernels.
    """

    decisions: Mapping[str, Decision]
    keys: Mapping[str, str] = field(default_factory=dict)

    def schedule_of(self, symbol: str) -> str:
        """Return the name of the schedule that a kernel took."""
        return self.decisions[symbol].schedule

    def plan_of(self, symbol: str) -> KernelPlan:
        """Return how a kernel runs."""
        return self.decisions[symbol].plan


@dataclass(frozen=True)
class Scheduled:
    """A module whose kernels are ready for TVM's code generator."""

    module: IRModule
    report: ScheduleReport


def schedule(
    module: IRModule, target: Target, settings: ScheduleSettings | None = None
) -> Scheduled:
    """Schedule every PrimFunc of a module; the module itself stays as it is.

    A kernel that only reshapes becomes a view of its argument; scheduled, it would be a copy.

    Args:
        module: Its kernels are to be scheduled.
        target: Of a kind that there are schedules for.
        settings: The steps that are not taken, and the plans that are followed.

    Raises:
        CompilationError: A schedule failed, or there is none for such targets.
        ConfigurationError: A plan does not fit its kernel, or there is no such kernel.
    """
    if target.kind.name not in CATALOGUE:
        known = ", ".join(CATALOGUE)
        raise CompilationError(f"no schedules for targets of kind {target.kind}; known: {known}")
    settings = settings or ScheduleSettings()
    functions, decisions = dict(viewed(module).functions_items()), {}
    kernels = {s.name_hint: f for s, f in functions.items() if isinstance(f, PrimFunc)}
    keys = {name: plan_key(function) for name, function in kernels.items()}
    check_plans(settings, keys)
    for symbol, function in functions.items():
        if isinstance(function, PrimFunc):
            name = symbol.name_hint
            functions[symbol], decisions[name] = schedule_kernel(name, function, target, settings)
    scheduled = IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)
    return Scheduled(scheduled, ScheduleReport(decisions, keys))


def schedule_kernel(
    symbol: str,
    function: PrimFunc,
    target: Target,
    settings: ScheduleSettings | None = None,
    failed: Mapping[str, str] = MappingProxyType({}),
) -> tuple[PrimFunc, Decision]:
    """Schedule one PrimFunc for a target of a kind that there are schedules for.

    The decision is that of the code for all sizes.

    Args:
        symbol: Its name.
        function: It stays as it is.
        target: Of such a kind.
        settings: What the caller asks for.
        failed: Schedules that are known to fail on it -> why; they are left out.

    Raises:
        ScheduleError: A schedule failed, and the settings are strict, or it takes every kernel.
        ConfigurationError: A plan does not fit it.
    """
    settings = settings or ScheduleSettings()
    code, decision = _scheduled(symbol, function.without_attr(SIZES), target, settings, failed)
    if SIZES not in function.attrs or SPECIALIZE in failed:
        return code, decision
    try:
        with _reported(SPECIALIZE, symbol):
            own = replace(settings, plans={}, tuned={}, strict=True)
            special = list[tuple[Sizes, PrimFunc]]()
            for sizes in sizes_of(function):
                at = at_sizes(function, sizes)
                special.append((sizes, _scheduled(symbol, at, target, own, decision.failed)[0]))
            return _well_formed(joined(code, special)), decision
    except ScheduleError as error:
        why = leave_out(error, settings, target)
        return code, replace(decision, failed={**decision.failed, SPECIALIZE: why})


def _scheduled(
    symbol: str,
    function: PrimFunc,
    target: Target,
    settings: ScheduleSettings,
    failed: Mapping[str, str],
) -> tuple[PrimFunc, Decision]:
    """Schedule one PrimFunc as it is; the arguments and errors are those of `schedule_kernel`."""
    if SCHEDULED in function.attrs:
        return function, Decision(KernelPlan("as_it_came"))
    # To find a kernel's key takes as long as a small kernel's plan.
    names = (symbol, plan_key(function)) if settings.plans or settings.tuned else ()
    plan = settings.given(*names) if TUNED in failed else settings.plan_for(*names)
    if plan is not None:
        try:
            return _followed(symbol, Subject(function, target, settings.following(plan)), plan)
        except (ConfigurationError, ScheduleError) as error:
            if settings.given(*names) is not None:
                raise
            failed = {**failed, TUNED: without_tuned(error)}
    subject, known = Subject(function, target, settings), dict(failed)
    while True:
        entry, decision = _planned(symbol, subject, known)
        try:
            with _reported(entry.name, symbol):
                return _well_formed(entry.emit(subject, decision.plan)), decision
        except ScheduleError as error:
            known = {**decision.failed, error.name: leave_out(error, settings, target)}


def plans_of(module: IRModule, target: Target, settings: ScheduleSettings) -> dict[str, KernelPlan]:
    """Plan every kernel of a module as `schedule` does, by name; make no code.

    Raises:
        CompilationError: A schedule failed.
    """
    return {
        symbol.name_hint: plan_kernel(symbol.name_hint, function, target, settings).plan
        for symbol, function in viewed(module).functions_items()
        if isinstance(function, PrimFunc)
    }


def plan_kernel(
    symbol: str, function: PrimFunc, target: Target, settings: ScheduleSettings | None = None
) -> Decision:
    """Plan one PrimFunc as `schedule_kernel` does, plans of the caller's aside; make no code.

    Raises:
        CompilationError: A schedule failed.
    """
    if SCHEDULED in function.attrs:
        return Decision(KernelPlan("as_it_came"))
    subject = Subject(function, target, settings or ScheduleSettings())
    return _planned(symbol, subject, {})[1]


def without_tuned(error: Exception) -> str:
    """Warn of a plan of the database with which a kernel cannot be compiled; return why."""
    warnings.warn(f"{error}; it is of the database, and is left out", LeftOutWarning, stacklevel=2)
    return str(error)


def leave_out(error: ScheduleError, settings: ScheduleSettings, target: Target) -> str:
    """Warn of a schedule, or sizes of their own, that failed on one kernel; return why.

    Raises:
        ScheduleError: The settings are strict, or there is no simpler schedule.
    """
    simpler = {SPECIALIZE, *(entry.name for entry in CATALOGUE[target.kind.name][:-1])}
    if settings.strict or error.name not in simpler or is_out_of_memory(error):
        raise error
    warnings.warn(f"{error}; it is left out", LeftOutWarning, stacklevel=2)
    return error.why


def _planned(symbol: str, subject: Subject, failed: Mapping[str, str]) -> tuple[Schedule, Decision]:
    """Return the first schedule that takes a kernel and does not fail, and its plan."""
    declined, left_out = dict[str, str](), dict(failed)
    for entry in CATALOGUE[subject.target.kind.name]:
        if entry.name in left_out:
            continue
        try:
            with _reported(entry.name, symbol):
                plan = entry.plan(subject)
        except ScheduleError as error:
            left_out[entry.name] = leave_out(error, subject.settings, subject.target)
            continue
        if not isinstance(plan, Declined):
            return entry, Decision(plan, declined, left_out)
        declined[entry.name] = plan.reason
    said = "; ".join(f"{name}: {reason}" for name, reason in declined.items())
    raise CompilationError(f"no schedule takes the kernel {symbol} ({said})")


def _followed(symbol: str, subject: Subject, given: KernelPlan) -> tuple[PrimFunc, Decision]:
    """Schedule a kernel as a plan says that its schedule did not make."""
    entry, own = check_fits(symbol, subject, given)
    with _reported(entry.name, symbol):
        code = _well_formed(entry.emit(subject, given))
    taken = {step for nest in given.nests for step in nest.steps}
    from_nests = {step for nest in own.nests for step in nest.steps}
    steps = frozenset(own.steps) - from_nests | taken
    return code, Decision(KernelPlan.of(entry.name, steps, given.nests))


def check_fits(symbol: str, subject: Subject, given: KernelPlan) -> tuple[Schedule, KernelPlan]:
    """Return the schedule that takes a plan for a kernel, and the plan that it would make.

    Raises:
        ConfigurationError: The plan does not fit the kernel.
        ScheduleError: The schedule failed.
    """
    what = f"the plan for the kernel {symbol}"
    entries = {entry.name: entry for entry in CATALOGUE[subject.target.kind.name]}
    if given.schedule not in entries:
        raise ConfigurationError(
            f"{what}: no schedule is called {given.schedule!r}; {closest(given.schedule, entries)}"
        )
    entry = entries[given.schedule]
    with _reported(entry.name, symbol):
        own = entry.plan(subject)
        misfit = None if isinstance(own, Declined) else entry.misfit(subject, given)
    if isinstance(own, Declined):
        raise ConfigurationError(
            f"{what}: the schedule {entry.name} does not take it: {own.reason}"
        )
    if misfit:
        raise ConfigurationError(f"{what} does not fit it: {misfit}")
    lacking = [step for step in given.steps if step in PREPARING and step not in own.steps]
    if lacking:
        raise ConfigurationError(
            f"{what} does not fit it: steps: expected none of {', '.join(lacking)}, "
            "which do not take part in it"
        )
    return entry, own


def _well_formed(code: PrimFunc) -> PrimFunc:
    if why := why_ill_formed_kernel(code):
        raise ValueError(f"its code is not well-formed: {why}")
    return code


@contextmanager
def _reported(name: str, symbol: str) -> Iterator[None]:
    """Report what a schedule raises as the defect that it is."""
    try:
        yield
    except Exception as error:
        raise ScheduleError(name, symbol, f"{type(error).__name__}: {error}") from error
