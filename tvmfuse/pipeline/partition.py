"""A model in parts: what of it is no numbers is computed by `tvmfuse.text`, which is ours.

What we can do in neither way is handed to another engine, where one is named, and said so.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from types import MappingProxyType
from typing import TypeAlias, TypeVar

import numpy as np
import onnx

from tvmfuse.build.artifact import RECORDED, Artifact
from tvmfuse.build.parts import ForeignModel, PartsCode
from tvmfuse.errors import (
    CompilationError,
    ConfigurationError,
    FallbackWarning,
    TooNewModelError,
    UnsupportedModelError,
)
from tvmfuse.frontend.onnx.partition.division import Group
from tvmfuse.frontend.onnx.partition.sub_model import pooled_weights, sub_model
from tvmfuse.frontend.onnx.partition.texts_in import has_texts
from tvmfuse.frontend.onnx.partition.value_types import names_in, spec_of_value
from tvmfuse.frontend.onnx.partition.whole import whole_model
from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.levels import name_of
from tvmfuse.manifest import OTHERS, OURS, TEXT, Kernel, Manifest, Part
from tvmfuse.pipeline.compile import build_model, compile_model, optimize_model
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.parting import Parted, Parting
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import Model, OnnxModel
from tvmfuse.pipeline.specialize import check_sizes, sizes_among
from tvmfuse.progress import Progress, silent
from tvmfuse.real_onnxruntime import is_installed
from tvmfuse.report import HandedOver, OptimizationReport, joined
from tvmfuse.runtime.foreign import package
from tvmfuse.runtime.partitioned import foreign_kernel, kernel_of_part
from tvmfuse.schedules.steps import in_order
from tvmfuse.tensor_spec import TensorSpec

Piece: TypeAlias = Artifact | ForeignModel
Made = TypeVar("Made")


def compile_or_part(
    model: Model, settings: CompileSettings, progress: Progress = silent
) -> Artifact:
    """Compile a model as a whole, or else in parts.

    The errors are those of `compile_model` and `compile_parts`.
    """
    with COMPILING:
        try:
            return compile_model(model, settings, progress)
        except UnsupportedModelError as error:
            if isinstance(model, TorchProgram):
                raise
            return compile_parts(model, settings, error, progress)


def compile_parts(
    model: OnnxModel,
    settings: CompileSettings,
    error: UnsupportedModelError,
    progress: Progress = silent,
    *,
    wanted: Mapping[str, object] = MappingProxyType({}),
) -> Artifact:
    """Compile a model in parts; strings and maps are ours, and the rest goes to the fallback.

    Args:
        model: The ONNX model.
        settings: How its parts are compiled.
        error: Why it is not compiled as a whole.
        progress: Called with each step.
        wanted: What is asked for of a model that is compiled as a whole, by name; what is false
            is not asked for.

    Raises:
        UnsupportedModelError: It has nodes that are beyond us, and no fallback is named; or the
            fallback does not take what is left to it.
        ConfigurationError: Something is asked for that a model in parts has not.
        CompilationError: A pass or schedule failed, and `strict` is set.
        TvmfuseError: What `compile_model` raises.
    """
    wanted = {**wanted, "plans": settings.schedules.plans}
    return _parted(model, settings, error, wanted, progress, _Partition.artifact)


def explain_parts(
    model: OnnxModel,
    settings: CompileSettings,
    error: UnsupportedModelError,
    progress: Progress = silent,
    *,
    wanted: Mapping[str, object] = MappingProxyType({}),
) -> OptimizationReport:
    """Optimize the parts of a model that can be compiled, and say what goes to the fallback.

    The arguments and errors are those of `compile_parts`.
    """
    return _parted(model, settings, error, wanted, progress, _Partition.report)


def _parted(
    model: OnnxModel,
    settings: CompileSettings,
    error: UnsupportedModelError,
    wanted: Mapping[str, object],
    progress: Progress,
    made: Callable[[_Partition], Made],
) -> Made:
    """Return what is made of a model in parts; first all that are not compiled are ours."""
    left = error
    with COMPILING:
        if not isinstance(error, TooNewModelError) and has_texts(model):
            try:
                partition = _Partition(model, settings, progress, TEXT)
                if any(wanted.values()):
                    partition.check()
                    _check_asked(error, wanted)
                return made(partition)
            except UnsupportedModelError as found:
                left = found
        if settings.fallback is None and isinstance(error, TooNewModelError):
            raise error
        if settings.fallback is None:
            raise UnsupportedModelError(f"{left}\n{_advice()}", left.nodes) from left
        _check_asked(error, wanted)
        return made(_Partition(model, settings, progress, settings.fallback))


def _check_asked(error: UnsupportedModelError, wanted: Mapping[str, object]) -> None:
    if asked := [name for name, given in wanted.items() if given]:
        raise ConfigurationError(
            f"{', '.join(asked)}: a model in parts takes none, so leave that out; in parts it is "
            f"compiled because {error}"
        ) from error


def _advice() -> str:
    """Say what else there is to do with a model that is not compiled."""
    ways = 'fallback="onnxruntime", or tvmfuse compile --fallback onnxruntime'
    advice = f"onnxruntime may compute that: {ways}"
    return advice if is_installed() else f"{advice}, after python -m pip install 'tvmfuse[ort]'"


@dataclass(frozen=True)
class _Done:
    """What became of the parts: the pieces, what is said of them, and reports on ours."""

    parted: Parted
    pieces: Sequence[Piece]
    reports: Sequence[OptimizationReport]


class _Partition:
    """One model on its way to an artifact."""

    def __init__(
        self, model: OnnxModel, settings: CompileSettings, progress: Progress, engine: str
    ) -> None:
        self._whole = whole_model(
            model, shapes=settings.shapes, dims=settings.dims, limits=settings.limits
        )
        check_sizes(self._whole.inputs, settings.specialize)
        self._settings = replace(settings, shapes=None, dims=None)
        self._progress = progress
        self._engine = engine
        self._parting = Parting(self._whole, settings.limits, progress, engine)
        self._built: dict[object, tuple[Artifact, OptimizationReport]] = {}

    def check(self) -> None:
        """Find the parts.

        Raises:
            UnsupportedModelError: The engine does not take what is left to it.
        """
        self._parting.found()

    def artifact(self) -> Artifact:
        done = self._done()
        parts = [self._part(group, done.parted) for group in done.parted.groups]
        weights = pooled_weights(self._whole, done.parted.groups)
        manifest = self._manifest(done, parts)
        report = self._joined(done.reports, parts)
        if manifest.handed_over:
            _warn(manifest)
        launches = tuple(launch for piece in done.pieces for launch in _launches(piece))
        return Artifact(manifest, report, launches, PartsCode(done.pieces, _contiguous(weights)))

    def report(self) -> OptimizationReport:
        parted = self._parting.found()
        reports = [
            optimize_model(
                self._model(parted, number), self._bounded(parted, group), self._progress
            ).report
            for number, group in enumerate(parted.groups)
            if group.ours
        ]
        return self._joined(reports, [self._part(group, parted) for group in parted.groups])

    def _done(self) -> _Done:
        """Build all parts; what fails then goes over, too, unless that is an error."""
        give_back, marked = True, dict[str, str]()
        while True:
            try:
                return self._pieces(self._parting.found(marked, give_back=give_back))
            except _PartFailedError as failed:
                marked |= failed.nodes
            except UnsupportedModelError:
                # Of what was given back some may be what onnxruntime has no kernel for.
                if not give_back:
                    raise
                give_back = False

    def _pieces(self, parted: Parted) -> _Done:
        pieces: list[Piece] = []
        reports: list[OptimizationReport] = []
        for number, group in enumerate(parted.groups):
            if group.ours:
                artifact, report = self._compiled(parted, number)
                pieces.append(artifact)
                reports.append(report)
            else:
                self._parting.foreign(parted, number)  # which raises where it is not taken
                content = self._model(parted, number).SerializeToString()
                weights = tuple(pooled_weights(self._whole, [group]))
                pieces.append(ForeignModel(content, weights))
        return _Done(parted, pieces, reports)

    def _compiled(self, parted: Parted, number: int) -> tuple[Artifact, OptimizationReport]:
        group = parted.groups[number]
        key = group, tuple(parted.types[name].SerializeToString() for name in group.inputs)
        if key not in self._built:
            try:
                graph, artifact = build_model(
                    self._model(parted, number), self._bounded(parted, group), self._progress
                )
            except CompilationError as error:
                if self._settings.strict or self._engine == TEXT:
                    raise
                raise _PartFailedError(self._parting.blamed(error, group.nodes)) from error
            self._built[key] = artifact, graph.report
        return self._built[key]

    def _model(self, parted: Parted, number: int) -> onnx.ModelProto:
        return sub_model(self._whole, parted.groups[number], parted.types, number)

    def _bounded(self, parted: Parted, group: Group) -> CompileSettings:
        bounds = self._whole.bounds(group.inputs, parted.types)
        named = names_in(parted.types[name] for name in group.inputs)
        own = sizes_among(named, self._settings.specialize)
        return replace(self._settings, dims=bounds, specialize=own)

    def _part(self, group: Group, parted: Parted) -> Part:
        engine = OURS if group.ours else self._engine
        nodes = (self._whole.node(name, parted.marked.get(name, "")) for name in group.nodes)
        return Part(engine, tuple(nodes), group.inputs, group.outputs)

    def _joined(
        self, reports: Sequence[OptimizationReport], parts: Sequence[Part]
    ) -> OptimizationReport:
        handed = [
            HandedOver(node.name, node.operator, node.why, part.engine)
            for part in parts
            if part.engine in OTHERS
            for node in part.nodes
        ]
        return joined(name_of(self._settings.selection.level), reports, handed)

    def _manifest(self, done: _Done, parts: Sequence[Part]) -> Manifest:
        ours = [piece.manifest for piece in done.pieces if isinstance(piece, Artifact)]
        specs = {spec.name: spec for manifest in ours for spec in manifest.outputs}
        first = ours[0] if ours else Manifest("", (), (), target=str(self._settings.target))
        engines = {} if self._engine == TEXT else {"onnxruntime": str(package().__version__)}
        outputs = self._whole.graph.outputs
        return Manifest(
            name=self._whole.proto.graph.name or "model",
            inputs=self._whole.inputs,
            outputs=tuple(self._output(name, specs, done.parted) for name in outputs),
            level=name_of(self._settings.selection.level),
            passes_ran=tuple(dict.fromkeys(name for m in ours for name in m.passes_ran)),
            passes_disabled=tuple(sorted(self._settings.selection.disabled)),
            steps_disabled=in_order(self._settings.schedules.disabled_steps),
            specialized=self._settings.specialize,
            kernels=tuple(_kernels(done.pieces, parts)),
            opset=self._whole.opset,
            metadata=self._whole.metadata,
            target=first.target,
            machine=first.machine,
            calibration=first.calibration,
            cpu_features=first.cpu_features,
            versions={name: version(name) for name in RECORDED} | engines,
            parts=tuple(parts),
        )

    def _output(self, name: str, specs: Mapping[str, TensorSpec], parted: Parted) -> TensorSpec:
        return specs[name] if name in specs else spec_of_value(name, parted.types[name])


class _PartFailedError(Exception):
    """A part cannot be compiled, for a defect of ours."""

    def __init__(self, nodes: Mapping[str, str]) -> None:
        super().__init__(nodes)
        self.nodes = nodes


def _kernels(pieces: Sequence[Piece], parts: Sequence[Part]) -> list[Kernel]:
    kernels: list[Kernel] = []
    for number, (piece, part) in enumerate(zip(pieces, parts, strict=True)):
        if isinstance(piece, Artifact):
            kernels += [kernel_of_part(number, kernel) for kernel in piece.manifest.kernels]
        else:
            kernels.append(foreign_kernel(number, part))
    return kernels


def _launches(piece: Piece) -> tuple[str, ...]:
    if isinstance(piece, Artifact):
        return piece.launches
    return (hashlib.sha256(piece.content).hexdigest(),)


def _contiguous(weights: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: np.ascontiguousarray(w).reshape(w.shape) for name, w in weights.items()}


def _warn(manifest: Manifest) -> None:
    warnings.warn(manifest.fallback_words, FallbackWarning, stacklevel=5)
