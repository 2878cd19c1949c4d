"""The stages in a row: what `tvmfuse.compile` does."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import onnx
from tvm import IRModule
from tvm.target import Target

from tvmfuse.artifact import container, linker
from tvmfuse.artifact.container import Graph
from tvmfuse.build import Artifact, build
from tvmfuse.errors import ArtifactError, ConfigurationError
from tvmfuse.frontend import import_model
from tvmfuse.kernels.cache import KernelCache, cache_folder
from tvmfuse.kernels.compile import compile_kernels
from tvmfuse.levels import name_of
from tvmfuse.manifest import Kernel, Manifest
from tvmfuse.optimize import optimize
from tvmfuse.passes.kernels import kernel_calls
from tvmfuse.passes.selection import Selection
from tvmfuse.progress import Progress
from tvmfuse.report import OptimizationReport
from tvmfuse.schedules.schedule import ScheduleReport, schedule
from tvmfuse.targets import resolve

Model = str | os.PathLike[str] | bytes | onnx.ModelProto
Names = str | Iterable[str]

#: TVM's builders and its parser of operators keep their state for the whole process.
_compiling: Final = threading.RLock()


def compile(
    model: Model,
    target: str | Mapping[str, object] | Target = "llvm",
    level: str | int = "all",
    *,
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    only_pass: Names = (),
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    save_optimized: str | os.PathLike[str] | None = None,
    cache: bool | str | os.PathLike[str] = True,
    progress: Progress = lambda _: None,
) -> Artifact:
    """Compile an ONNX model for a target. Of several threads, one at a time compiles.

    Args:
        model: A path, the file's bytes, a ``ModelProto``; or a file that `save_optimized` wrote,
            which is taken as it is, without a pass: what would change it is refused.
        target: ``llvm`` (this machine), ``avx2``, ``avx512``, ``cuda``, an LLVM microarchitecture,
            a TVM target.
        level: ``none``, ``basic``, ``extended``, ``layout`` or ``all``, or ONNX Runtime's number.
        disabled_pass: Names or aliases of passes that do not run.
        enabled_pass: Names of passes that are off by default, and run.
        only_pass: Names of the passes that run, and no other, of whatever tier; the level is
            `none`. `FuseOps` takes `FuseTIR` with it to show in the kernels.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name; the others stay symbolic.
        save_optimized: Where to write the optimized graph.
        cache: Whether to keep the CPU's compiled kernels for the next time, and to take those that
            are kept: in the user's cache folder, or in the folder named.
        progress: Called with the name of each stage, pass and kernel before it runs; a
            `progress.Step` where it is known how much is done.

    Returns:
        The compiled model: `save` it, or `load` it here.

    Raises:
        ConfigurationError: A target, level, pass, input or dimension does not exist; or an
            optimized graph is asked to be another one.
        ModelError: The model is malformed, or beyond what can be compiled.
        CompilationError: A pass or schedule failed: a defect of tvmfuse.
        ArtifactError: The optimized graph cannot be read or written.
    """
    selection = Selection.of(level, disabled_pass, enabled_pass, only_pass)
    device = resolve(target)
    with _compiling:
        graph = _graph(model, selection, device, shapes, dims, progress)
        if save_optimized is not None:
            container.write(graph, save_optimized)
        return _built(graph, device, _kernel_cache(cache=cache), progress)


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

    The arguments and errors are those of `compile`. Of an optimized graph it says what the passes
    did when it was optimized.
    """
    selection = Selection.of(level, disabled_pass, enabled_pass)
    with _compiling:
        return _graph(model, selection, resolve(target), shapes, dims, progress).report


def _graph(
    model: Model,
    selection: Selection,
    target: Target,
    shapes: Mapping[str, Sequence[int]] | None,
    dims: Mapping[str, int] | None,
    progress: Progress,
) -> Graph:
    if not container.is_container(model):
        return _optimized(model, selection, target, shapes, dims, progress)
    graph = container.read(model, target)
    asked = _changes(graph, selection, shapes, dims)
    if asked:
        raise ConfigurationError(
            f"this graph was optimized already, at level {graph.level}, and is taken as it is; "
            f"asked for is {', '.join(asked)}: compile the ONNX model instead"
        )
    return graph


def _changes(
    graph: Graph,
    selection: Selection,
    shapes: Mapping[str, Sequence[int]] | None,
    dims: Mapping[str, int] | None,
) -> list[str]:
    """Name what an optimized graph would have to be optimized again for.

    Level `all` is what nobody asked for, and `none` runs no pass, as it should be.
    """
    level = name_of(selection.level)
    names = {
        "disabled_pass": selection.disabled - set(graph.passes_disabled),
        "enabled_pass": selection.enabled - set(graph.passes_ran),
        "only_pass": selection.only,
        "shapes": shapes or (),
        "dims": dims or (),
    }
    asked = [] if level in ("all", "none", graph.level) else [f"level {level}"]
    return asked + [f"{what} {', '.join(sorted(found))}" for what, found in names.items() if found]


def _optimized(
    model: Model,
    selection: Selection,
    target: Target,
    shapes: Mapping[str, Sequence[int]] | None,
    dims: Mapping[str, int] | None,
    progress: Progress,
) -> Graph:
    progress("import")
    imported = import_model(model, shapes=shapes, dims=dims)
    optimized = optimize(imported.module, selection, progress, target=target)
    laid_out = any(p.fired for p in optimized.report.passes if p.tier == "layout")
    ran = tuple(p.name for p in optimized.report.passes if p.status == "ran")
    return Graph(
        kernels=optimized.kernels,
        inputs=imported.inputs,
        outputs=imported.outputs,
        overridable=imported.overridable,
        defaults=imported.defaults,
        opset=imported.opset,
        metadata=imported.metadata,
        level=name_of(selection.level),
        passes_ran=ran,
        passes_disabled=tuple(sorted(selection.disabled)),
        report=optimized.report,
        target=str(target) if laid_out else None,
    )


def _kernel_cache(*, cache: bool | str | os.PathLike[str]) -> KernelCache | None:
    if isinstance(cache, bool):
        return KernelCache(cache_folder(os.environ)) if cache else None
    return KernelCache(Path(cache))


def _built(graph: Graph, target: Target, cache: KernelCache | None, progress: Progress) -> Artifact:
    if target.kind.name == "llvm" and linker.installed():
        compiled = compile_kernels(graph.kernels, target, cache, progress)
        progress("link")
        manifest = _manifest(graph, compiled.module, compiled.report)
        try:
            return build(
                compiled.module, target, manifest, graph.report, graph.defaults, compiled.code
            )
        except ArtifactError:  # The disk is full, say: TVM links in memory, kernels of its own.
            pass
    progress("schedule")
    scheduled = schedule(graph.kernels, target)
    progress("build")
    manifest = _manifest(graph, scheduled.module, scheduled.report)
    return build(scheduled.module, target, manifest, graph.report, graph.defaults)


def _manifest(graph: Graph, module: IRModule, report: ScheduleReport) -> Manifest:
    return Manifest(
        name=graph.metadata.get("graph_name", "model"),
        inputs=graph.inputs,
        outputs=graph.outputs,
        overridable=graph.overridable,
        level=graph.level,
        passes_ran=graph.passes_ran,
        passes_disabled=graph.passes_disabled,
        kernels=tuple(
            Kernel(symbol, nodes, report.schedule_of(symbol))
            for symbol, nodes in kernel_calls(module)
        ),
        opset=graph.opset,
        metadata=graph.metadata,
    )
