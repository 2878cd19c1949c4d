"""The search: all kernels of a model at once, each with another plan than before."""

from __future__ import annotations

import itertools
import math
import warnings
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Final

from tvm.tirx import PrimFunc

from tvmfuse.errors import KernelError, LeftOutWarning
from tvmfuse.measure.agreement import Array, differences, problem_of, require_agreement
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.statistics import Ratio
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.pipeline.compile import build_graph, optimize_model
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.container import Graph
from tvmfuse.pipeline.plan_database import TilesRecord
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import Source
from tvmfuse.runtime.executable import Executable
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.plan_keys import plan_key
from tvmfuse.schedules.views import viewed
from tvmfuse.target.host_cpu import cpu_name
from tvmfuse.tuning.budget import Budget
from tvmfuse.tuning.contestant import Contestant
from tvmfuse.tuning.race import ROUNDS, PartOf, Race, spent_by_kernel
from tvmfuse.tuning.records import Records, speedup_of
from tvmfuse.tuning.result import TunedKernel, TunedTiles, Tuning
from tvmfuse.tuning.tiles import CHOICES, Tiles, TileTimes, convolutions

#: Of a run's time; a kernel that takes less is not worth its compilations.
LEAST_SHARE: Final = 0.005
#: Of the budget, after which no further tiles are tried.
TILES_SHARE: Final = 0.3
#: Heats of a race, at most.
HEATS: Final = 4
#: Seconds of a race after which no other heat begins: of a large model a few runs are enough.
LONG_RACE_S: Final = 4.0
#: Generations in a row without a plan that end the search: each kernel had its turn.
MOST_IDLE: Final = 32


