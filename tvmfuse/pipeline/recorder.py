"""Writing down what the passes did, and how long they took."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tvm import IRModule, relax

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.levels import name_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.phase import Phase
from tvmfuse.passes.trace import Nodes
from tvmfuse.pipeline.instruments import Instrument, PassInvocation, PassRun
from tvmfuse.report import PassReport, Status, declines


@dataclass
class _Log:
    """What one pass did in all its invocations."""

    fired: list[Nodes] = field(default_factory=list)
    declined: list[tuple[str, Nodes]] = field(default_factory=list)
    ops_before: int | None = None
    removed: int = 0
    seconds: float = 0.0
    noted: bool = False


class Recorder(Instrument):
    """Records invocations, times and the number of operators.

    Attributes:
        invocations: Those of the passes that can be switched off, in order.
        ops_before: The operators that were imported.
        ops_after: The operators that the passes on operators left.
        seconds: The time that the passes took.
    """

    def __init__(self) -> None:
        self.invocations: list[PassInvocation] = []
        self.ops_before = self.ops_after = 0
        self.seconds = 0.0
        self._counted: tuple[IRModule, int] | None = None
        self._logs: dict[str, _Log] = defaultdict(_Log)

    def enter(self, module: IRModule) -> None:
        """Count the operators that were imported."""
        self.ops_before = self.ops_after = self._count(module)

    def after(self, run: PassRun) -> None:
        """Record an invocation."""
        invocation = run.invocation
        before, after = self._count(run.before), self._count(run.after)
        log = self._logs[invocation.name]
        log.ops_before = before if log.ops_before is None else log.ops_before
        log.removed += before - after
        log.seconds += run.seconds
        log.fired += run.trace.fired
        log.noted |= run.trace.noted
        log.declined = run.trace.declined
        self.seconds += run.seconds
        if not invocation.required:
            self.invocations.append(invocation)

    def report(self, phase: Phase, entry: GraphPass, status: Status) -> PassReport:
        """Return what a pass did."""
        log, tier = self._logs[entry.name], name_of(phase.tier)
        if status != "ran":
            return PassReport(entry.name, tier, status)
        ops = log.ops_before or 0
        return PassReport(
            name=entry.name,
            tier=tier,
            status=status,
            fired=len(log.fired),
            rewrites=tuple(log.fired),
            declined=declines(log.declined),
            ops_before=ops,
            ops_after=ops - log.removed,
            seconds=log.seconds,
            note=entry.note if log.noted else "",
        )

    def _count(self, module: IRModule) -> int:
        """Count each module once: most invocations return the one that they got."""
        if self._counted is None or self._counted[0] is not module:
            self._counted = module, count_ops(module)
        return self._counted[1]


def count_ops(module: IRModule) -> int:
    """Count the calls of operators, or of kernels, in `main`."""
    main = module["main"]
    if not isinstance(main, relax.Function):
        return 0
    return sum(
        op_name(value) not in (None, "TupleGetItem") or _calls_group(value)
        for _, value in Dataflow.of(main).bindings
    )


def _calls_group(value: object) -> bool:
    return type(getattr(value, "op", None)).__name__ == "GlobalVar"
