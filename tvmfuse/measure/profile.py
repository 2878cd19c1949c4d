"""Where a model's time goes: each kernel where it stands, against what the machine reaches."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tvmfuse.errors import ConfigurationError
from tvmfuse.format.kinds import is_compiled
from tvmfuse.limits import Limits
from tvmfuse.manifest import Kernel
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.inputs import feeds_of
from tvmfuse.measure.interleave import Samples
from tvmfuse.measure.machine import Machine, Watch
from tvmfuse.measure.quiet import interleave_watched
from tvmfuse.measure.results.profile import Event, Line, Profile
from tvmfuse.measure.roofline import Amount, Roofline
from tvmfuse.measure.settings import MeasureSettings, Quiet
from tvmfuse.progress import Progress, silent
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.loading import load
from tvmfuse.runtime.timed_run import TimedRun
from tvmfuse.schedules.plan_json import from_json
from tvmfuse.size_ranges import GivenSizes, fixed_sizes
from tvmfuse.target.core import describe
from tvmfuse.target.host_cpu import computing
from tvmfuse.tensor_spec import Size, TensorSpec, computed

if TYPE_CHECKING:
    from tvmfuse.measure.agreement import Array
    from tvmfuse.measure.inputs import Inputs
    from tvmfuse.pipeline.source import GivenModel

Floats = npt.NDArray[np.float64]


def profile(
    model: GivenModel,
    *,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    target: str = "llvm",
    level: str | int = "all",
    disabled_pass: str | Iterable[str] = (),
    disabled_step: str | Iterable[str] = (),
    precision: str = "f32",
    plans: Mapping[str, Any] | None = None,
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    fallback: str | None = None,
    inputs: Inputs | None = None,
    seed: int = 0,
    cache: bool = True,
    duration_s: float = 5.0,
    rounds: int | None = None,
    warm_up_s: float = 2.0,
    progress: Progress | None = None,
    clock: Clock | None = None,
    watch: Watch | None = None,
    quiet: Quiet | None = None,
) -> Profile:
    """Time each launch of a model, in turn with runs that nobody watches and with the peaks.

    Args:
        model: As `tvmfuse.compile` takes it; or the path of a compiled file, which takes no more
            than loading does. Where TVM's compiler is not there, no peaks are measured.
        example_inputs: Of a PyTorch module; as `tvmfuse.compile` takes them. It runs on them.
        dynamic_shapes: Of a PyTorch module; as `tvmfuse.compile` takes them.
        target: Of a model that is compiled here.
        level: Of a model that is compiled here.
        disabled_pass: Of a model that is compiled here.
        disabled_step: Of a model that is compiled here.
        precision: Of a model that is compiled here.
        plans: Of a model that is compiled here.
        threads: Threads that compute one run; None for one on each core.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name, or, of a model that is compiled here,
            a range; those that have no size have their usual sizes.
        limits: Of a model that is compiled here; as `tvmfuse.compile` takes them.
        fallback: The same. Another engine's part counts as one kernel.
        inputs: Arrays by name, or what makes them of the model's inputs; None for random ones.
        seed: Seed for random inputs, and for the order in which things are timed.
        cache: Whether to keep compiled kernels for the next time.
        duration_s: Seconds to measure, after the warm-up.
        rounds: How many runs to watch; None: as many as fit in the duration.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        progress: Called with each step and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be; None: as it is.

    Raises:
        ConfigurationError: A compiled file is asked to be another one; or the kernels run on a GPU,
            whose launches return before they are done.
        InputError: The inputs do not fit the model.
        NotQuietError: The machine has to be quiet, and is not.
        TvmfuseError: What `compile` and `load` raise.
    """
    threads = computing(threads)
    settings = MeasureSettings(
        duration_s=duration_s,
        rounds=rounds,
        warm_up_s=warm_up_s,
        threads=threads,
        seed=seed,
        progress=progress or silent,
        clock=clock,
        watch=watch,
        quiet=quiet or Quiet(),
    )
    if isinstance(model, str | os.PathLike) and is_compiled(model):
        others = {
            "disabled_pass": disabled_pass, "disabled_step": disabled_step, "plans": plans,
            "limits": limits, "fallback": fallback, "precision": precision != "f32",
        }  # fmt: skip
        _refuse_changes(Path(model), target, level, others)
        executable = load(model, num_threads=threads)
        compiled_in: Mapping[str, int] = {}
        dims = {**_dims_of(executable.inputs, shapes or {}), **(dims or {})}
    else:
        # The compiler is no part of what a compiled file needs.
        from tvmfuse.measure.examples import examples_of
        from tvmfuse.pipeline.partition import compile_or_part
        from tvmfuse.pipeline.settings import CompileSettings
        from tvmfuse.pipeline.source import source_of

        source = source_of(model, example_inputs, dynamic_shapes)
        inputs = examples_of(source, dims) if inputs is None else inputs
        compiled_with = CompileSettings.of(
            target, level, disabled_pass=disabled_pass, disabled_step=disabled_step, plans=plans,
            shapes=shapes, dims=dims, limits=limits, cache=cache, fallback=fallback,
            precision=precision,
        )  # fmt: skip
        _refuse_gpu(compiled_with.target.kind.name)
        artifact = compile_or_part(source, compiled_with, settings.progress)
        executable = artifact.load(num_threads=threads)
        compiled_in, dims = fixed_sizes(dims), {}
    _refuse_gpu(json.loads(executable.manifest.target).get("kind"))
    feeds = feeds_of(executable.inputs, inputs, dims, seed)
    subject = _Subject(_name_of(model, executable.manifest.name), executable, feeds, threads)
    found = subject.measured(settings)
    free = () if inputs is not None else tuple(n for n in found.sizes if n not in dims)
    return replace(found, sizes={**compiled_in, **found.sizes}, assumed=free)


def _typical(spent: Floats) -> int:
    """Return the run whose parts are nearest to their medians, together.

    Of a run that was preempted the whole may be the median, and no part is.

    Args:
        spent: [runs, parts], in any unit.
    """
    return int(np.abs(spent - np.median(spent, axis=0)).sum(axis=1).argmin())


def _name_of(model: GivenModel, graph: str) -> str:
    """Return the file's name; what the graph says of itself where there is none."""
    return Path(model).name if isinstance(model, str | os.PathLike) else graph