@dataclass(eq=False)
class Tuner:
    """A model as it is planned, and what is faster.

    Attributes:
        model: Before it is optimized.
        compiled_with: How it is compiled.
        measured: How a race is run.
        records: Of what was timed.
        budget: How long it may take.
        graph: The optimized model.
        planned: The compiled model.
        feeds: Its inputs.
    """

    model: Source
    compiled_with: CompileSettings
    measured: MeasureSettings
    records: Records
    budget: Budget
    graph: Graph
    planned: Executable
    feeds: Mapping[str, Array]
    #: With the tiles that are faster: what kernels are raced against.
    baseline: Executable = field(init=False)
    contestants: dict[str, Contestant] = field(init=False)
    tiles: TileTimes = field(init=False)
    _timed: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._start_from(self.graph, self.planned)
        self.tiles = TileTimes(convolutions(self.model, self.compiled_with, self.planned))

    def tuned(self, name: str) -> Tuning:
        """Search, confirm, keep, and say what was found."""
        finished, confirmed, interrupted, known = False, None, False, 0
        try:
            known = self._resume_tiles()
            self._try_tiles()
            known += self._resume_plans()
            finished = self._search()
            confirmed = self._confirmed()
        except KeyboardInterrupt:
            interrupted = True
        whole = confirmed.whole if confirmed else None
        kept = whole is not None and not whole.doubt and whole.median > 1
        plans = {k: c.best for k, c in self.contestants.items() if c.speedup and kept}
        if not interrupted:
            self._choose(plans, whole)
        return Tuning(
            model=name,
            target=self.records.target,
            threads=self._threads,
            cpu=cpu_name(),
            kernels=tuple(map(_row, self.contestants.values())),
            convolutions=tuple(map(_tiles_row, self.tiles.faster())),
            speedup=whole,
            kept=kept,
            plans={key: to_json(plan) for key, plan in plans.items()},
            trials=self._timed,
            known=known,
            seconds=self.budget.spent_s,
            database=str(self.records.database.folder),
            interrupted=interrupted,
            finished=finished,
            machine=confirmed.machine if confirmed else None,
        )

    @property
    def _threads(self) -> int:
        return self.measured.threads or 1

    def _start_from(self, graph: Graph, baseline: Executable) -> None:
        """Take the model with other tiles for what kernels are raced against."""
        self.graph, self.baseline = graph, baseline
        functions = {
            plan_key(function): function
            for _, function in viewed(graph.kernels).functions_items()
            if isinstance(function, PrimFunc)
        }
        launches = defaultdict(list)
        for kernel in baseline.manifest.kernels:
            launches[kernel.key].append(kernel)
        spent = spent_by_kernel(baseline, self.feeds)
        whole = sum(spent.values())
        self.contestants = {
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

    def _try_tiles(self) -> None:
        """Time convolutions with Winograd's tiles of each size, and go on from what is faster."""
        longest_s = 0.0
        for m in CHOICES:
            begin_s = self.budget.spent_s
            other = self.tiles.left(m)[: self._left]
            if not other or begin_s + longest_s > TILES_SHARE * self.budget.seconds:
                continue
            _, candidate = self._with_tiles({one.layer: m for one in other})
            taken = [one for one in other if one.size_in(candidate) == m]
            if taken and self._agrees(candidate, f"Winograd's tiles of {m} outputs"):
                race = self._raced(candidate, taken, self.tiles.of)
                ratios = {one: r for one in taken if (r := race.speedup(one)) and r.low is not None}
                self.records.add(self.records.of_tiles(o.layer, m, r) for o, r in ratios.items())
                self._timed += len(ratios)
                for one, ratio in ratios.items():
                    self.tiles.take(one.layer, m, ratio)
                if race.interrupted:
                    raise KeyboardInterrupt
            longest_s = max(longest_s, self.budget.spent_s - begin_s)
        if faster := self.tiles.faster():
            self._start_from(*self._with_tiles({t.convolution.layer: t.m for t in faster}))

    @property
    def _left(self) -> int | None:
        """How many plans may still be timed; None for as many as there is time for."""
        most = self.budget.trials
        return None if most is None else max(0, most - self._timed)

    def _agrees(self, candidate: Executable, what: str) -> bool:
        """Whether a candidate's outputs are those of the model as it is planned; warns if not."""
        tolerance = self.measured.tolerance
        found = differences(self._expected, candidate(self.feeds), tolerance=tolerance)
        if (problem := problem_of(found)) is not None:
            words = f"with {what} the outputs differ by more than rounding, so it is left out"
            words += f": {problem}"
            warnings.warn(words, LeftOutWarning, stacklevel=2)
        return problem is None

    @cached_property
    def _expected(self) -> Mapping[str, Array]:
        return dict(self.planned(self.feeds))

    def _with_tiles(self, tiles: Mapping[Layer, int]) -> tuple[Graph, Executable]:
        """Compile the model with Winograd's tiles of some sizes."""
        self.budget.report(f"{self._timed} timed: Winograd's tiles of {len(tiles)} convolutions")
        selection = replace(self.compiled_with.selection, tiles=tuple(tiles.items()))
        settings = replace(self.compiled_with, selection=selection)
        graph = optimize_model(self.model, settings)
        return graph, build_graph(graph, settings).load(num_threads=self._threads)

    def _resume_tiles(self) -> int:
        """Take in what was timed of convolutions; return how much that is."""
        layers, known = {one.layer for one in self.tiles.convolutions}, 0
        for record in self.records.known():
            if isinstance(record, TilesRecord) and not record.chosen and record.layer in layers:
                self.tiles.take(record.layer, record.m or 0, speedup_of(record))
                known += 1
        return known

    def _resume_plans(self) -> int:
        """Take in what was timed of kernels; return how much that is."""
        known = 0
        for record in self.records.known():
            if isinstance(record, TilesRecord) or record.chosen or record.plan is None:
                continue
            if (contestant := self.contestants.get(record.kernel)) is not None:
                contestant.tried(record.plan, speedup_of(record))
                known += 1
        return known

    def _search(self) -> bool:
        """Time plans until the budget is spent; return whether nothing was left to try."""
        largest = max((c.share for c in self.contestants.values()), default=1.0)
        idle = 0  # generations in a row in which no kernel had a plan left
        longest_s = 0.0
        for generation in itertools.count():
            begin_s = self.budget.spent_s
            late = begin_s + longest_s + self.budget.confirming_s >= self.budget.seconds
            if late or self._left == 0:
                return False
            turn = [c for c in self.contestants.values() if c.has_turn(generation, largest)]
            plans = self._next(turn)
            idle = 0 if plans else idle + 1
            if idle > MOST_IDLE:
                return True
            candidate = self._loaded(plans) if plans else None
            if candidate is not None and self._agrees(candidate, f"plans of {len(plans)} kernels"):
                self._take_in(plans, self._raced(candidate, plans))
            longest_s = max(longest_s, self.budget.spent_s - begin_s)
        return False

    def _next(self, contestants: Iterable[Contestant]) -> dict[str, KernelPlan]:
        """Return another plan for each kernel that has one, as far as trials are left."""
        left = math.inf if self._left is None else self._left
        plans: dict[str, KernelPlan] = {}
        with COMPILING:
            for contestant in contestants:
                if len(plans) < left and (plan := contestant.next()) is not None:
                    plans[contestant.key] = plan
        return plans

    def _raced(
        self, candidate: Executable, parts: Iterable[Hashable], part_of: PartOf = attrgetter("key")
    ) -> Race:
        """Race a candidate until each of its parts is ahead or behind for certain, or long."""
        race, parts = Race(self.baseline, candidate, self.feeds, part_of), list(parts)
        begin_s = self.budget.spent_s
        for heat in range(HEATS):
            race.run(replace(self.measured, seed=self.measured.seed + heat))
            speedups = map(race.speedup, parts)
            open_ = any(s and s.median > 1 and s.doubt for s in speedups)
            if race.interrupted or not open_ or self.budget.spent_s - begin_s > LONG_RACE_S:
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
        self.records.add(self.records.of_plan(k, plans[k], ratio) for k, ratio in told.items())
        self._timed += len(told)
        for key, ratio in told.items():
            self.contestants[key].tried(plans[key], ratio)
        if found.interrupted:
            raise KeyboardInterrupt

    def _confirmed(self) -> Race | None:
        """Race the model with all that is faster with the model as it is planned, both whole.

        Returns:
            None where nothing is faster.

        Raises:
            KeyboardInterrupt: Ctrl-C ended it.
            WrongNumbersError: The outputs differ.
        """
        settings = self._confirming
        candidate = self._with_faster_plans() or self.baseline
        if candidate is self.planned:
            return None
        outputs = differences(self._expected, candidate(self.feeds), tolerance=settings.tolerance)
        require_agreement("the model as it is planned", "with tuned plans", outputs)
        race = Race(self.planned, candidate, self.feeds)
        race.run(settings, whole=True)
        if race.interrupted:
            raise KeyboardInterrupt
        return race

    def _with_faster_plans(self) -> Executable | None:
        """Race all faster plans together, give up what is not faster now, and race again.

        Each was faster for certain when it was found, as one of many: that it still is, fresh times
        have to say.

        Returns:
            The model with what is left; None where nothing is.

        Raises:
            KeyboardInterrupt: Ctrl-C ended it.
        """
        while faster := {key: c for key, c in self.contestants.items() if c.speedup}:
            candidate = self._loaded({key: c.best for key, c in faster.items()})
            if candidate is None:
                return None
            race = Race(self.baseline, candidate, self.feeds)
            race.run(self._confirming)
            if race.interrupted:
                raise KeyboardInterrupt
            for key, contestant in faster.items():
                contestant.speedup = race.speedup(key)
            slower = [c for c in faster.values() if not (c.speedup and c.speedup.median > 1)]
            if not slower:
                return candidate
            for contestant in slower:
                contestant.give_up()
        return None

    @property
    def _confirming(self) -> MeasureSettings:
        seconds = max(1.0, self.budget.confirming_s / 4)
        return replace(self.measured, duration_s=seconds, least_rounds=2 * ROUNDS)

    def _choose(self, plans: Mapping[str, KernelPlan], whole: Ratio | None) -> None:
        """Write down what later compilations take, and take back what is no longer faster.

        Where it is not certain whether the whole model is faster, choices stay as they were.
        """
        faster = whole is not None and not whole.doubt and whole.median > 1
        slower = whole is not None and not whole.doubt and whole.median < 1
        if not (faster or slower):
            return
        tiles = self.tiles.faster() if faster else []
        of_plan, of_tiles = self.records.of_plan, self.records.of_tiles
        self.records.choose(
            [
                *(of_plan(key, plan, self.contestants[key].speedup) for key, plan in plans.items()),
                *(of_tiles(t.convolution.layer, t.m, t.speedup) for t in tiles),
            ],
            kernels=self.contestants.keys(),
            layers={one.layer for one in self.tiles.convolutions},
        )


def _tiles_row(tiles: Tiles) -> TunedTiles:
    one = tiles.convolution
    return TunedTiles(tuple(sorted(one.nodes)), one.planned, tiles.m, tiles.speedup)


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
