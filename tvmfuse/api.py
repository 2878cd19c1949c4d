"""What a caller of Python sees first: `tvmfuse.compile` and `tvmfuse.explain`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from tvm.target import Target

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.kernels.cache import Cache
from tvmfuse.build.several import for_several_targets
from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.limits import Limits
from tvmfuse.names import Names, listed
from tvmfuse.pipeline import container
from tvmfuse.pipeline.compile import Model, build_model, optimize_model
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.partition import compile_parts, explain_parts
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import GivenModel, source_of
from tvmfuse.pipeline.targets import Given, most_demanding_first
from tvmfuse.progress import Progress, silent, within
from tvmfuse.report import OptimizationReport
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.schedule import plans_of
from tvmfuse.schedules.steps import in_order
from tvmfuse.size_ranges import GivenShapes, GivenSizes, NamedSizes


def compile(
    model: GivenModel,
    target: Given | Sequence[Given] = "llvm",
    level: str | int = "all",
    *,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    live_weights: bool = False,
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    only_pass: Names = (),
    passes: Names = (),
    disabled_step: Names = (),
    plans: Mapping[str, Any] | None = None,
    database: str | os.PathLike[str] | Literal[False] | None = None,
    shapes: GivenShapes | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    map_weights: bool = False,
    save_optimized: str | os.PathLike[str] | None = None,
    cache: Cache = True,
    verify: bool = False,
    strict: bool = False,
    fallback: str | None = None,
    precision: str = "f32",
    specialize: NamedSizes | Sequence[NamedSizes] | None = None,
    calibration: bool = True,
    dump_ir: str | os.PathLike[str] | None = None,
    progress: Progress = silent,
) -> Artifact:
    """Compile a model for a target. Of several threads, one at a time compiles.

    Args:
        model: An ONNX model: a path, the file's bytes, a ``ModelProto``; or a file that
            `save_optimized` wrote, which is taken as it is, without a pass: what would change it is
            refused. Or a PyTorch module, or what `torch.export.export` made of one.
        target: ``llvm`` (this machine), ``avx2``, ``avx512``, ``cuda``, an LLVM microarchitecture,
            a TVM target. Or several for the CPU, ``["avx2", "avx512"]``: the artifact and its file
            have kernels for each, and a machine takes those of the most demanding target that it
            runs, the one that needs the most CPU features. The artifact's report, its kernels and
            its `target` are those of the most demanding of all.
        level: ``none``, ``basic``, ``extended``, ``layout`` or ``all``, or ONNX Runtime's number.
        example_inputs: What a PyTorch module is called with: its positional arguments, or a mapping
            of arguments by name. Sizes become fixed where `dynamic_shapes` says nothing else.
        dynamic_shapes: Which sizes of them are symbolic, as `torch.export.export` takes it.
        live_weights: Whether a PyTorch module's parameters and buffers may change later: what no
            pass changes is read where it lies, and `Artifact.live_weights` follows the rest. For
            the CPU, and in this process: a file has the weights as they are when it is saved.
        disabled_pass: Names or aliases of passes that do not run.
        enabled_pass: Names of passes that are off by default, and run.
        only_pass: Names of the passes that run, and no other, of whatever tier; the level is
            `none`. `FuseOps` takes `FuseTIR` with it to show in the kernels.
        passes: Passes of your own that run, too: each an instance, a class derived from
            `tvmfuse.passes.RewriteRule` or `GraphPass`, or the place of that,
            ``"my_package.module:MyRule"``. From then on their names mean them wherever passes have
            names. `enabled_pass` takes them as well, here and elsewhere.
        disabled_step: Names or aliases of steps that no kernel takes; `tvmfuse passes --steps`
            lists them. A step that a pass of the graph does means that pass.
        plans: How kernels shall run, by their names or keys (`Kernel.plan` and `Kernel.key` of a
            manifest have both): the others run as their schedules plan it.
        database: The folder of plans that `tune` kept: kernels that have one there, of this target
            and version, follow it. None: the folder that ``TVMFUSE_DATABASE`` names, if it is set;
            False: none.
        shapes: A shape for an input, by its name; its sizes are as those in `dims`. For a sequence,
            a list with the shape of each element, None for one that is as the model says: they are
            inputs ``x[0]``, ``x[1]`` and so on, as those of a sequence that is returned are
            outputs. An optional input without a shape, None, is absent.
        dims: A size for a symbolic dimension, by its name, or a range of sizes: ``(1, 64)``, both
            included, ``(1, None)`` without a largest. The others stay symbolic, of any size.
        limits: How much the model may ask for, where that is not `tvmfuse.Limits()`: such, or a
            mapping of those that are set.
        map_weights: Whether large weights in files beside the model stay there, mapped, and take no
            memory that the system cannot have back. It is for files that nobody changes as long as
            the artifact lives, or what is loaded from it here: one that is written over changes the
            weights, and one that becomes shorter ends the process. A model in parts reads them.
        save_optimized: Where to write the optimized graph.
        cache: Whether to keep the CPU's compiled kernels for the next time, and to take those that
            are kept: in the user's cache folder, or in the folder named. Or the URL of a cache that
            machines share, or a `SharedCache`, which the user's is read and written with.
        verify: Whether to compare every level with `none` on random inputs, and to compile without
            the passes that change the numbers; the report's notes and a `WrongPassWarning` name
            each. Takes several compilations.
        strict: Whether a pass or schedule that fails on the model ends the compilation. Else it is
            left out, and a `LeftOutWarning` names it.
        fallback: "onnxruntime" where it shall compute the nodes that cannot be compiled; the
            artifact is the same where there are none, or only such of strings and maps, which are
            computed here. Else the model is compiled in parts, a `FallbackWarning` says how many
            nodes go over, and `Artifact.report.handed_over` which, and why; `save` writes a bundle.
            Takes the extra `ort`.
        precision: "bf16" where products with constant weights shall be of bfloat16, summed in
            float32, on a CPU that has an instruction for it: twice as fast, and outputs keep two
            or three decimal digits. "f16" where constant weights of products shall be stored in
            float16: half the memory, twice the speed of one row times matrices, and outputs keep
            about three digits. Inputs and outputs stay as they are. "f32" is the model's own.
        specialize: Sizes of symbolic dimensions, by their names, that are the usual ones, or a list
            of such: ``[{"batch": 1}, {"batch": 8}]``. The artifact takes all sizes as before; at
            these its kernels run as those of an artifact compiled with `dims`. Each takes no longer
            to compile than that. For the CPU.
        calibration: Whether ``llvm``, on a CPU that tvmfuse has no facts of, measures it: once, for
            at most 2 s, and beside `cache`'s kernels it is kept. Else the CPU is taken for the
            smallest with its vectors.
        dump_ir: A new folder for the module as it was imported, and as each pass left it that
            changed it, in TVMScript: ``007-extended-AttentionFusion.py``. Constants of more than 64
            elements are declared with their shape and dtype. Each module is checked, too: a pass
            that leaves one that is not well-formed is named.
        progress: Called with the name of each stage, pass and kernel before it runs; a
            `progress.Step` where it is known how much is done.

    Returns:
        The compiled model: `save` it, or `load` it here.

    Raises:
        ConfigurationError: A target, level, pass, step, kernel, input, dimension or precision does
            not exist, or is not for the target; or a plan does not fit its kernel; or an optimized
            graph is asked to be another one; or onnxruntime is asked for and not installed. Or of
            several targets, one is not for the CPU or would never be taken.
        ModelError: The model is malformed, beyond what can be compiled, or asks for more than the
            limits admit.
        OutOfMemoryError: This machine's memory ran out.
        CompilationError: A pass or schedule failed, a defect of tvmfuse, and there is no way
            without it, or `strict` or `dump_ir` is set.
        ArtifactError: The optimized graph cannot be read or written; or `dump_ir` is a file, is not
            empty, or cannot be written.
    """
    targets = most_demanding_first(target)
    several = len(targets) > 1
    reports = [within(str(t), progress) if several else progress for t in targets]
    enabled = [*listed(enabled_pass), *listed(passes)]
    chosen = [
        CompileSettings.of(
            target, level, disabled_pass=disabled_pass, enabled_pass=enabled,
            only_pass=only_pass, shapes=shapes, dims=dims, cache=cache,
            disabled_step=disabled_step, plans=plans, limits=limits, strict=strict,
            map_weights=map_weights, fallback=fallback, precision=precision,
            specialize=specialize, database=database, calibration=calibration, progress=report,
        )
        for target, report in zip(targets, reports, strict=True)
    ]  # fmt: skip
    source = source_of(model, example_inputs, dynamic_shapes)
    if fallback is not None and isinstance(source, TorchProgram):
        raise ConfigurationError(
            f"fallback={fallback!r} is for ONNX models, and found a PyTorch module"
        )
    wanted = {"save_optimized": save_optimized, "dump_ir": dump_ir}
    if several:
        _check_alone({"live_weights": live_weights, **wanted})
    if live_weights:
        source = _live(source, chosen[0])
    with COMPILING:
        made = (
            _compiled(source, settings, report, wanted, verify=verify)
            for settings, report in zip(chosen, reports, strict=True)
        )
        return for_several_targets(made) if several else next(made)


def _check_alone(wanted: Mapping[str, object]) -> None:
    if asked := [f"{name}=" for name, given in wanted.items() if given]:
        raise ConfigurationError(
            f"{' and '.join(asked)}: for one target, and there are several; name one"
        )


def _compiled(
    source: Model,
    settings: CompileSettings,
    progress: Progress,
    wanted: Mapping[str, str | os.PathLike[str] | None],
    *,
    verify: bool,
) -> Artifact:
    """Compile a model for one target, as a whole or else in parts; see `compile`."""
    try:
        return _whole(source, settings, progress, **wanted, verify=verify)
    except UnsupportedModelError as error:
        if isinstance(source, TorchProgram):
            raise
        whole = {"verify": verify, **wanted}
        return compile_parts(source, settings, error, progress, wanted=whole)


def _live(source: Model, settings: CompileSettings) -> TorchProgram:
    if not isinstance(source, TorchProgram):
        raise ConfigurationError("live_weights= is for PyTorch modules, and found an ONNX model")
    if settings.target.kind.name != "llvm":
        raise ConfigurationError(f"live_weights= is for the CPU, and found {settings.target}")
    return replace(source, live=True)


def _whole(
    model: Model,
    settings: CompileSettings,
    progress: Progress,
    *,
    save_optimized: str | os.PathLike[str] | None,
    dump_ir: str | os.PathLike[str] | None,
    verify: bool,
) -> Artifact:
    """Compile a model as one library; the arguments and errors are those of `compile`."""
    if verify:
        from tvmfuse.verify import verified  # which measures; most compilations do not

        settings, noted = verified(model, settings, progress)
    graph, artifact = build_model(model, settings, progress, dump_ir=dump_ir)
    if verify:
        graph = replace(graph, report=noted(graph.report))
        artifact = replace(artifact, report=noted(artifact.report))
    if save_optimized is not None:
        container.write(graph, save_optimized)
    return artifact


def explain(
    model: GivenModel,
    level: str | int = "all",
    *,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    target: str | Target = "llvm",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    shapes: GivenShapes | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    disabled_step: Names = (),
    strict: bool = False,
    fallback: str | None = None,
    precision: str = "f32",
    calibration: bool = True,
    dump_ir: str | os.PathLike[str] | None = None,
    progress: Progress = silent,
) -> OptimizationReport:
    """Optimize a model and say what each pass did; no kernel is compiled.

    The arguments and errors are those of `compile`. Of an optimized graph it says what the passes
    did when it was optimized.
    """
    settings = CompileSettings.of(
        target, level, disabled_pass=disabled_pass, enabled_pass=enabled_pass, shapes=shapes,
        dims=dims, disabled_step=disabled_step, limits=limits,
        strict=strict, fallback=fallback, precision=precision, calibration=calibration,
        progress=progress,
    )  # fmt: skip
    source = source_of(model, example_inputs, dynamic_shapes)
    try:
        report = optimize_model(source, settings, progress, dump_ir=dump_ir).report
    except UnsupportedModelError as error:
        if isinstance(source, TorchProgram):
            raise
        report = explain_parts(source, settings, error, progress, wanted={"dump_ir": dump_ir})
    return replace(report, steps_disabled=in_order(settings.schedules.disabled_steps))


def plan_kernels(
    model: GivenModel,
    level: str | int = "all",
    *,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    target: str | Target = "llvm",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    shapes: GivenShapes | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    disabled_step: Names = (),
    strict: bool = False,
    precision: str = "f32",
    calibration: bool = True,
    progress: Progress = silent,
) -> dict[str, KernelPlan]:
    """Optimize a model and say how each of its kernels is going to run; none is compiled.

    The arguments and errors are those of `compile`, whose `plans` take what this returns, changed
    as a tuner likes.
    """
    settings = CompileSettings.of(
        target, level, disabled_pass=disabled_pass, enabled_pass=enabled_pass, shapes=shapes,
        dims=dims, disabled_step=disabled_step, limits=limits, strict=strict, precision=precision,
        calibration=calibration, progress=progress,
    )  # fmt: skip
    source = source_of(model, example_inputs, dynamic_shapes)
    with COMPILING:
        kernels = optimize_model(source, settings, progress).kernels
        return plans_of(kernels, settings.target, settings.schedules)
