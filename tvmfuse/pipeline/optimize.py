"""Running the passes that a caller chose, and writing down what they did."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tvm import IRModule, relax
from tvm.target import Target

from tvmfuse.errors import CompilationError, PassError
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.levels import Level, name_of
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.ops.lowering.rounding import round_once
from tvmfuse.passes.catalogue import CATALOGUE
from tvmfuse.passes.contract import KERNELS, GraphPass
from tvmfuse.passes.rewrite import RewriteRule
from tvmfuse.passes.selection import Selection, entries
from tvmfuse.passes.trace import Nodes, Trace
from tvmfuse.progress import Progress, Step
from tvmfuse.report import OptimizationReport, PassReport, declines
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve

MAX_ROUNDS: Final = 10  # ONNX Runtime's limit


@dataclass(frozen=True)
class Turn:
    """One pass's turn, of which it has several in a tier that is repeated.

    Attributes:
        name: The pass.
        tier: Its level.
        fired: For each rewrite, in order, the ONNX nodes that it replaced.
    """

    name: str
    tier: Level
    fired: tuple[Nodes, ...]


@dataclass(frozen=True)
class Stop:
    """Where to stop: all rewrites of all passes' turns have one order.

    Attributes:
        turn: The place, from 0, of the turn that is the last one; -1 for none at all.
        rewrites: After how many of its rewrites.
    """

    turn: int
    rewrites: int


@dataclass(frozen=True)
class Optimized:
    """A module after its passes.

    Attributes:
        operators: As the passes on operators left it.
        kernels: Lowered, and as the passes on kernels left it.
        report: What each pass did.
        turns: The same, in running order.
    """

    operators: IRModule
    kernels: IRModule
    report: OptimizationReport
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class PassRun:
    """A turn, with the modules before and after it."""

    turn: Turn
    before: IRModule
    after: IRModule


def optimize(
    module: IRModule,
    selection: Selection,
    progress: Progress = lambda _: None,
    *,
    target: Target | None = None,
    stop: Stop | None = None,
    watch: Callable[[PassRun], None] = lambda _: None,
) -> Optimized:
    """Optimize operators, lower them to kernels, optimize those.

    Args:
        module: The imported operators.
        selection: Which passes run.
        progress: Called with the name of each pass before it runs, and which share of the passes
            has run at least once.
        target: What the layouts are to suit; None for this machine.
        stop: After which rewrite no pass does anything more; None for none. What is not a pass,
            lowering above all, still happens.
        watch: Called after each run of a pass.

    Raises:
        PassError: A pass raised an error or does not come to an end.
    """
    return Optimizer(selection, progress, target, stop, watch).run(module)


@dataclass
class _Log:
    """What one pass did in all its rounds."""

    fired: list[tuple[str, ...]] = field(default_factory=list)
    declined: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    ops_before: int = 0
    removed: int = 0
    seconds: float = 0.0
    runs: int = 0


class Optimizer:
    """One module on its way through the passes of a selection.

    Args:
        selection: Which passes run.
        progress: Called with the name of each pass before it runs, and which share of the passes
            has run at least once.
        target: What the layouts are to suit; None for this machine.
        stop: After which rewrite no pass does anything more; None for none.
        watch: Called after each run of a pass.

    Attributes:
        turns: What has been done so far.
    """

    def __init__(
        self,
        selection: Selection,
        progress: Progress = lambda _: None,
        target: Target | None = None,
        stop: Stop | None = None,
        watch: Callable[[PassRun], None] = lambda _: None,
    ) -> None:
        self.turns: list[Turn] = []
        self._stop = stop
        self._selection = selection
        self._target = resolve("llvm") if target is None else target
        self._progress = progress
        self._watch = watch
        self._logs: dict[str, _Log] = {p.name: _Log() for _, p in entries()}
        self._ops = [0, 0]
        self._kernels = 0
        self._chosen = [p.name for tier, p in entries() if self._runs(tier, p)]

    def run(self, module: IRModule) -> Optimized:
        """Run all passes, with the lowering between those on operators and those on kernels."""
        operators = self.run_on_operators(module)
        kernels = self.run_on_kernels(lower(operators).module)
        return Optimized(operators, kernels, self.report(), tuple(self.turns))

    def run_on_operators(self, module: IRModule) -> IRModule:
        """Run the graph's passes, each tier until nothing changes."""
        module = map_functions(module, round_once)  # before constants are folded
        self._ops[0] = self._ops[1] = count_ops(module)
        for tier, passes in CATALOGUE.items():
            if tier == Level.ORT_ENABLE_LAYOUT:
                module = self._kept_apart(module)  # the rules know plain tensors only
            chosen = [p for p in passes if self._runs(tier, p) and not _on_kernels(p)]
            for _ in range(MAX_ROUNDS if chosen else 0):
                fired = sum(len(self._logs[p.name].fired) for p in chosen)
                for entry in chosen:
                    module = self._run_one(tier, entry, module)
                if fired == sum(len(self._logs[p.name].fired) for p in chosen):
                    break
        self._ops[1] = count_ops(module)
        return module

    def run_on_kernels(self, module: IRModule) -> IRModule:
        """Run the passes that work on kernels, once each."""
        for tier, entry in entries():
            if _on_kernels(entry) and self._runs(tier, entry):
                module = self._run_one(tier, entry, module)
        self._kernels = len(kernel_calls(module))
        return module

    def report(self) -> OptimizationReport:
        """Return what every pass of the catalogue did."""
        return OptimizationReport(
            level=name_of(self._selection.level),
            passes=tuple(self._report_of(tier, p) for tier, p in entries()),
            ops_before=self._ops[0],
            ops_after=self._ops[1],
            seconds=sum(log.seconds for log in self._logs.values()),
            kernels=self._kernels,
        )

    def _kept_apart(self, module: IRModule) -> IRModule:
        """Keep `FuseOps` from doing what a disabled fusion would have done."""
        if not any(_on_kernels(p) and self._selection.runs(t, p) for t, p in entries()):
            return module
        for tier, entry in entries():
            disabled = entry.name in self._selection.disabled and tier <= self._selection.level
            if disabled and isinstance(entry, RewriteRule):
                module = entry.with_barriers(module)
        return module

    def _runs(self, tier: Level, entry: GraphPass) -> bool:
        return self._selection.runs(tier, entry) and _suits(entry, self._target)

    def _configured(self, entry: GraphPass) -> GraphPass:
        on_cpu = self._target.kind.name == "llvm"
        return entry.configured(Machine.of(self._target)) if on_cpu else entry

    def _run_one(self, tier: Level, entry: GraphPass, module: IRModule) -> IRModule:
        left = None if self._stop is None else self._stop.turn - len(self.turns)
        if left is not None and left < 0:
            return module
        done = sum(self._logs[name].runs > 0 for name in self._chosen)
        self._progress(Step(entry.name, done / len(self._chosen)))
        limit = self._stop.rewrites if self._stop is not None and left == 0 else None
        log, trace = self._logs[entry.name], Trace(limit)
        before, start = count_ops(module), time.perf_counter()
        try:
            result = self._configured(entry)(module, trace)
        except CompilationError:
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise PassError(entry.name, why, trace.at) from error
        log.seconds += time.perf_counter() - start
        log.ops_before = log.ops_before if log.runs else before
        log.removed += before - count_ops(result)
        log.runs += 1
        log.fired += trace.fired
        log.declined = trace.declined
        turn = Turn(entry.name, tier, tuple(trace.fired))
        self.turns.append(turn)
        self._watch(PassRun(turn, module, result))
        return result

    def _report_of(self, tier: Level, entry: GraphPass) -> PassReport:
        log, selection = self._logs[entry.name], self._selection
        if entry.name in selection.disabled:
            return PassReport(entry.name, name_of(tier), "disabled")
        if not selection.runs(tier, entry):
            above = tier > selection.level
            return PassReport(entry.name, name_of(tier), "above level" if above else "opt-in")
        if not _suits(entry, self._target):
            return PassReport(entry.name, name_of(tier), "not for this target")
        return PassReport(
            name=entry.name,
            tier=name_of(tier),
            status="ran",
            fired=len(log.fired),
            rewrites=tuple(log.fired),
            declined=declines(log.declined),
            ops_before=log.ops_before,
            ops_after=log.ops_before - log.removed,
            seconds=log.seconds,
            note=entry.note if log.fired else "",
        )


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


def _suits(entry: GraphPass, target: Target) -> bool:
    return target.kind.name in entry.targets


def _on_kernels(entry: GraphPass) -> bool:
    return entry.works_on is KERNELS
