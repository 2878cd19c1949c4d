"""The search: all kernels of a model at once, each with another plan than before."""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import Final

from tvm.tirx import PrimFunc

from tvmfuse.errors import KernelError
from tvmfuse.measure.agreement import Array, differences, require_agreement
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.statistics import CONFIDENCE, Ratio
from tvmfuse.pipeline.compile import build_graph
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.container import Graph
from tvmfuse.pipeline.plan_database import PlanDatabase, PlanRecord
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.progress import Progress, Step
from tvmfuse.runtime.executable import Executable
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.plan_keys import plan_key
from tvmfuse.schedules.plans import KernelPlan
from tvmfuse.schedules.views import viewed
from tvmfuse.target.host_cpu import cpu_name
from tvmfuse.tuning.contestant import Contestant
from tvmfuse.tuning.race import ROUNDS, Race, spent_by_kernel
from tvmfuse.tuning.result import TunedKernel, Tuning

#: Of a run's time; a kernel that takes less is not worth its compilations.
LEAST_SHARE: Final = 0.005
#: Of the budget, for confirming at the end; and seconds, at least.
CONFIRMING: Final = 0.1
CONFIRMING_S: Final = 4.0
#: Heats of a race, at most.
HEATS: Final = 4
#: Generations in a row without a plan that end the search: each kernel had its turn.
MOST_IDLE: Final = 32


