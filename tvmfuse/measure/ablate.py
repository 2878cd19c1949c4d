"""What each pass is worth on a model: switched off alone, and switched on alone.

A gain that several changes share says nothing of each: Lipton and Steinhardt, "Troubling Trends in
Machine Learning Scholarship", 2018, section 3.2.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tvmfuse.errors import PassError, TvmfuseError, first_line
from tvmfuse.measure.ablation import Ablation, Outcome, PassEffect
from tvmfuse.measure.agreement import TOLERANCE, Array
from tvmfuse.measure.arms import ArmSettings, pools_of_their_own
from tvmfuse.measure.interleave import Clock
from tvmfuse.measure.machine import Machine, worst
from tvmfuse.measure.many import (
    LEAST_ROUNDS,
    PAUSE_S,
    Contender,
    compare_many,
    compared,
    outputs_of,
)
from tvmfuse.measure.runners import Arrays, Runner, Workload, compiling, make_runner
from tvmfuse.measure.statistics import CONFIDENCE
from tvmfuse.pipeline.compile import Model
from tvmfuse.progress import Progress, Step, share_of
from tvmfuse.report import PassReport

GROUP: Final = 4
"""Arms that are held in memory, and timed, at once, beside level all and none."""

WARM_UP_S: Final = 1.0

COMPANIONS: Final[Mapping[str, tuple[str, ...]]] = {"FuseOps": ("FuseTIR",)}
"""Without which a pass shows nothing: `FuseTIR` makes kernels of the groups of `FuseOps`."""


def ablate(
    model: Model,
    *,
    target: Any = "llvm",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 60.0,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Ablation:
    """Switch every pass that fires at level all off alone, and on alone over level none; time both.

    A pass without which the same kernels are launched is not timed. Nor is an arm that fails, or
    whose numbers are not level none's; the others go on. Where level all is such an arm, nothing is
    timed in it: then it is asked without which pass it is right. Ctrl-C keeps what was measured
    until then.

    Args:
        model: As `tvmfuse.compile` takes it.
        target: Likewise.
        threads: That compute one run; None lets the runtime choose.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name.
        inputs: An array for each input; None: random ones.
        seed: Of the random ones, the order and the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by all arms; longer where that is too short for
            intervals.
        tolerance: Of the output's largest magnitude.
        progress: Called with the phase and the share of everything that is done.
        clock: The clock to read; None: the system's.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: Level none does not compile; or level all does not, and no pass is named,
            or it does not without that one either.
    """
    workload = Workload(model, shapes, dims, inputs, seed, cache)
    base = ArmSettings(target=target, threads=threads)
    work = _Ablating(workload, duration_s, tolerance, progress, clock)
    fired: list[PassReport] = []
    try:
        none = work.runner(replace(base, level="none"))
        work.feeds = workload.feeds(none)
        work.expected = outputs_of(none.arm(work.feeds))
        whole = work.whole(base)
        passes = whole.report.passes if whole.report else ()
        fired = [e for e in passes if e.fired or e.name == work.guilty]
        without = {e.name: replace(base, disable=(e.name,)) for e in fired}
        work.arms = 2 * len(fired)
        if work.problem:
            del whole  # and its weights
            work.check("off", without)
        else:
            work.side("off", whole, without)
            del whole
        work.side("on", none, {e.name: replace(base, only=_only(e.name)) for e in fired})
    except KeyboardInterrupt:
        work.interrupted = True
    unknown = Outcome("not measured")
    effects = [
        PassEffect(
            name=e.name,
            tier=e.tier,
            fired=e.fired,
            off=work.outcomes.get(("off", e.name), unknown),
            on=work.outcomes.get(("on", e.name), unknown),
        )
        for e in fired
    ]
    return Ablation(
        model=workload.name,
        effects=tuple(sorted(effects, key=lambda effect: effect.size, reverse=True)),
        confidence=CONFIDENCE,
        tolerance=tolerance,
        settled=work.settled,
        interrupted=work.interrupted,
        seed=seed,
        machine=worst(work.machines) if work.machines else None,
        problem=work.problem,
    )


@dataclass
class _Ablating:
    """What is known so far, so that an interrupt does not lose it.

    Attributes:
        workload: The model.
        duration_s: Seconds to measure that are left.
        tolerance: Of the output's largest magnitude.
        progress: As `ablate` takes it.
        clock: The clock to read; None: the system's.
        feeds: The inputs.
        expected: What level none makes of them.
        problem: Why nothing is timed in level all.
        guilty: The pass that fails there.
        arms: How many there are in all.
        outcomes: By side and pass.
        machines: What the machine did, group by group.
    """

    workload: Workload
    duration_s: float
    tolerance: float
    progress: Progress | None
    clock: Clock | None
    feeds: Arrays = field(default_factory=dict)
    expected: Arrays = field(default_factory=dict)
    problem: str | None = None
    guilty: str | None = None
    arms: int = 0
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    machines: list[Machine] = field(default_factory=list)
    settled: bool = True
    interrupted: bool = False

    @property
    def share(self) -> float:
        """How much of everything is done."""
        return len(self.outcomes) / self.arms if self.arms else 0.0

    def runner(self, settings: ArmSettings) -> Runner:
        report = compiling(self.progress, settings.title, self.share)
        return make_runner(self.workload, settings, report)

    def whole(self, base: ArmSettings) -> Runner:
        """Compile level all and compare its numbers; without the pass that fails, if one does."""
        try:
            runner = self.runner(base)
        except PassError as error:
            self.problem = f"{base.title} failed: {first_line(error)}"
            self.guilty = error.name
            return self.runner(replace(base, disable=(error.name,)))
        found = self._compared(runner)
        if found.problem:
            status = "failed" if found.failure else "is wrong"
            self.problem = f"{base.title} {status}: {found.problem}"
        return runner

    def check(self, side: str, plans: Mapping[str, ArmSettings]) -> None:
        """Compile the arms of one side, and compare their numbers, but time none."""
        for name, settings in plans.items():
            try:
                found = self._compared(self.runner(settings))
            except TvmfuseError as error:
                self.outcomes[side, name] = Outcome("failed", problem=first_line(error))
                continue
            right = Outcome("right", timing=found.timing)
            self.outcomes[side, name] = Outcome.of(side, found) if found.problem else right

    def _compared(self, runner: Runner) -> Contender:
        return compared(self.expected, runner.arm(self.feeds), self.tolerance)

    def side(self, side: str, baseline: Runner, plans: Mapping[str, ArmSettings]) -> None:
        """Compile and time the arms of one side, a group at a time."""
        for group in self._groups(side, baseline, plans):
            self._measure(side, baseline, group)

    def _groups(
        self, side: str, baseline: Runner, plans: Mapping[str, ArmSettings]
    ) -> Iterator[dict[str, Runner]]:
        group: dict[str, Runner] = {}
        for name, settings in plans.items():
            try:
                runner = self.runner(settings)
            except TvmfuseError as error:
                self.outcomes[side, name] = Outcome("failed", problem=first_line(error))
                continue
            if runner.same_kernels(baseline):
                self.outcomes[side, name] = Outcome("same kernels")
                continue
            group[name] = runner
            if len(group) == GROUP:
                yield group
                group = {}
        if group:
            yield group

    def _measure(self, side: str, baseline: Runner, group: Mapping[str, Runner]) -> None:
        duration_s = self.duration_s * len(group) / (self.arms - len(self.outcomes))
        self.duration_s -= duration_s
        begin, part = self.share, len(group) / self.arms

        def report(step: str) -> None:
            if self.progress is not None:
                done = share_of(step) or 0.0 if step == "measuring" else 0.0
                self.progress(Step(f"{step}: {', '.join(group)}", begin + done * part))

        done = compare_many(
            baseline.arm(self.feeds),
            [runner.arm(self.feeds) for runner in group.values()],
            expected=self.expected,
            duration_s=duration_s,
            least_rounds=LEAST_ROUNDS,
            warm_up_s=WARM_UP_S,
            pause_s=PAUSE_S if pools_of_their_own([baseline.settings]) else 0.0,
            tolerance=self.tolerance,
            confidence=CONFIDENCE,
            comparisons=self.arms,
            seed=self.workload.seed,
            progress=report,
            clock=self.clock,
        )
        for name, contender in zip(group, done.contenders, strict=True):
            self.outcomes[side, name] = Outcome.of(side, contender)
        self.machines.append(done.machine)
        self.settled &= done.settled
        if done.interrupted:
            raise KeyboardInterrupt


def _only(name: str) -> tuple[str, ...]:
    return (name, *COMPANIONS.get(name, ()))
