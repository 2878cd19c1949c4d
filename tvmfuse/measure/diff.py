"""What the passes did to a model's graph, before and after."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tvm.target import Target

from tvmfuse.errors import ConfigurationError
from tvmfuse.format.graph_file import is_graph_file
from tvmfuse.levels import Level, level_of
from tvmfuse.limits import Limits
from tvmfuse.measure.changes import Rewrites, compare_graphs
from tvmfuse.measure.graph import graph_of
from tvmfuse.measure.results.graph_diff import GraphComparison, GraphDiff
from tvmfuse.names import Names
from tvmfuse.passes.selection import Selection, resolve as resolve_pass
from tvmfuse.pipeline.compile import Model
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.instruments import PassRun, Watch
from tvmfuse.pipeline.optimize import Optimized, optimize
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import import_model
from tvmfuse.progress import Progress, silent
from tvmfuse.report import OptimizationReport
from tvmfuse.size_ranges import GivenSizes


def diff(
    model: Model,
    *,
    from_level: str | int = "none",
    to_level: str | int = "all",
    around: str | None = None,
    target: str | Mapping[str, object] | Target = "llvm",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    precision: str = "f32",
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    progress: Progress = silent,
) -> GraphDiff:
    """Compare a model's graph at two levels, or just before and just after one pass.

    No kernel is compiled.

    Args:
        model: As `tvmfuse.compile` takes it; no optimized graph.
        from_level: The level of the first state.
        to_level: The level of the last state, above the first.
        around: A pass, by a name or an alias: the states are those around each of its runs that
            changed something, on the way to `to_level`.
        target: What the layouts are to suit.
        disabled_pass: Passes that do not run, for either state.
        enabled_pass: Passes that run though they are off by default, on the way to `to_level`.
        precision: As `tvmfuse.compile` takes it, on the way to `to_level`.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name.
        limits: As `tvmfuse.compile` takes them.
        progress: Called with the name of each pass before it runs.

    Raises:
        ConfigurationError: A level, pass or dimension does not exist; `from_level` is not below
            `to_level`; the pass does not run, or reports no rewrites; the graph was optimized
            already.
        ModelError: The model is malformed, or beyond what can be compiled.
    """
    settings = CompileSettings.of(
        target, to_level, disabled_pass=disabled_pass, enabled_pass=enabled_pass, shapes=shapes,
        dims=dims, limits=limits, precision=precision,
    )  # fmt: skip
    selection = settings.selection
    name = None if around is None else resolve_pass(around)
    if name is None and level_of(from_level) >= selection.level:
        raise ConfigurationError(
            f"expected the first level below the last, found {from_level} and {to_level}"
        )
    if is_graph_file(model):
        raise ConfigurationError("this graph was optimized already: compare the ONNX model's")
    runs = list[PassRun]()
    with COMPILING:
        progress("import")
        imported = import_model(model, shapes=shapes, dims=dims, limits=settings.limits)

        def to(chosen: Selection, watch: Callable[[PassRun], None]) -> Optimized:
            watching = [Watch(watch)]
            return optimize(
                imported.module, chosen, progress, target=settings.target, instruments=watching
            )

        last = to(selection, runs.append)
        words = Path(model).name if isinstance(model, str | os.PathLike) else "the model"
        if name is not None:
            return _around(name, words, runs, last.report)
        first_runs = list[PassRun]()
        first = to(_below(selection, level_of(from_level)), first_runs.append)
        stages = {"operators": _operators(first, last, first_runs, runs)}
        if not any(map(_is_on_kernels, first_runs)):
            stages |= _kernels([*filter(_is_on_kernels, runs)])
    start, end = f"level {first.report.level}", f"level {last.report.level}"
    return GraphDiff(words, start, end, stages, last.report)


def _operators(
    first: Optimized, last: Optimized, first_runs: Sequence[PassRun], runs: Sequence[PassRun]
) -> GraphComparison:
    done = [run for run in runs if not _is_on_kernels(run)]
    rewrites = list(_rewrites(done))
    for rewrite in _rewrites(first_runs):  # what happened on the way to the first state, too
        if rewrite in rewrites:
            rewrites.remove(rewrite)
    compared = compare_graphs(graph_of(first.operators), graph_of(last.operators), rewrites)
    start, end = (f"level {state.report.level}" for state in (first, last))
    return replace(compared, start=start, end=end)


def _kernels(runs: Sequence[PassRun]) -> dict[str, GraphComparison]:
    """Compare each operator's kernel with what the passes on kernels made of them."""
    if not runs:
        return {}
    states = graph_of(runs[0].before), graph_of(runs[-1].after)
    before, after = (run.invocation.name for run in (runs[0], runs[-1]))
    compared = compare_graphs(*states, _rewrites(runs))
    start, end = f"as lowered, before {before}", f"after {after}"
    return {"kernels": replace(compared, start=start, end=end)}


def _around(
    name: str, model: str, runs: Sequence[PassRun], report: OptimizationReport
) -> GraphDiff:
    status = report[name].status if any(p.name == name for p in report.passes) else "not there"
    if status != "ran":
        raise ConfigurationError(
            f"expected a pass that runs at level {report.level}, found {name}, which is {status}"
        )
    its = [run for run in runs if run.invocation.name == name]
    what = "kernels" if any(map(_is_on_kernels, its)) else "operators"
    fired = [run for run in its if run.invocation.fired]
    if not fired and any(graph_of(run.before) != graph_of(run.after) for run in its):
        raise ConfigurationError(
            f"expected a pass that reports its rewrites, found {name}, which works on the whole "
            "graph at once, so that nothing before it is matched with something after it: compare "
            "levels (--from and --to), or take one that `tvmfuse explain` says has fired"
        )
    stages = {
        f"{what}, run {number}" if len(fired) > 1 else what: _around_run(run)
        for number, run in enumerate(fired, 1)
    }
    alone = replace(report, passes=(report[name],))
    return GraphDiff(model, f"just before {name}", f"just after {name}", stages, alone)


def _around_run(run: PassRun) -> GraphComparison:
    compared = compare_graphs(graph_of(run.before), graph_of(run.after), _rewrites([run]))
    start, end = (f"just {side} {run.invocation.name}" for side in ("before", "after"))
    return replace(compared, start=start, end=end)


def _rewrites(runs: Sequence[PassRun]) -> Rewrites:
    return [(run.invocation.name, nodes) for run in runs for nodes in run.invocation.fired]


def _is_on_kernels(run: PassRun) -> bool:
    return run.invocation.phase == "kernels"


def _below(selection: Selection, level: Level) -> Selection:
    """Return the selection at a lower level, without what is enabled: that is for the way up."""
    return replace(selection, level=level, enabled=frozenset())
