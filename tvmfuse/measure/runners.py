"""From settings to a variant that can be run: compiled and loaded, or a session of onnxruntime."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import onnx

from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.conditions import conditions_of
from tvmfuse.measure.examples import examples_of
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.many import Variant
from tvmfuse.measure.onnxruntime_session import open_session
from tvmfuse.measure.results.comparisons import Cost
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.measure.variants import VariantSettings
from tvmfuse.pipeline.compile import Model, compile_model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import import_model
from tvmfuse.pipeline.targets import resolve_measured
from tvmfuse.progress import Progress, Step, silent
from tvmfuse.report import OptimizationReport
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.tensor_spec import TensorSpec

Arrays = Mapping[str, Array]
Run = Callable[[Arrays], Arrays]


@dataclass(frozen=True)
class Workload:
    """What all variants compute: a model, and how its inputs are made.

    Attributes:
        model: As `tvmfuse.compile` takes it.
        compiled_with: How it is compiled; each variant has its own target and passes.
        inputs: An array for each input; None: random ones, or a PyTorch module's example inputs.
        seed: Seed for random inputs.
    """

    model: Model
    compiled_with: CompileSettings
    inputs: Arrays | None = None
    seed: int = 0

    @property
    def name(self) -> str:
        """The file's name; what the graph says of itself where there is none."""
        if isinstance(self.model, str | os.PathLike):
            return os.fspath(self.model)
        if isinstance(self.model, TorchProgram):
            return self.model.title
        return self.model.graph.name if isinstance(self.model, onnx.ModelProto) else "the model"

    def feeds(self, runner: Runner) -> Arrays:
        """Return the inputs; `runner` says which there are."""
        given = self._given()
        if given is not None:
            return given
        return random_inputs(self._specs(runner), seed=self.seed)

    def conditions(self, runner: Runner, feeds: Arrays, *variants: Runner) -> Conditions:
        """Return on how many threads and at which sizes variants, or one runner, compute."""
        threads = [r.settings.threads for r in variants or (runner,)]
        specs, assumed = self._specs(runner), self._given() is None
        return conditions_of(threads, self.compiled_with, specs, feeds, assumed=assumed)

    def _given(self) -> Arrays | None:
        """Return arrays that somebody gave, or what a PyTorch module was exported with."""
        if self.inputs is not None:
            return self.inputs
        return examples_of(self.model, self.compiled_with.dims)

    def _specs(self, runner: Runner) -> Sequence[TensorSpec]:
        if runner.inputs is not None:
            return runner.inputs
        given = self.compiled_with
        return import_model(
            self.model, shapes=given.shapes, dims=given.dims, limits=given.limits
        ).inputs


@dataclass(frozen=True, eq=False)
class Runner:
    """A variant that waits for its inputs.

    Attributes:
        settings: What it was made with.
        run: One inference: input name -> array to output name -> array.
        cost: What it took to make it.
        inputs: None where the engine does not say.
        report: What the passes did; None for another engine.
        launches: What one run launches; see `tvmfuse.Artifact`.
        steps: The steps that kernels take, with the number of launches of such.
    """

    settings: VariantSettings
    run: Run
    cost: Cost
    inputs: Sequence[TensorSpec] | None = None
    report: OptimizationReport | None = None
    launches: tuple[str, ...] = field(default=(), repr=False)
    steps: Mapping[str, int] = field(default_factory=dict, repr=False)

    def same_kernels(self, other: Runner) -> bool:
        """Whether both launch the same kernels, so that there is nothing to time."""
        return bool(self.launches) and sorted(self.launches) == sorted(other.launches)

    def same_code(self, other: Runner) -> bool:
        """Whether both do the very same, on as many threads."""
        same_threads = self.settings.threads == other.settings.threads
        return self.settings == other.settings or (same_threads and self.same_kernels(other))

    def variant(self, feeds: Arrays) -> Variant:
        """Return the variant that runs on these inputs."""
        run = partial(self.run, feeds)
        return Variant(self.settings.title, run, self.settings.to_json(), self.cost)


def make_runner(
    workload: Workload, settings: VariantSettings, progress: Progress = silent
) -> Runner:
    """Compile and load, or open a session of onnxruntime.

    Args:
        workload: The model.
        settings: Of the variant.
        progress: As `tvmfuse.compile` takes it.

    Raises:
        ConfigurationError: The engine is not installed, or an input or dimension does not exist.
        ModelError: The model is malformed, or beyond what the engine takes.
        CompilationError: A pass or schedule failed.
    """
    begin = time.perf_counter()
    if settings.engine == "onnxruntime":
        run = onnxruntime_run(workload.model, settings)
        return Runner(settings, run, Cost(None, None, time.perf_counter() - begin))
    target, calibration = resolve_measured(
        settings.target, progress, cache=workload.compiled_with.cache
    )
    compiled_with = replace(
        workload.compiled_with,
        target=target,
        calibration=calibration,
        selection=settings.selection,
        schedules=ScheduleSettings.of(settings.disable_step),
    )
    artifact = compile_model(workload.model, compiled_with, progress)
    seconds = time.perf_counter() - begin
    executable = artifact.load(num_threads=settings.threads)
    cost = Cost(len(artifact.manifest.kernels), artifact.nbytes, seconds)
    specs, report = executable.inputs, artifact.report
    taken = (step for kernel in artifact.manifest.kernels for step in kernel.plan.get("steps", ()))
    steps = Counter(taken)
    return Runner(settings, executable, cost, specs, report, artifact.launches, steps)


def compiling(progress: Progress, what: str, share: float = 0.0) -> Progress:
    """Return what a compilation within a measurement reports to, of which so much is done."""
    return lambda step: progress(Step(f"compiling {what}: {step}", share))


def onnxruntime_run(model: Model, settings: VariantSettings) -> Run:
    """Open a session of onnxruntime on the CPU, and return what runs it.

    Raises:
        ConfigurationError: onnxruntime is not installed.
        UnsupportedModelError: It does not take the model.
    """
    return open_session(model, level=settings.level, threads=settings.threads).by_name
