"""All stages in a row: from a model to an optimized graph, and on to an artifact."""

from __future__ import annotations

import os
from dataclasses import replace

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.kernels.cache import kernel_cache
from tvmfuse.errors import ConfigurationError
from tvmfuse.format.graph_file import is_graph_file
from tvmfuse.levels import name_of
from tvmfuse.out_of_memory import memory_in_words
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline import container
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.container import Graph
from tvmfuse.pipeline.dump_ir import DumpIR
from tvmfuse.pipeline.instruments import WellFormed
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import Model, Source, import_model
from tvmfuse.pipeline.specialize import check_sizes
from tvmfuse.pipeline.stages import built, graph_of
from tvmfuse.pipeline.without_failures import optimize_without_failures
from tvmfuse.pipeline.without_fusions import build_without_failures
from tvmfuse.progress import Progress, silent
from tvmfuse.schedules.steps import in_order

__all__ = ["Model", "build_graph", "build_model", "compile_model", "optimize_model"]


def compile_model(
    model: Source, settings: CompileSettings, progress: Progress = silent
) -> Artifact:
    """Import, optimize, schedule and build a model.

    Raises:
        ConfigurationError: An input or a dimension does not exist, or does not take a size; or an
            optimized graph is asked to be another one.
        ModelError: The model is malformed, beyond what can be compiled, or asks for more than the
            limits admit.
        OutOfMemoryError: This machine's memory ran out.
        CompilationError: A pass or schedule failed: a defect of tvmfuse.
        ArtifactError: An optimized graph cannot be read.
    """
    with COMPILING:
        return build_model(model, settings, progress)[1]


def build_model(
    model: Source,
    settings: CompileSettings,
    progress: Progress = silent,
    *,
    dump_ir: str | os.PathLike[str] | None = None,
) -> tuple[Graph, Artifact]:
    """Optimize a model and build it; return the graph, too, that was built in the end.

    The arguments and errors are those of `optimize_model` and `build_graph`.
    """

    def optimize(selection: Selection) -> Graph:
        chosen = replace(settings, selection=selection)
        return optimize_model(model, chosen, progress, dump_ir=dump_ir)

    def build(graph: Graph) -> Artifact:
        return build_graph(graph, settings, progress)

    # What is dumped into a folder is one optimization.
    strict = settings.strict or dump_ir is not None
    return build_without_failures(optimize, build, settings.selection, strict=strict)


def optimize_model(
    model: Source,
    settings: CompileSettings,
    progress: Progress = silent,
    *,
    dump_ir: str | os.PathLike[str] | None = None,
) -> Graph:
    """Import a model and optimize its graph; or read a graph that was optimized already.

    Args:
        model: See `tvmfuse.compile`.
        settings: How it is compiled.
        progress: Called with the name of each pass before it runs.
        dump_ir: A folder for the module as each pass left it, see `DumpIR`.

    Raises:
        ConfigurationError: An input or a dimension does not exist, or does not take a size; or an
            optimized graph is asked to be another one.
        ModelError: The model is malformed, beyond what can be compiled, or asks for more than the
            limits admit.
        OutOfMemoryError: This machine's memory ran out.
        PassError: A pass failed.
        ArtifactError: An optimized graph cannot be read, or the folder cannot be written.
    """
    with COMPILING, memory_in_words("the optimization of the model"):
        if is_graph_file(model):
            if dump_ir is not None:
                raise ConfigurationError(
                    "this graph was optimized already, so that no pass has anything to dump: "
                    "compile the ONNX model instead"
                )
            graph = _read(model, settings)
            check_sizes(graph.inputs, settings.specialize)
            return graph
        # Who looks at the IR is after a defect: it is checked as well.
        instruments = [] if dump_ir is None else [DumpIR(dump_ir), WellFormed()]
        progress("import")
        imported = import_model(
            model, shapes=settings.shapes, dims=settings.dims, limits=settings.limits,
            map_weights=settings.map_weights,
        )  # fmt: skip
        check_sizes(imported.inputs, settings.specialize)
        optimized, selection = optimize_without_failures(
            imported.module, settings.selection, progress, target=settings.target,
            instruments=instruments, strict=settings.strict or dump_ir is not None,
        )  # fmt: skip
        return graph_of(imported, optimized, selection, settings.target)


def build_graph(graph: Graph, settings: CompileSettings, progress: Progress = silent) -> Artifact:
    """Compile the kernels of an optimized graph, and link them.

    Raises:
        CompilationError: A schedule failed, or TVM refuses the module: a defect of tvmfuse.
        ConfigurationError: A plan does not fit its kernel, or there is no such kernel.
    """
    with COMPILING, memory_in_words("the compilation of the kernels"):
        cache, off = kernel_cache(cache=settings.cache), settings.schedules.disabled_steps
        if off:
            graph = replace(graph, report=replace(graph.report, steps_disabled=in_order(off)))
        made = built(
            graph, settings.target, cache, progress, settings.schedules, direct=settings.direct,
            specialize=settings.specialize,
        )  # fmt: skip
        if settings.calibration is None:
            return made
        numbers = settings.calibration.to_json()
        return replace(made, manifest=replace(made.manifest, calibration=numbers))


def _read(model: str | os.PathLike[str] | bytes, settings: CompileSettings) -> Graph:
    graph = container.read(model, settings.target)
    if asked := _changes(graph, settings):
        raise ConfigurationError(
            f"this graph was optimized already, at level {graph.level}, and is taken as it is; "
            f"asked for is {', '.join(asked)}: compile the ONNX model instead"
        )
    return graph


def _changes(graph: Graph, settings: CompileSettings) -> list[str]:
    """Name what an optimized graph would have to be optimized again for.

    Level `all` is what nobody asked for, and `none` runs no pass, as it should be.
    """
    selection = settings.selection
    level = name_of(selection.level)
    names = {
        "disabled_pass": selection.disabled - set(graph.passes_disabled),
        "enabled_pass": selection.enabled - set(graph.passes_ran),
        "only_pass": selection.only,
        "shapes": settings.shapes or (),
        "dims": settings.dims or (),
    }
    asked = [] if level in ("all", "none", graph.level) else [f"level {level}"]
    return asked + [f"{what} {', '.join(sorted(found))}" for what, found in names.items() if found]
