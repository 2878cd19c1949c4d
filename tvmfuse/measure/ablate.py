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
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import Array, tolerance_for
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.machine import Machine, Watch, worst
from tvmfuse.measure.many import compare_candidates, compared, outputs_of, settings_for
from tvmfuse.measure.results.ablation import Ablation, Outcome, PassEffect
from tvmfuse.measure.results.comparisons import Candidate
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.measure.runners import Arrays, Runner, Workload, compiling, make_runner
from tvmfuse.measure.settings import MeasureSettings, Quiet
from tvmfuse.measure.variants import VariantSettings
from tvmfuse.names import Names
from tvmfuse.passes.selection import names_of, resolve
from tvmfuse.pipeline.settings import CompileSettings, passes_of_precision
from tvmfuse.pipeline.source import GivenModel, source_of
from tvmfuse.progress import Progress, Step, share_of
from tvmfuse.report import PassReport
from tvmfuse.schedules.steps import in_order
from tvmfuse.size_ranges import GivenSizes

LEAVE_ONE_OUT: Final = "leave one out"
ONE_AT_A_TIME: Final = "one at a time"
OUTCOME: Final = {LEAVE_ONE_OUT: Outcome.without, ONE_AT_A_TIME: Outcome.alone}

GROUP: Final = 4
"""Variants that are held in memory, and timed, at once, beside level all and none."""

WARM_UP_S: Final = 1.0

COMPANIONS: Final[Mapping[str, tuple[str, ...]]] = {"FuseOps": ("FuseTIR",)}
"""Without which a pass shows nothing: `FuseTIR` makes kernels of the groups of `FuseOps`."""


