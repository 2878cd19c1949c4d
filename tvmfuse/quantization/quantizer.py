"""A model in float32, and what onnxruntime's quantizer makes of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from tvmfuse.errors import ArtifactError, UnsupportedModelError
from tvmfuse.progress import Progress, silent
from tvmfuse.quantization.admission import is_quantized, only_used_domains
from tvmfuse.quantization.apart import do, working_folder
from tvmfuse.quantization.job import Job
from tvmfuse.quantization.samples import Samples
from tvmfuse.quantization.settings import QuantizeSettings


@dataclass(frozen=True, eq=False)
class Pair:
    """A model before and after quantization.

    Attributes:
        prepared: In float32, with constants and BatchNormalization folded: what was quantized.
        quantized: The same in integers.
        settings: How it was quantized.
        ranges: Of the activations, as onnxruntime writes them; empty where it does not.
    """

    prepared: onnx.ModelProto
    quantized: onnx.ModelProto
    settings: QuantizeSettings
    ranges: bytes


def quantized_by_onnxruntime(
    model: onnx.ModelProto, settings: QuantizeSettings, samples: Samples, progress: Progress
) -> Pair:
    """Prepare a model and quantize it; reads the samples.

    Raises:
        ConfigurationError: A node to exclude does not exist.
        UnsupportedModelError: The quantizer fails on the model, or finds nothing to do.
        InputError: A sample does not fit the model.
        ArtifactError: There is no folder of temporary files, or it is full.
        OutOfMemoryError: Memory ran out.
    """
    with working_folder() as folder:
        job = Job(folder, settings, prepare=True)
        _save(model, job.given)
        quantized, ranges = _quantized(job, samples, progress)
        prepared = onnx.load(job.prepared)
    if settings.mode == "dynamic":
        samples.keep()
    _check_scales(quantized.graph)
    return Pair(prepared, quantized, settings, ranges)


def quantized_without(pair: Pair, nodes: Collection[str], samples: Samples) -> onnx.ModelProto:
    """Quantize a model once more, with further nodes in float32 and the same ranges.

    Where onnxruntime did not write the ranges, they are those of the samples that were kept.

    Raises:
        UnsupportedModelError: Nothing is left to quantize.
        ArtifactError: There is no folder of temporary files, or it is full.
    """
    settings = replace(pair.settings, exclude=(*pair.settings.exclude, *nodes))
    with working_folder() as folder:
        job = Job(folder, settings, prepare=False)
        _save(pair.prepared, job.prepared)
        if pair.ranges:
            job.ranges.write_bytes(pair.ranges)
        return _quantized(job, samples.replayed(), silent)[0]


def _save(model: onnx.ModelProto, place: Path) -> None:
    try:
        onnx.save(model, place)
    except OSError as error:
        raise ArtifactError(f"cannot keep the model in a temporary folder: {error}") from error


def _quantized(job: Job, samples: Samples, progress: Progress) -> tuple[onnx.ModelProto, bytes]:
    """Return what the quantizer makes of a model, and the ranges that it took."""
    try:
        do(job, samples, progress)
    except UnsupportedModelError as error:
        if samples.infinite:
            raise UnsupportedModelError(f"{error}; {samples.infinite}") from error
        raise
    quantized = onnx.load(job.quantized)
    if not any(is_quantized(node.op_type) for node in quantized.graph.node):
        raise UnsupportedModelError(
            "onnxruntime's quantizer left every node in float32: exclude fewer nodes or operators, "
            "or take another mode; dynamic takes products with constant weights only"
        )
    only_used_domains(quantized)
    return quantized, job.ranges.read_bytes() if job.ranges.exists() else b""


def _check_scales(graph: onnx.GraphProto) -> None:
    """Refuse ranges that are not finite: all numbers of such a tensor would become one.

    Raises:
        UnsupportedModelError: There is one; it names the nodes that make and read such tensors.
    """
    constants = {tensor.name: tensor for tensor in graph.initializer}
    producers = {name: node for node in graph.node for name in node.output}
    concerned: dict[str, None] = {}
    for node in graph.node:
        scale = constants.get(node.input[1]) if node.op_type == "DequantizeLinear" else None
        if scale is None or np.isfinite(numpy_helper.to_array(scale)).all():
            continue
        quantize = producers.get(node.input[0])
        made = producers.get(quantize.input[0]) if quantize is not None else None
        read = (n for n in graph.node if node.output[0] in n.input)
        concerned |= {n.name: None for n in (made, *read) if n and not is_quantized(n.op_type)}
    if concerned:
        raise UnsupportedModelError(
            f"on the calibration data, {len(concerned)} nodes make or read numbers that are not "
            f"finite, which have no range: leave them in float32, --exclude {','.join(concerned)}"
        )