class _Subject:
    """A model on some inputs, and the machine's peaks beside it."""

    def __init__(
        self, name: str, executable: Executable, feeds: Mapping[str, Array], threads: int
    ) -> None:
        self._name = name
        self._executable, self._feeds, self._threads = executable, feeds, threads
        self._sizes = executable.sizes(feeds)
        amounts = map(self._amount, executable.manifest.kernels)
        target = executable.manifest.target
        self._roofline = Roofline.of(amounts, target, threads, first=2)

    def measured(self, settings: MeasureSettings) -> Profile:
        runs: list[TimedRun] = []

        def progress(step: str) -> None:
            if step == "warming up":
                runs.clear()
            settings.progress(step)

        samples, machine = interleave_watched(
            [
                lambda: runs.append(self._executable.timed(self._feeds)),
                self._executable.bound(self._feeds),
                *self._roofline.loops,
            ],
            replace(settings, progress=progress),
            baseline=1,
        )
        # Where a sample takes several runs, the first one stands for it.
        rounds, calls = len(samples.milliseconds), samples.calls[0]
        watched = runs[: rounds * calls : calls]
        return self._profile(watched, samples, settings.seed, machine)

    def _profile(
        self,
        runs: Sequence[TimedRun],
        samples: Samples,
        seed: int,
        machine: Machine,
    ) -> Profile:
        said = self._executable.manifest
        whole = np.array([run.milliseconds for run in runs])
        spent = np.array([[ms for *_, ms in run.launches] for run in runs])
        launches, events = self._launches(runs, spent, samples), tuple[Event, ...]()
        between = middle = 0.0
        if len(runs):
            chosen = _typical(np.column_stack([spent, whole - spent.sum(axis=1)]))
            events = tuple(
                Event(line, 1e3 * begin, 1e3 * ms)
                for line, (_, begin, ms) in zip(launches, runs[chosen].launches, strict=True)
            )
            alone = samples.milliseconds[:, 1]  # Watching takes time of its own, but in kernels.
            between = max(0.0, 1e3 * float(np.median(alone - spent.sum(axis=1))))
            middle = 1e3 * float(whole[chosen])
        return Profile(
            model=self._name,
            threads=self._threads,
            target=said.target,
            level=said.level,
            sizes=self._sizes,
            runs=len(runs),
            launches=launches,
            between_microseconds=between,
            run_milliseconds=float(np.median(samples.milliseconds[:, 1])) if len(runs) else None,
            typical_run=events,
            typical_microseconds=middle,
            peaks=self._roofline.peaks(samples),
            no_peaks=self._roofline.missing,
            warm=samples.warm,
            interrupted=samples.interrupted,
            seed=seed,
            machine=machine,
            compiled_for=describe(said.machine) if said.machine else "",
        )

    def _launches(
        self, runs: Sequence[TimedRun], spent: Floats, samples: Samples
    ) -> tuple[Line, ...]:
        if not len(runs):
            return ()
        lines = []
        for place, (kernel, *_) in enumerate(runs[0].launches):
            took = 1e3 * spent[:, place]
            amount = self._amount(kernel)
            bound, share = self._roofline.bound(amount, took, samples)
            typical = float(np.median(took))
            at_bound = None if share is None else share * typical
            lines.append(
                Line(
                    kernel.symbol,
                    kernel.nodes,
                    kernel.schedule,
                    1,
                    typical,
                    amount.operations,
                    amount.nbytes,
                    bound,
                    at_bound,
                    from_json(kernel.plan).words if kernel.plan else "",
                    amount.operands,
                )
            )
        return tuple(lines)

    def _amount(self, kernel: Kernel) -> Amount:
        """Return what a launch does on these inputs."""
        work = kernel.work
        if work is None:
            return Amount()
        return Amount(self._number(work.flop), self._number(work.nbytes), work.operands)

    def _number(self, size: Size | None) -> int | None:
        try:
            return None if size is None else computed(size, self._sizes)
        except KeyError:
            return None


