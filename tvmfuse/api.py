"""The stages in a row: what `tvmfuse.compile` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

import onnx
from tvm.target import Target

from tvmfuse import container
from tvmfuse.build import Artifact, build
from tvmfuse.container import Graph
from tvmfuse.frontend import import_model
from tvmfuse.levels import name_of
from tvmfuse.optimize import optimize
from tvmfuse.passes.selection import Selection
from tvmfuse.report import OptimizationReport
from tvmfuse.schedules.schedule import schedule
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
    report, graph = _prepare(model, selection, device, shapes, dims, progress)
    if save_optimized is not None:
        container.write(graph, save_optimized)
    progress("schedule")
    scheduled = schedule(graph.kernels, device)
    progress("build")
    return build(graph, scheduled, device, report)
