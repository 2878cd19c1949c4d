"""The stages in a row: what `tvmfuse.compile` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

import onnx
from tvm.target import Target

from tvmfuse.artifact import container
from tvmfuse.artifact.container import Graph
from tvmfuse.build import Artifact, build
from tvmfuse.frontend import import_model
from tvmfuse.levels import name_of
from tvmfuse.manifest import Kernel, Manifest
from tvmfuse.optimize import optimize
from tvmfuse.passes.kernels import kernel_calls
from tvmfuse.passes.selection import Selection
from tvmfuse.report import OptimizationReport
from tvmfuse.schedules.schedule import Scheduled, schedule
from tvmfuse.targets import resolve

Model = str | os.PathLike[str] | bytes | onnx.ModelProto
Names = str | Iterable[str]
Progress = Callable[[str], None]


def compile(
    model: Model,
    target: str | Mapping[str, object] | Target = "llvm",
    level: str | int = "all",
    *,
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    save_optimized: str | os.PathLike[str] | None = None,
    progress: Progress = lambda _: None,
) -> Artifact:
    """Compile an ONNX model for a target.

    Args:
        model: A path, the file's bytes, a ``ModelProto``; or a file that `save_optimized` wrote,
            which is taken as it is, with all passes off.
        target: ``llvm`` (this machine), ``avx2``, ``avx512``, ``cuda``, an LLVM microarchitecture,
            a TVM target.
        level: ``none``, ``basic``, ``extended``, ``layout`` or ``all``, or ONNX Runtime's number.
        disabled_pass: Names or aliases of passes that do not run.
        enabled_pass: Names of passes that are off by default, and run.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name; the others stay symbolic.
        save_optimized: Where to write the optimized graph.
        progress: Called with the name of each stage and pass before it runs.

    Returns:
        The compiled model: `save` it, or `load` it here.

    Raises:
        ConfigurationError: A target, level, pass, input or dimension does not exist.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: A pass or schedule failed: a defect of tvmfuse.
        ArtifactError: The optimized graph cannot be read or written.
    """
    selection, device = Selection.of(level, disabled_pass, enabled_pass), resolve(target)
    if container.is_container(model):
        graph, report = container.read(model, device), None
    else:
        graph, report = _optimized(model, selection, device, shapes, dims, progress)
    if save_optimized is not None:
        container.write(graph, save_optimized)
    progress("schedule")
    scheduled = schedule(graph.kernels, device)
    progress("build")
    return build(scheduled.module, device, _manifest(graph, scheduled), report=report)


def explain(
    model: Model,
    level: str | int = "all",
    *,
    target: str | Target = "llvm",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    progress: Progress = lambda _: None,
) -> OptimizationReport:
    """Optimize a model and say what each pass did; no kernel is compiled.

    The arguments and errors are those of `compile`.
    """
    selection = Selection.of(level, disabled_pass, enabled_pass)
    return _optimized(model, selection, resolve(target), shapes, dims, progress)[1]


def _optimized(
    model: Model,
    selection: Selection,
    target: Target,
    shapes: Mapping[str, Sequence[int]] | None,
    dims: Mapping[str, int] | None,
    progress: Progress,
) -> tuple[Graph, OptimizationReport]:
    progress("import")
    imported = import_model(model, shapes=shapes, dims=dims)
    optimized = optimize(imported.module, selection, progress, target=target)
    laid_out = any(p.fired for p in optimized.report.passes if p.tier == "layout")
    ran = tuple(p.name for p in optimized.report.passes if p.status == "ran")
    graph = Graph(
        kernels=optimized.kernels,
        inputs=imported.inputs,
        outputs=imported.outputs,
        opset=imported.opset,
        metadata=imported.metadata,
        level=name_of(selection.level),
        passes_ran=ran,
        passes_disabled=tuple(sorted(selection.disabled)),
        target=str(target) if laid_out else None,
    )
    return graph, optimized.report


def _manifest(graph: Graph, scheduled: Scheduled) -> Manifest:
    return Manifest(
        name=graph.metadata.get("graph_name", "model"),
        inputs=graph.inputs,
        outputs=graph.outputs,
        level=graph.level,
        passes_ran=graph.passes_ran,
        passes_disabled=graph.passes_disabled,
        kernels=tuple(
            Kernel(symbol, nodes, scheduled.report.schedule_of(symbol))
            for symbol, nodes in kernel_calls(scheduled.module)
        ),
        opset=graph.opset,
        metadata=graph.metadata,
    )
