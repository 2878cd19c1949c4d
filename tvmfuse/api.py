"""The stages in a row: what `tvmfuse.compile` does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import onnx
from tvm.target import Target

from tvmfuse.build.artifact import Artifact
from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.levels import name_of
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline import container
from tvmfuse.pipeline.container import Graph
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.pipeline.stages import COMPILING, built, graph_of, kernel_cache
from tvmfuse.progress import Progress
from tvmfuse.report import OptimizationReport
from tvmfuse.target.resolve import resolve

Model = str | os.PathLike[str] | bytes | onnx.ModelProto
Names = str | Iterable[str]


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
    verify: bool = False,
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
        verify: Whether to compare every level with `none` on random inputs, and to compile without
            the passes that change the numbers; the report's notes and a `WrongPassWarning` name
            each. Takes several compilations.
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
    selection, device = Selection.of(level, disabled_pass, enabled_pass, only_pass), resolve(target)
    with COMPILING:
        if verify:
            from tvmfuse.verify import verified  # which measures, and what measures compiles

            selection, noted = verified(
                model, selection, device, shapes, dims, cache=cache, progress=progress
            )
        graph = _graph(model, selection, device, shapes, dims, progress)
        if verify:
            graph = replace(graph, report=noted(graph.report))
        if save_optimized is not None:
            container.write(graph, save_optimized)
        return built(graph, device, kernel_cache(cache=cache), progress)


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
    with COMPILING:
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
    return graph_of(imported, optimized, selection, target)
