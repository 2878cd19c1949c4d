"""Running the passes that a caller chose: the pass manager."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tvm import IRModule
from tvm.target import Target

from tvmfuse.errors import CompilationError, PassError, RewriteDivergedError
from tvmfuse.ir.dataflow import remembering
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.levels import name_of
from tvmfuse.passes.contract import CPU, KERNELS, GraphPass
from tvmfuse.passes.phase import FIXPOINT, Phase
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Trace
from tvmfuse.pipeline.instruments import (
    Instrument,
    PassInvocation,
    PassRun,
    ShowProgress,
    failure,
)
from tvmfuse.pipeline.recorder import Recorder, count_ops
from tvmfuse.progress import Progress, silent
from tvmfuse.report import OptimizationReport, Status
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve

MAX_ROUNDS: Final = 10  # ONNX Runtime's limit
LOWERING: Final = "lower"


@dataclass(frozen=True)
class Optimized:
    """A module after its passes.

    Attributes:
        operators: As the passes on operators left it.
        kernels: Lowered, and as the passes on kernels left it.
        report: What each pass did.
        invocations: The same, in running order.
    """

    operators: IRModule
    kernels: IRModule
    report: OptimizationReport
    invocations: tuple[PassInvocation, ...]


def optimize(
    module: IRModule,
    selection: Selection,
    progress: Progress = silent,
    *,
    target: Target | None = None,
    instruments: Sequence[Instrument] = (),
) -> Optimized:
    """Optimize operators, lower them to kernels, optimize those.

    Args:
        module: The imported operators.
        selection: Which passes run.
        progress: Called with the name of each pass before it runs, and which share of the passes
            has run at least once.
        target: What the layouts are to suit; None for this machine.
        instruments: What else happens around each invocation of a pass.

    Raises:
        PassError: A pass raised an error or does not come to an end.
        CompilationError: An operator has no lowering.
    """
    return Optimizer(selection, progress, target, instruments).run(module)


class Optimizer:
    """One module on its way through the phases of the pipeline.

    Args:
        selection: Which passes run.
        progress: Called with the name of each pass before it runs, and which share of the passes
            has run at least once.
        target: What the layouts are to suit; None for this machine.
        instruments: What else happens around each invocation of a pass.
    """

    def __init__(
        self,
        selection: Selection,
        progress: Progress = silent,
        target: Target | None = None,
        instruments: Sequence[Instrument] = (),
    ) -> None:
        self._selection = selection
        self._target = resolve("llvm") if target is None else target
        self._machine = Machine.of(self._target) if self._target.kind.name in CPU else None
        self._recorder = Recorder()
        self._phases = selection.phases
        names = [phase.name for phase in self._phases]
        self._lowering = names.index(LOWERING)
        chosen = [p.name for ph in self._phases for p in ph.passes if self._runs(ph, p)]
        optional = {p.name for ph in self._phases for p in ph.passes if not p.required}
        shown = ShowProgress(progress, [name for name in chosen if name in optional])
        self._instruments = (shown, *instruments, self._recorder)
        self._kernels = 0

    @property
    def invocations(self) -> tuple[PassInvocation, ...]:
        """What the passes that can be switched off have done so far."""
        return tuple(self._recorder.invocations)

    def run(self, module: IRModule) -> Optimized:
        """Run all phases."""
        operators = self.run_on_operators(module)
        kernels = self._through(self._phases[self._lowering :], operators)
        self._kernels = len(kernel_calls(kernels))
        return Optimized(operators, kernels, self.report(), self.invocations)

    def run_on_operators(self, module: IRModule) -> IRModule:
        """Run the phases before the lowering."""
        for instrument in self._instruments:
            instrument.enter(module)
        module = self._through(self._phases[: self._lowering], module)
        self._recorder.ops_after = count_ops(module)
        return module

    def report(self) -> OptimizationReport:
        """Return what every pass of the pipeline did."""
        return OptimizationReport(
            level=name_of(self._selection.level),
            passes=tuple(
                self._recorder.report(phase, entry, self._status(phase, entry))
                for phase in self._phases
                for entry in phase.passes
            ),
            ops_before=self._recorder.ops_before,
            ops_after=self._recorder.ops_after,
            seconds=self._recorder.seconds,
            kernels=self._kernels,
        )

    def _through(self, phases: Iterable[Phase], module: IRModule) -> IRModule:
        with remembering():
            for phase in phases:
                chosen = [self._configured(p) for p in phase.passes if self._runs(phase, p)]
                for _ in range(MAX_ROUNDS if phase.repeat is FIXPOINT else 1):
                    fired = 0
                    for entry in chosen:
                        if (run := self._invoked(phase, entry, module)) is not None:
                            module, fired = run.after, fired + len(run.invocation.fired)
                    if not fired:
                        break
                else:
                    self._require_end(phase, chosen, module)
        return module

    def _invoked(self, phase: Phase, entry: GraphPass, module: IRModule) -> PassRun | None:
        """Run a pass; None where an instrument lets it rewrite nothing."""
        trace = Trace(None if entry.required else self._limit())
        if trace.limit == 0:
            return None
        for instrument in self._instruments:
            instrument.before(phase, entry, module)
        start = time.perf_counter()
        result = _applied(phase, entry, module, trace)
        seconds = time.perf_counter() - start
        run = PassRun(_invocation(phase, entry, trace), module, result, trace, seconds)
        for instrument in self._instruments:
            instrument.after(run)
        return run

    def _require_end(self, phase: Phase, chosen: Iterable[GraphPass], module: IRModule) -> None:
        """Raise an error if one of the passes goes on rewriting what it alone wrote.

        Passes may undo each other, or have more to do than there are rounds: then they stop.
        """
        for entry in chosen if phase.repeat is FIXPOINT else ():
            own = module
            for _ in range(MAX_ROUNDS):
                trace = Trace()
                own = _applied(phase, entry, own, trace)
                if not trace.fired:
                    break
            else:
                why = f"it still fires after {MAX_ROUNDS} rounds on its own results"
                raise RewriteDivergedError(entry.name, why)

    def _limit(self) -> int | None:
        place = len(self._recorder.invocations)
        limits = [i.limit(place) for i in self._instruments]
        return min((limit for limit in limits if limit is not None), default=None)

    def _configured(self, entry: GraphPass) -> GraphPass:
        if self._machine is not None:
            entry = entry.configured(self._machine)
        entry = entry.timed(dict(self._selection.tiles))
        return entry.without(self._disabled()).keeping_apart(self._selection.apart)

    def _disabled(self) -> list[GraphPass]:
        """Return what `FuseOps` must not do either: nothing where no pass works on kernels."""
        passes = [(phase.tier, p) for phase in self._phases for p in phase.passes]
        if not any(p.works_on is KERNELS and self._selection.runs(t, p) for t, p in passes):
            return []
        off, level = self._selection.disabled, self._selection.level
        return [p for tier, p in passes if p.name in off and tier <= level]

    def _runs(self, phase: Phase, entry: GraphPass) -> bool:
        return self._status(phase, entry) == "ran"

    def _status(self, phase: Phase, entry: GraphPass) -> Status:
        if entry.name in self._selection.disabled:
            return "disabled"
        if not self._selection.runs(phase.tier, entry):
            return "above level" if phase.tier > self._selection.level else "opt-in"
        return "ran" if self._target.kind.name in entry.targets else "not for this target"


def _applied(phase: Phase, entry: GraphPass, module: IRModule, trace: Trace) -> IRModule:
    """Return what a pass makes of a module; say where it fails that it did."""
    try:
        return _with_main(entry(module, trace))
    except (PassError, MemoryError):
        raise
    except Exception as error:
        if entry.required and isinstance(error, CompilationError):
            raise
        why = f"{type(error).__name__}: {error}"
        raise failure(_invocation(phase, entry, trace), why, trace.at) from error


def _with_main(result: object) -> IRModule:
    if not isinstance(result, IRModule):
        raise TypeError(f"expected a module, found {type(result).__name__}")
    result["main"]  # which raises where there is none
    return result


def _invocation(phase: Phase, entry: GraphPass, trace: Trace) -> PassInvocation:
    fired = tuple(trace.fired)
    return PassInvocation(entry.name, phase.tier, fired, phase.name, entry.required)
