"""Outputs differ from the reference: which level, which pass, which rewrite, which tensor first?

All rewrites of all passes have one order, in which they can be stopped after any of them
(`optimize.Stop`). A binary search finds one without which the numbers agree and with which they
differ; both are compiled and compared again before it is named. It assumes that what is wrong
stays wrong: with several wrong rewrites it names one of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tvm.target import Target

from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import Array, tolerance_for
from tvmfuse.measure.conditions import conditions_of
from tvmfuse.measure.examples import examples_of
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.reference import OF_TORCH, REFERENCES, Feeds, Reference, by_onnxruntime
from tvmfuse.measure.results.bisection import Bisection
from tvmfuse.measure.search import Search, Source
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.trials import Trials
from tvmfuse.names import Names
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import GivenModel, Model, import_model, source_graph, source_of
from tvmfuse.progress import Progress, silent
from tvmfuse.runtime.feeds import check_feeds
from tvmfuse.size_ranges import GivenSizes


def bisect(
    model: GivenModel,
    *,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    tolerance: float | None = None,
    against: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    target: str | Target = "llvm",
    level: str | int = "all",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    precision: str = "f32",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool | str | os.PathLike[str] = True,
    progress: Progress | None = None,
) -> Bisection:
    """Find the first level, pass and rewrite that change a model's numbers.

    After the level is known it compiles at most ``ceil(log2(rewrites)) + 2`` times, the last two to
    verify what it found; for the folder also parts of the model, each twice as far around the
    rewrite as the one before. Ctrl-C ends it, and what is known until then is returned.

    Args:
        model: As `tvmfuse.compile` takes it. Of a PyTorch module the level, the pass and the
            rewrite are found, and no tensor.
        example_inputs: Of a PyTorch module; as `tvmfuse.compile` takes them. It runs on them.
        dynamic_shapes: Of a PyTorch module; as `tvmfuse.compile` takes them.
        tolerance: Of the largest error, by the largest magnitude of the reference, for
            floating-point outputs; None: that of the precision.
        against: ``onnxruntime`` without its optimizations, of a PyTorch module ``eager``; or
            ``none``: our own level. None: the other engine.
        folder: Of an ONNX model: where to write a reduced model, its inputs and the command that
            shows the difference; None for nowhere.
        target: See `api.compile`, as for the other settings.
        level: The highest level that is compared.
        disabled_pass: Names or aliases of passes that do not run.
        enabled_pass: Names of passes that are off by default, and run.
        precision: See `api.compile`.
        threads: Threads that compute one run.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name.
        limits: As `tvmfuse.compile` takes them.
        inputs: Arrays by name; None for random ones.
        seed: Seed for random inputs.
        cache: See `api.compile`.
        progress: Called with the name of each step before it is done.

    Raises:
        ConfigurationError: A setting asks for what does not exist, the tolerance is negative, or
            onnxruntime is not there.
        InputError: The inputs do not fit the model.
        ModelError: The model is malformed, or beyond what can be compiled or onnxruntime runs.
    """
    source = source_of(model, example_inputs, dynamic_shapes)
    known = OF_TORCH if isinstance(source, TorchProgram) else REFERENCES
    against = known[0] if against is None else against
    if against not in known:
        raise ConfigurationError(f"against: expected {' or '.join(known)}, found {against!r}")
    compiled_with = CompileSettings.of(
        target, level, disabled_pass=disabled_pass, enabled_pass=enabled_pass, shapes=shapes,
        dims=dims, cache=cache, limits=limits, precision=precision,
    )  # fmt: skip
    tolerance = tolerance_for(tolerance, precision)
    if not tolerance >= 0:
        raise ConfigurationError(f"tolerance: expected 0 or more, found {tolerance}")
    settings = MeasureSettings(
        threads=threads, tolerance=tolerance, seed=seed, progress=progress or silent
    )
    if isinstance(source, TorchProgram) and folder is not None:
        raise ConfigurationError("folder: a reduced model is written of an ONNX model only")
    return bisect_model(
        source, compiled_with, settings, against=against, folder=folder, inputs=inputs
    )


def bisect_model(
    model: Model,
    compiled_with: CompileSettings,
    settings: MeasureSettings,
    *,
    against: str,
    folder: str | os.PathLike[str] | None = None,
    inputs: Mapping[str, Array] | None = None,
) -> Bisection:
    """Do what `bisect` does, with settings that are resolved."""
    if isinstance(model, TorchProgram):
        return _bisect_program(model, compiled_with, settings, against=against, inputs=inputs)
    graph = source_graph(model, compiled_with.limits)
    with COMPILING:
        settings.progress("import")
        imported = import_model(
            graph.original,
            shapes=compiled_with.shapes,
            dims=compiled_with.dims,
            limits=compiled_with.limits,
        )
        feeds = _feeds(imported, inputs, settings.seed)
        trials = Trials(imported, feeds, {}, compiled_with, settings)
        expected = Reference(against, partial(by_onnxruntime, threads=settings.threads))
        if against == "none":
            expected = Reference(against, partial(_by_level_none, trials))
        settings.progress(f"running {against}")
        trials.expected = expected.compute(graph, feeds)
        found = Search(trials, against, Source(graph, expected, folder)).run()
        return _under(found, trials, assumed=inputs is None)


def _bisect_program(
    program: TorchProgram,
    compiled_with: CompileSettings,
    settings: MeasureSettings,
    *,
    against: str,
    inputs: Mapping[str, Array] | None,
) -> Bisection:
    """Do what `bisect` does, of a program of PyTorch's: its tensors are not compared."""
    from tvmfuse.frontend.torch.eager import run_eager

    with COMPILING:
        settings.progress("import")
        imported = import_model(program, dims=compiled_with.dims, limits=compiled_with.limits)
        inputs = examples_of(program, compiled_with.dims) if inputs is None else inputs
        feeds = _feeds(imported, inputs, settings.seed)
        trials = Trials(imported, feeds, {}, compiled_with, settings)
        settings.progress(f"running {against}")
        if against == "none":
            trials.expected = trials.outputs(Selection.of("none"))
        else:
            trials.expected = run_eager(program.program, feeds)
        return _under(Search(trials, against).run(), trials, assumed=inputs is None)


def _under(found: Bisection, trials: Trials, *, assumed: bool) -> Bisection:
    """Say under which conditions something was found."""
    threads, specs = [trials.settings.threads], trials.imported.inputs
    at = conditions_of(threads, trials.compiled_with, specs, trials.feeds, assumed=assumed)
    return replace(found, conditions=at)


def _feeds(
    imported: ImportedModel, inputs: Mapping[str, Array] | None, seed: int
) -> dict[str, Array]:
    """Check what is fed, or draw it; initializers that nobody feeds have their values."""
    given = random_inputs(imported.inputs, seed=seed) if inputs is None else inputs
    specs = (*imported.inputs, *imported.overridable)
    names = [spec.name for spec in specs]
    values = zip(names[len(imported.inputs) :], imported.defaults, strict=True)
    return dict(zip(names, check_feeds(specs, {**dict(values), **given}), strict=True))


def _by_level_none(trials: Trials, graph: SourceGraph, feeds: Feeds) -> dict[str, Array]:
    """Compute a model's outputs at level none, for what `trials` are for."""
    fed = {name: feeds[name].shape for name in graph.inputs if name in feeds}
    imported = import_model(graph.source, shapes=fed, limits=trials.compiled_with.limits)
    alone = replace(trials, imported=imported, feeds=feeds, compiles=0)
    return alone.outputs(Selection.of("none"))
