"""The stages after the import, each for itself: `api.compile` has them in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvm import IRModule
from tvm.target import Target

from tvmfuse.build import linker
from tvmfuse.build.artifact import Artifact
from tvmfuse.build.assemble import build
from tvmfuse.build.kernels.cache import KernelCache
from tvmfuse.build.kernels.compile import compile_kernels
from tvmfuse.build.kernels.work import work_of_launches
from tvmfuse.build.loops import check_loops
from tvmfuse.build.sharing import with_sharing
from tvmfuse.errors import ArtifactError
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.ir.kernels import launches
from tvmfuse.ir.provenance import nodes_of, values_of
from tvmfuse.levels import name_of
from tvmfuse.manifest import Kernel, Manifest, Work
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.container import Graph
from tvmfuse.pipeline.optimize import Optimized
from tvmfuse.pipeline.specialize import with_sizes
from tvmfuse.progress import Progress
from tvmfuse.schedules.plan_json import to_json
from tvmfuse.schedules.schedule import ScheduleReport, schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.schedules.steps import in_order
from tvmfuse.schedules.views import viewed
from tvmfuse.size_ranges import NamedSizes
from tvmfuse.target.resolve import processor


def graph_of(
    imported: ImportedModel, optimized: Optimized, selection: Selection, target: Target
) -> Graph:
    """Put together what the import and the passes know of a model."""
    laid_out = any(p.fired for p in optimized.report.passes if p.tier == "layout")
    optional = {entry.name for _, entry in selection.entries()}
    ran = [p.name for p in optimized.report.passes if p.status == "ran" and p.name in optional]
    return Graph(
        kernels=optimized.kernels,
        inputs=imported.inputs,
        outputs=imported.outputs,
        overridable=imported.overridable,
        defaults=imported.defaults,
        opset=imported.opset,
        metadata=imported.metadata,
        level=name_of(selection.level),
        passes_ran=tuple(ran),
        passes_disabled=tuple(sorted(selection.disabled)),
        report=optimized.report,
        target=str(target) if laid_out else None,
    )


def built(
    graph: Graph,
    target: Target,
    cache: KernelCache | None,
    progress: Progress,
    settings: ScheduleSettings,
    *,
    direct: bool = False,
    specialize: Sequence[NamedSizes] = (),
) -> Artifact:
    """Compile the kernels of an optimized graph, and link them.

    Args:
        graph: The graph.
        target: As `targets.resolve` returns it.
        cache: Of kernels.
        progress: Called with the name of each stage.
        settings: How kernels are scheduled.
        direct: See `assemble.build`.
        specialize: Sizes that kernels get code of their own for.

    Raises:
        ConfigurationError: A plan does not fit its kernel, or there is no such kernel.
        CompilationError: A schedule failed, or TVM refuses the module: a defect of tvmfuse. Or it
            holds a loop, and the target is a GPU.
    """
    check_loops(graph.kernels, target)
    on_cpu, off = target.kind.name == "llvm", settings.disabled_steps
    kernels = viewed(graph.kernels) if on_cpu else graph.kernels
    works, shared = work_of_launches(kernels), dict[str, str]()
    if on_cpu:
        if "CachesInPlace" not in off:
            kernels, places = with_sharing(kernels, len(graph.inputs))
            shared = {graph.outputs[o].name: graph.inputs[i].name for o, i in places.items()}
        kernels = with_sizes(kernels, graph.inputs, specialize)
    reuse = "MemoryReuse" not in off
    if on_cpu and linker.installed(processor(target)):
        compiled = compile_kernels(kernels, target, cache, progress, settings)
        progress("link")
        manifest = _manifest(graph, kernels, works, compiled.report, settings, shared, specialize)
        try:
            return build(
                compiled.module, target, manifest, graph.report, graph.defaults, compiled.code,
                cache=cache, direct=direct, reuse=reuse,
            )  # fmt: skip
        except ArtifactError:  # The disk is full, say: TVM links in memory, kernels of its own.
            pass
    progress("schedule")
    scheduled = schedule(kernels, target, settings)
    progress("build")
    manifest = _manifest(graph, kernels, works, scheduled.report, settings, shared, specialize)
    return build(
        scheduled.module, target, manifest, graph.report, graph.defaults, direct=direct, reuse=reuse
    )


def _manifest(
    graph: Graph,
    module: IRModule,
    works: Sequence[Work | None],
    report: ScheduleReport,
    settings: ScheduleSettings,
    shared: Mapping[str, str],
    specialize: Sequence[NamedSizes],
) -> Manifest:
    return Manifest(
        name=graph.metadata.get("graph_name", "model"),
        inputs=graph.inputs,
        outputs=graph.outputs,
        overridable=graph.overridable,
        level=graph.level,
        passes_ran=graph.passes_ran,
        passes_disabled=graph.passes_disabled,
        steps_disabled=in_order(settings.disabled_steps),
        kernels=tuple(
            Kernel(
                symbol := callee.name_hint,
                nodes_of(call),
                report.schedule_of(symbol),
                work,
                to_json(report.plan_of(symbol)),
                report.keys.get(symbol, ""),
                values_of(call),
            )
            for (call, callee, _), work in zip(launches(module), works, strict=True)
        ),
        specialized=tuple(specialize),
        shared=shared,
        opset=graph.opset,
        metadata=graph.metadata,
    )