def _refuse_changes(
    path: Path, target: str, level: str | int, others: Mapping[str, object]
) -> None:
    asked = {"target": target != "llvm", "level": level != "all", **others}
    if names := [name for name, given in asked.items() if given]:
        raise ConfigurationError(
            f"{path} is compiled already, and is profiled as it is; asked for is another "
            f"{', '.join(names)}: profile the ONNX model instead"
        )


def _refuse_gpu(kind: str) -> None:
    if kind != "llvm":
        raise ConfigurationError(
            f"expected a target of kind llvm, found {kind}: kernels run there after the call that "
            "launches them returned, so that neither their times, nor what is between them, nor "
            "the GPU's peaks are measured; take NVIDIA's Nsight Systems, or `tvmfuse ab` for the "
            "time of the whole model"
        )


def _dims_of(specs: Sequence[TensorSpec], shapes: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return what the symbolic dimensions are in inputs of some shapes."""
    known = {spec.name: spec for spec in specs}
    for name, shape in shapes.items():
        if name not in known or len(shape) != len(known[name].shape):
            known_ones = ", ".join(map(str, specs))
            raise ConfigurationError(
                f"expected an input of {known_ones}, found {name!r} with {len(shape)} sizes"
            )
    pairs = [
        (dim, size)
        for name, shape in shapes.items()
        for dim, size in zip(known[name].shape, shape, strict=True)
    ]
    for dim, size in pairs:
        if isinstance(dim, int) and dim != size:
            raise ConfigurationError(
                f"expected the size {dim}, which is compiled in, found {size}: profile the ONNX "
                "model with this shape"
            )
    return {dim: size for dim, size in pairs if isinstance(dim, str)}
