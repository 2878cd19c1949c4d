"""Tuning a model: plans of its kernels are timed in it, and the faster ones are kept."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tvmfuse.errors import ConfigurationError
from tvmfuse.format.kept_files import user_folder
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import Array, tolerance_for
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.examples import examples_of
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.machine import Watch
from tvmfuse.measure.settings import MeasureSettings, Quiet
from tvmfuse.pipeline.compile import build_graph, optimize_model
from tvmfuse.pipeline.container import Graph
from tvmfuse.pipeline.plan_database import PlanDatabase
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import source_of
from tvmfuse.progress import Progress, Step, silent, within
from tvmfuse.size_ranges import GivenSizes
from tvmfuse.target.host_cpu import computing
from tvmfuse.tuning.budget import Budget
from tvmfuse.tuning.race import ROUNDS
from tvmfuse.tuning.records import Records
from tvmfuse.tuning.result import Tuning
from tvmfuse.tuning.tuner import Tuner

if TYPE_CHECKING:
    from tvmfuse.pipeline.source import GivenModel

#: Seconds of a race of short models.
RACE_S: Final = 0.4


def tune(
    model: GivenModel,
    *,
    database: str | os.PathLike[str] | None = None,
    budget_s: float = 300.0,
    trials: int | None = None,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    target: str = "llvm",
    level: str | int = "all",
    disabled_pass: str | Iterable[str] = (),
    precision: str = "f32",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Tuning:
    """Time other plans of a model's kernels, and keep those that are faster.

    Kernels are timed in the model, in turn with the model as it is planned: all of them at once,
    each with another plan than before. What is faster is confirmed at the end, kernel by kernel and
    for the whole model; where that is slower, nothing is kept. `compile(database=)` takes what was.

    Args:
        model: As `tvmfuse.compile` takes it.
        database: The folder of the records, which are also read; None: the user's, see
            `default_database`.
        budget_s: Seconds that it may take, compilations included.
        trials: How many plans may be timed; None: as many as the budget allows.
        example_inputs: Of a PyTorch module; as `tvmfuse.compile` takes them. It runs on them.
        dynamic_shapes: Of a PyTorch module; as `tvmfuse.compile` takes them.
        target: As `tvmfuse.compile` takes it; a CPU that this machine can run code for.
        level: As `tvmfuse.compile` takes it.
        disabled_pass: As `tvmfuse.compile` takes it.
        precision: As `tvmfuse.compile` takes it.
        threads: Threads that compute one run; None for one on each core.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name, or a range.
        limits: As `tvmfuse.compile` takes them.
        inputs: Arrays by name; None for random ones.
        seed: Seed for random inputs, and for the order in which things are timed.
        cache: As `tvmfuse.compile` takes it.
        progress: Called with each step and the share of the budget that is spent, never while
            timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        ConfigurationError: The budget or the number of trials is no positive number, or the target
            is no CPU.
        InputError: The inputs do not fit the model.
        NotQuietError: The machine has to be quiet, and is not.
        ArtifactError: A record cannot be written.
        WrongNumbersError: The outputs differ with the faster plans: a defect of tvmfuse.
        TvmfuseError: What `compile` and `load` raise.
    """
    _check(budget_s, trials)
    begin = time.monotonic()
    compiled_with = CompileSettings.of(
        target, level, disabled_pass=disabled_pass, shapes=shapes, dims=dims, limits=limits,
        cache=cache, precision=precision, database=False,
    )  # fmt: skip
    if compiled_with.target.kind.name != "llvm":
        raise ConfigurationError(f"expected a target of kind llvm, found {compiled_with.target}")
    source = source_of(model, example_inputs, dynamic_shapes)
    kept = PlanDatabase(default_database() if database is None else database)
    kept.append([])  # Where nothing can be written, that is known before the long work.
    report = progress or silent
    graph = optimize_model(source, compiled_with, within("compiling", report))
    feeds = inputs if inputs is not None else examples_of(source, dims)
    measured = MeasureSettings(
        duration_s=RACE_S, least_rounds=ROUNDS, warm_up_s=RACE_S, threads=computing(threads),
        tolerance=tolerance_for(None, precision), seed=seed, clock=clock, watch=watch,
        quiet=quiet or Quiet(),
    )  # fmt: skip
    report(Step("compiling the model as it is planned", 0.0))
    baseline = build_graph(graph, compiled_with).load(num_threads=measured.threads)
    if feeds is None:
        feeds = random_inputs(baseline.inputs, seed=seed)  # whose sizes are compiled in
    budget = Budget(begin, budget_s, trials, report)
    records = Records(kept, str(compiled_with.target), measured.threads or 1)
    tuner = Tuner(source, compiled_with, measured, records, budget, graph, baseline, feeds)
    return tuner.tuned(_name_of(model, graph))


def default_database() -> Path:
    """Return the folder of the user's database: ``TVMFUSE_DATABASE``, or one of the cache's.

    Raises:
        ConfigurationError: The user has no home.
    """
    if stated := os.environ.get("TVMFUSE_DATABASE"):
        return Path(stated)
    folder = user_folder(os.environ, "plans")
    if folder is None:
        raise ConfigurationError("database: this user has no home: name a folder")
    return folder


def _check(budget_s: float, trials: int | None) -> None:
    if not 0 < budget_s < math.inf:
        raise ConfigurationError(f"budget_s: expected seconds above 0, found {budget_s!r}")
    if trials is not None and (not isinstance(trials, int) or trials < 1):
        raise ConfigurationError(f"trials: expected a number of plans above 0, found {trials!r}")


def _name_of(model: GivenModel, graph: Graph) -> str:
    if isinstance(model, str | os.PathLike):
        return Path(model).name
    return str(graph.metadata.get("graph_name", "model"))