@dataclass(frozen=True)
class Budget:
    """How long tuning may take.

    Attributes:
        begin_s: When it began, as `time.monotonic` has it.
        seconds: That it may take.
        trials: How many plans may be timed; None for as many as there is time for.
        progress: Told how much is spent.
    """

    begin_s: float
    seconds: float
    trials: int | None
    progress: Progress

    @property
    def spent_s(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.begin_s

    @property
    def confirming_s(self) -> float:
        """Seconds that are left for the end."""
        return max(CONFIRMING * self.seconds, min(CONFIRMING_S, self.seconds / 2))

    def report(self, words: str) -> None:
        """Say what is done next."""
        self.progress(Step(words, min(1.0, self.spent_s / self.seconds)))


@dataclass(eq=False)
class Tuner:
    """A model, as it is planned, and the kernels of it that are tuned.

    Attributes:
        graph: The optimized model.
        compiled_with: How it is compiled.
        measured: How a race is run.
        database: Of records.
        budget: How long it may take.
        baseline: The model as it is planned.
        feeds: Its inputs.
    """

    graph: Graph
    compiled_with: CompileSettings
    measured: MeasureSettings
    database: PlanDatabase
    budget: Budget
    baseline: Executable
    feeds: Mapping[str, Array]
    contestants: dict[str, Contestant] = field(init=False)
    _timed: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.contestants = self._contestants()

    def tuned(self, name: str) -> Tuning:
        """Search, confirm, keep, and say what was found."""
        known, before = self._resume()
        finished, confirmed, interrupted = False, None, False
        try:
            finished = self._search()
            confirmed = self._confirmed()
        except KeyboardInterrupt:
            interrupted = True
        whole = confirmed.whole if confirmed else None
        kept = whole is not None and whole.median >= 1
        faster = {k: c.best for k, c in self.contestants.items() if c.speedup and kept}
        if not interrupted:
            self._choose(faster, before)
        return Tuning(
            model=name,
            target=str(self.compiled_with.target),
            threads=self._threads,
            cpu=cpu_name(),
            kernels=tuple(map(_row, self.contestants.values())),
            speedup=whole,
            kept=kept,
            plans={key: to_json(plan) for key, plan in faster.items()},
            trials=self._timed,
            known=known,
            seconds=self.budget.spent_s,
            database=str(self.database.folder),
            interrupted=interrupted,
            finished=finished,
            machine=confirmed.machine if confirmed else None,
        )

    @property
    def _threads(self) -> int:
        return self.measured.threads or 1

    def _contestants(self) -> dict[str, Contestant]:
        """Return the kernels that take some of the time, those that take most first."""
        functions = {
            plan_key(function): function
            for _, function in viewed(self.graph.kernels).functions_items()
            if isinstance(function, PrimFunc)
        }
        launches = defaultdict(list)
        for kernel in self.baseline.manifest.kernels:
            launches[kernel.key].append(kernel)
        spent = spent_by_kernel(self.baseline, self.feeds)
        whole = sum(spent.values())
        return {
            key: Contestant(
                key=key,
                names=tuple(dict.fromkeys(kernel.symbol for kernel in launches[key])),
                function=functions[key],
                target=self.compiled_with.target,
                planned=from_json(launches[key][0].plan),
                nodes=tuple(node for kernel in launches[key] for node in kernel.nodes),
                microseconds=microseconds,
                share=microseconds / whole,
            )
            for key, microseconds in sorted(spent.items(), key=lambda item: -item[1])
            if key in functions and microseconds >= LEAST_SHARE * whole
        }

    def _resume(self) -> tuple[int, set[str]]:
        """Take in what was timed before: how many plans, and which kernels have a chosen one."""
        known, chosen, here = 0, set[str](), (self._threads, cpu_name())
        for record in self.database.records(str(self.compiled_with.target), _version()):
            if record.kernel not in self.contestants:
                continue
            if record.chosen:
                chosen.add(record.kernel)
            elif (record.threads, record.cpu) == here:
                known += 1
                ratio = Ratio(record.speedup, record.low, record.high, CONFIDENCE, record.pairs)
                self.contestants[record.kernel].tried(record.plan, ratio)
        return known, chosen

    def _search(self) -> bool:
        """Time plans until the budget is spent; return whether nothing was left to try."""
        largest = max((c.share for c in self.contestants.values()), default=1.0)
        idle = 0  # generations in a row in which no kernel had a plan left
        longest_s = 0.0
        for generation in itertools.count():
            begin_s = self.budget.spent_s
            late = begin_s + longest_s + self.budget.confirming_s >= self.budget.seconds
            if late or self._timed == self.budget.trials:
                return False
            turn = [c for c in self.contestants.values() if c.has_turn(generation, largest)]
            plans = self._next(turn)
            idle = 0 if plans else idle + 1
            if idle > MOST_IDLE:
                return True
            candidate = self._loaded(plans) if plans else None
            if candidate is not None:
                self._take_in(plans, self._raced(candidate, plans))
            longest_s = max(longest_s, self.budget.spent_s - begin_s)
        return False

    def _next(self, contestants: Iterable[Contestant]) -> dict[str, KernelPlan]:
        """Return another plan for each kernel that has one, as far as trials are left."""
        left = math.inf if self.budget.trials is None else self.budget.trials - self._timed
        plans: dict[str, KernelPlan] = {}
        with COMPILING:
            for contestant in contestants:
                if len(plans) < left and (plan := contestant.next()) is not None:
                    plans[contestant.key] = plan
        return plans

    def _raced(self, candidate: Executable, plans: Mapping[str, KernelPlan]) -> Race:
        """Race a candidate until each of its plans is ahead or behind for certain, or long."""
        race = Race(self.baseline, candidate, self.feeds)
        for heat in range(HEATS):
            race.run(replace(self.measured, seed=self.measured.seed + heat))
            speedups = map(race.speedup, plans)
            if race.interrupted or not any(s and s.median > 1 and s.doubt for s in speedups):
                break
        return race

    def _loaded(self, plans: dict[str, KernelPlan]) -> Executable | None:
        """Compile the model with some plans, less those that fail; None where none is left."""
        speedups = [(c.share, c.speedup.median) for c in self.contestants.values() if c.speedup]
        saved = sum(share * (1 - 1 / median) for share, median in speedups)
        words = f"{self._timed} plans timed, {len(speedups)} kernels faster, {saved:.1%} of a run"
        self.budget.report(words)
        symbols = {name: key for key, c in self.contestants.items() for name in c.names}
        while plans:
            schedules = replace(self.compiled_with.schedules, plans=plans)
            try:
                artifact = build_graph(self.graph, replace(self.compiled_with, schedules=schedules))
            except KernelError as error:
                if plans.pop(symbols.get(error.kernel, ""), None) is None:
                    raise
            else:
                return artifact.load(num_threads=self._threads)
        return None

    def _take_in(self, plans: Mapping[str, KernelPlan], found: Race) -> None:
        """Write down what a race told of each plan, and go on from the faster ones.

        Raises:
            KeyboardInterrupt: Ctrl-C ended it.
        """
        ratios = {key: found.speedup(key) for key in plans}
        told = {key: ratio for key, ratio in ratios.items() if ratio and ratio.low is not None}
        self.database.append(self._record(key, plans[key], ratio) for key, ratio in told.items())
        self._timed += len(told)
        for key, ratio in told.items():
            self.contestants[key].tried(plans[key], ratio)
        if found.interrupted:
            raise KeyboardInterrupt

    def _confirmed(self) -> Race | None:
        """Race the model with all faster plans; give up what is not faster now, and race again.

        Each plan was faster for certain when it was found, as one of many: that it still is, fresh
        times have to say, and of the whole model, too.

        Returns:
            The last race; None where nothing is faster.

        Raises:
            KeyboardInterrupt: Ctrl-C ended it.
            WrongNumbersError: The outputs differ.
        """
        seconds = max(1.0, self.budget.confirming_s / 3)
        settings = replace(self.measured, duration_s=seconds, least_rounds=2 * ROUNDS)
        while faster := {key: c for key, c in self.contestants.items() if c.speedup}:
            candidate = self._loaded({key: c.best for key, c in faster.items()})
            if candidate is None:
                return None
            outputs = differences(
                self.baseline(self.feeds), candidate(self.feeds), tolerance=settings.tolerance
            )
            require_agreement("the model as it is planned", "with tuned plans", outputs)
            found = Race(self.baseline, candidate, self.feeds)
            found.run(settings, whole=True)
            if found.interrupted:
                raise KeyboardInterrupt
            for key, contestant in faster.items():
                contestant.speedup = found.speedup(key)
            slower = [c for c in faster.values() if not (c.speedup and c.speedup.median > 1)]
            if not slower:
                return found
            for contestant in slower:
                contestant.give_up()
        return None

    def _choose(self, faster: Mapping[str, KernelPlan], before: set[str]) -> None:
        """Write down what later compilations take: of what was chosen before, maybe no more."""
        chosen = {key: (plan, self.contestants[key].speedup) for key, plan in faster.items()}
        for key in before - faster.keys():
            chosen[key] = (self.contestants[key].planned, None)
        unchanged = Ratio(1.0, None, None, CONFIDENCE, 0)
        self.database.append(
            replace(self._record(key, plan, speedup or unchanged), chosen=True)
            for key, (plan, speedup) in chosen.items()
        )

    def _record(self, key: str, plan: KernelPlan, ratio: Ratio) -> PlanRecord:
        return PlanRecord(
            key, str(self.compiled_with.target), _version(), cpu_name(), self._threads, plan,
            ratio.median, ratio.low, ratio.high, ratio.pairs,
        )  # fmt: skip


def _version() -> str:
    return metadata.version("tvmfuse")


def _row(contestant: Contestant) -> TunedKernel:
    return TunedKernel(
        contestant.key,
        contestant.names,
        tuple(contestant.nodes),
        contestant.microseconds,
        contestant.share,
        contestant.trials,
        contestant.planned.words,
        contestant.best.words,
        contestant.speedup,
    )