def ablate(
    model: GivenModel,
    *,
    steps: bool = False,
    enabled_pass: Names = (),
    target: Any = "llvm",
    precision: str = "f32",
    threads: int | None = None,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    duration_s: float = 60.0,
    tolerance: float | None = None,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Ablation:
    """Switch every pass that fires at level all off alone, and on alone over level none; time both.

    That is leave-one-out and one-at-a-time. A pass without which the code is identical is not
    timed. Nor is a variant that fails, or whose numbers are not level none's; the others go on.
    Where level all is such a variant, nothing is timed in it: then it is asked without which pass
    it is right. Ctrl-C keeps what was measured until then.

    Of steps it is leave-one-out alone: without all of them there is no kernel worth the name.

    Args:
        model: As `tvmfuse.compile` takes it.
        steps: Whether to leave out, one by one, the steps that kernels take at level all, and no
            pass.
        enabled_pass: Passes that run at level all though they are off by default, and passes of
            your own; as `tvmfuse.compile` takes them.
        target: As `tvmfuse.compile` takes it.
        precision: Likewise; levels without its passes are in float32.
        threads: Threads that compute one run; None lets the runtime choose.
        example_inputs: Of a PyTorch module; as `tvmfuse.compile` takes them. It runs on them.
        dynamic_shapes: Of a PyTorch module; as `tvmfuse.compile` takes them.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name.
        limits: As `tvmfuse.compile` takes them.
        inputs: An array for each input; None: random ones.
        seed: Seed for random inputs, for the order and for the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by all variants; longer where that is too short for
            intervals.
        tolerance: Of the largest error, by the largest magnitude of the reference; None: that
            of the precision.
        progress: Called with each step and the share of everything that is done.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: Level none does not compile; or level all does not, and no pass is named,
            or it does not without that one either.
        NotQuietError: The machine has to be quiet, and is not.
    """
    enable = tuple(names_of(enabled_pass, "enabled_pass"))
    base = VariantSettings(target=target, threads=threads, precision=precision, enable=enable)
    settings = settings_for(
        [base],
        duration_s=duration_s,
        warm_up_s=WARM_UP_S,
        tolerance=tolerance_for(tolerance, precision),
        seed=seed,
        progress=progress,
        clock=clock,
        watch=watch,
        quiet=quiet,
    )
    compiled_with = CompileSettings.of(
        target, shapes=shapes, dims=dims, cache=cache, limits=limits, precision=precision
    )
    workload = Workload(
        source_of(model, example_inputs, dynamic_shapes), compiled_with, inputs, seed
    )
    work = _Ablating(workload, settings, duration_s)
    fired: list[PassReport] = []
    try:
        none = work.runner(base.at("none"))
        work.feeds = workload.feeds(none)
        work.conditions = workload.conditions(none, work.feeds)
        work.expected = outputs_of(none.variant(work.feeds))
        whole = work.whole(base)
        passes = whole.report.passes if whole.report else ()
        fired = [e for e in passes if e.fired or e.name == work.guilty]
        without = {e.name: _without(e.name, base) for e in fired}
        work.variants = 2 * len(fired)
        if steps:
            fired = [_of_step(name, whole.steps[name]) for name in in_order(whole.steps)]
            without = {e.name: replace(base, disable_step=(e.name,)) for e in fired}
            work.variants = len(fired)
        if work.problem:
            del whole  # and its weights
            work.check(LEAVE_ONE_OUT, without)
        else:
            work.side(LEAVE_ONE_OUT, whole, without)
            del whole
        if not steps:
            first = replace(base, precision="f32", enable=())
            alone = {e.name: replace(first, only=_only(e.name)) for e in fired}
            work.side(ONE_AT_A_TIME, none, alone)
    except KeyboardInterrupt:
        work.interrupted = True
    unknown = Outcome("not measured")
    effects = [
        PassEffect(
            name=e.name,
            tier=e.tier,
            fired=e.fired,
            leave_one_out=work.outcomes.get((LEAVE_ONE_OUT, e.name), unknown),
            one_at_a_time=work.outcomes.get((ONE_AT_A_TIME, e.name), unknown),
        )
        for e in fired
    ]
    return Ablation(
        model=workload.name,
        effects=tuple(sorted(effects, key=lambda effect: effect.size, reverse=True)),
        confidence=settings.confidence,
        tolerance=settings.tolerance,
        warm=work.warm,
        interrupted=work.interrupted,
        seed=seed,
        machine=worst(work.machines) if work.machines else None,
        conditions=work.conditions,
        problem=work.problem,
        of="steps" if steps else "passes",
    )


def _of_step(name: str, launches: int) -> PassReport:
    """Return what is left out of level all for a step that so many launches take."""
    return PassReport(name, "kernels", "ran", launches)


@dataclass
class _Ablating:
    """What is known so far, so that an interrupt does not lose it.

    Attributes:
        workload: The model.
        settings: How to measure.
        left_s: Seconds to measure that are left.
        feeds: The inputs.
        expected: What level none makes of them.
        conditions: On how many threads, and at which sizes.
        problem: Why nothing is timed in level all.
        guilty: The pass that fails there.
        variants: How many there are in all.
        outcomes: By side and pass.
        machines: What the machine did, group by group.
        warm: Whether times were stable when each warm-up ended.
        interrupted: Whether Ctrl-C cut it short.
    """

    workload: Workload
    settings: MeasureSettings
    left_s: float
    feeds: Arrays = field(default_factory=dict)
    expected: Arrays = field(default_factory=dict)
    conditions: Conditions = field(default_factory=Conditions)
    problem: str | None = None
    guilty: str | None = None
    variants: int = 0
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    machines: list[Machine] = field(default_factory=list)
    warm: bool = True
    interrupted: bool = False

    @property
    def share(self) -> float:
        """How much of everything is done."""
        return len(self.outcomes) / self.variants if self.variants else 0.0

    def runner(self, variant: VariantSettings) -> Runner:
        report = compiling(self.settings.progress, variant.title, self.share)
        return make_runner(self.workload, variant, report)

    def whole(self, base: VariantSettings) -> Runner:
        """Compile level all and compare its numbers; without the pass that fails, if one does."""
        try:
            runner = self.runner(base)
        except PassError as error:
            self.problem = f"{base.title} failed: {first_line(error)}"
            self.guilty = error.name
            return self.runner(_without(error.name, base))
        found = self._compared(runner)
        if found.problem:
            status = "failed" if found.failure else "is wrong"
            self.problem = f"{base.title} {status}: {found.problem}"
        return runner

    def check(self, side: str, plans: Mapping[str, VariantSettings]) -> None:
        """Compile the variants of one side, and compare their numbers, but time none."""
        for name, variant in plans.items():
            try:
                found = self._compared(self.runner(variant))
            except TvmfuseError as error:
                self.outcomes[side, name] = Outcome("failed", problem=first_line(error))
                continue
            right = Outcome("right", timing=found.timing)
            self.outcomes[side, name] = OUTCOME[side](found) if found.problem else right

    def _compared(self, runner: Runner) -> Candidate:
        return compared(self.expected, runner.variant(self.feeds), self.settings.tolerance)

    def side(self, side: str, baseline: Runner, plans: Mapping[str, VariantSettings]) -> None:
        """Compile and time the variants of one side, a group at a time."""
        for group in self._groups(side, baseline, plans):
            self._measure(side, baseline, group)

    def _groups(
        self, side: str, baseline: Runner, plans: Mapping[str, VariantSettings]
    ) -> Iterator[dict[str, Runner]]:
        group: dict[str, Runner] = {}
        for name, variant in plans.items():
            try:
                runner = self.runner(variant)
            except TvmfuseError as error:
                self.outcomes[side, name] = Outcome("failed", problem=first_line(error))
                continue
            if runner.same_kernels(baseline):
                self.outcomes[side, name] = Outcome("identical code")
                continue
            group[name] = runner
            if len(group) == GROUP:
                yield group
                group = {}
        if group:
            yield group

    def _measure(self, side: str, baseline: Runner, group: Mapping[str, Runner]) -> None:
        duration_s = self.left_s * len(group) / (self.variants - len(self.outcomes))
        self.left_s -= duration_s
        begin, part = self.share, len(group) / self.variants

        def progress(step: str) -> None:
            done = share_of(step) or 0.0 if step == "measuring" else 0.0
            self.settings.progress(Step(f"{step}: {', '.join(group)}", begin + done * part))

        done = compare_candidates(
            baseline.variant(self.feeds),
            [runner.variant(self.feeds) for runner in group.values()],
            replace(self.settings, duration_s=duration_s, progress=progress),
            expected=self.expected,
            comparisons=self.variants,
        )
        for name, candidate in zip(group, done.candidates, strict=True):
            self.outcomes[side, name] = OUTCOME[side](candidate)
        self.machines.append(done.machine)
        left = self.settings.quiet.after(done.machine.waited_s)
        self.settings = replace(self.settings, quiet=left)
        self.warm &= done.warm
        if done.interrupted:
            raise KeyboardInterrupt


def _without(name: str, base: VariantSettings) -> VariantSettings:
    """Return a variant without a pass; without the precision, where the pass is what it takes."""
    precision = "f32" if name in passes_of_precision(base.precision) else base.precision
    enable = tuple(other for other in base.enable if resolve(other) != name)
    return replace(base, disable=(name,), enable=enable, precision=precision)


def _only(name: str) -> tuple[str, ...]:
    return (name, *COMPANIONS.get(name, ()))
