"""Scheduling a module: each kernel takes the first schedule of the table that accepts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tvm import IRModule, relax
from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.errors import CompilationError
from tvmfuse.ir.kernels import calls_of, is_reshape
from tvmfuse.schedules.catalogue import CATALOGUE
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.protocol import Declined, Schedule, Subject


@dataclass(frozen=True)
class Decision:
    """How one kernel was scheduled.

    Attributes:
        schedule: The name of the schedule that took it.
        declined: The schedules that were tried before -> what each said.
    """

    schedule: str
    declined: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ScheduleReport:
    """Each kernel's symbol -> how it was scheduled."""

    decisions: Mapping[str, Decision]

    def schedule_of(self, symbol: str) -> str:
        """Return the name of the schedule that a kernel took."""
        return self.decisions[symbol].schedule


@dataclass(frozen=True)
class Scheduled:
    """A module whose kernels are ready for TVM's code generator."""

    module: IRModule
    report: ScheduleReport


def schedule(module: IRModule, target: Target) -> Scheduled:
    """Schedule every PrimFunc of a module; the module itself stays as it is.

    A kernel that only reshapes becomes a view of its argument; scheduled, it would be a copy.

    Raises:
        CompilationError: A schedule failed, or there is none for such targets.
    """
    if target.kind.name not in CATALOGUE:
        known = ", ".join(CATALOGUE)
        raise CompilationError(f"no schedules for targets of kind {target.kind}; known: {known}")
    functions, decisions = dict(viewed(module).functions_items()), {}
    for symbol, function in functions.items():
        if isinstance(function, PrimFunc):
            name = symbol.name_hint
            functions[symbol], decisions[name] = schedule_kernel(name, function, target)
    scheduled = IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)
    return Scheduled(scheduled, ScheduleReport(decisions))


def viewed(module: IRModule) -> IRModule:
    """Make views of the kernels that only reshape, and drop those that nobody calls any more."""
    functions = dict(relax.transform.RewriteDataflowReshape()(module).functions_items())
    callers = [f for f in functions.values() if isinstance(f, relax.Function)]
    called = {callee for caller in callers for _, _, callee in calls_of(caller)}
    for symbol, function in [*functions.items()]:
        if isinstance(function, PrimFunc) and is_reshape(function) and symbol not in called:
            del functions[symbol]
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


def schedule_kernel(symbol: str, function: PrimFunc, target: Target) -> tuple[PrimFunc, Decision]:
    """Schedule one PrimFunc for a target of a kind that there are schedules for.

    Raises:
        CompilationError: A schedule failed.
    """
    if SCHEDULED in function.attrs:
        return function, Decision("as_it_came")
    subject = Subject(function, target)
    declined: dict[str, str] = {}
    for entry in CATALOGUE[target.kind.name]:
        result = _tried(entry, symbol, subject)
        if not isinstance(result, Declined):
            return result, Decision(entry.name, declined)
        declined[entry.name] = result.reason
    said = "; ".join(f"{name}: {reason}" for name, reason in declined.items())
    raise CompilationError(f"no schedule takes the kernel {symbol} ({said})")


def _tried(entry: Schedule, symbol: str, subject: Subject) -> PrimFunc | Declined:
    try:
        return entry(subject)
    except Exception as error:
        raise CompilationError(
            f"the schedule {entry.name} failed on the kernel {symbol}: this is a defect of "
            f"tvmfuse, please report it with the model ({type(error).__name__}: {error})"
        ) from error
