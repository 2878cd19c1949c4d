"""onnxruntime's quantizer, called as its documentation recommends."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import numpy_helper, version_converter

from tvmfuse.errors import (
    ArtifactError,
    ConfigurationError,
    TvmfuseError,
    UnsupportedModelError,
    closest,
    first_line,
)
from tvmfuse.measure.onnxruntime_session import package
from tvmfuse.progress import Progress
from tvmfuse.quantization.admission import is_quantized, only_used_domains
from tvmfuse.quantization.apart import apart
from tvmfuse.quantization.samples import Samples
from tvmfuse.quantization.settings import OPERATORS, QuantizeSettings

RENAMED: Final = ("_MatMul", "/MatMulAddFusion")
"""What a Gemm's MatMul, and a MatMul that became a Gemm with its Add, have behind their names."""
PER_CHANNEL: Final = 13
"""The first operator set in which a scale has an axis."""


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
        ConfigurationError: onnxruntime is not installed, or a node to exclude does not exist.
        UnsupportedModelError: The quantizer fails on the model, or finds nothing to do.
        InputError: A sample does not fit the model.
        ArtifactError: The folder of temporary files is full.
    """
    with apart(package()) as folder:
        progress("prepare")
        with _in_words("prepare"):
            prepared = _prepared(_new_enough(model, settings), folder)
            if settings.mode == "dynamic":
                prepared = _gemms_apart(prepared)
            _with_own_names(prepared.graph, {node.name for node in model.graph.node})
        _check_excluded(settings.exclude, model, prepared)
        progress("quantize")
        quantized, ranges = _quantized(prepared, settings, samples, b"", folder)
        if settings.mode == "dynamic":
            samples.keep()
    _check_scales(quantized.graph)
    return Pair(prepared, quantized, settings, ranges)


def quantized_without(pair: Pair, nodes: Collection[str], samples: Samples) -> onnx.ModelProto:
    """Quantize a model once more, with further nodes in float32 and the same ranges.

    Where onnxruntime did not write the ranges, they are those of the samples that were kept.

    Raises:
        UnsupportedModelError: Nothing is left to quantize.
    """
    settings = replace(pair.settings, exclude=(*pair.settings.exclude, *nodes))
    with apart(package()) as folder:
        return _quantized(pair.prepared, settings, samples.replayed(), pair.ranges, folder)[0]


def _quantized(
    prepared: onnx.ModelProto,
    settings: QuantizeSettings,
    samples: Samples,
    ranges: bytes,
    folder: Path,
) -> tuple[onnx.ModelProto, bytes]:
    """Return what the quantizer makes of a model, and the ranges that it took."""
    source, target, kept = (folder / name for name in ("prepared.onnx", "int8.onnx", "ranges.json"))
    with _in_words("quantize", samples):
        onnx.save(prepared, source)
        if ranges:
            kept.write_bytes(ranges)
        if settings.mode == "dynamic":
            _quantize_dynamically(source, target, settings)
        else:
            _quantize_statically(source, target, settings, samples, kept)
    quantized = onnx.load(target)
    if not any(is_quantized(node.op_type) for node in quantized.graph.node):
        raise UnsupportedModelError(
            "onnxruntime's quantizer left every node in float32: exclude fewer nodes or operators, "
            "or take another mode; dynamic takes products with constant weights only"
        )
    only_used_domains(quantized)
    return quantized, kept.read_bytes() if kept.exists() else b""


@contextmanager
def _in_words(what: str, samples: Samples | None = None) -> Iterator[None]:
    """Make what the quantizer raises, which may be anything, an error of ours."""
    try:
        yield
    except (TvmfuseError, MemoryError):
        raise
    except OSError as error:
        raise ArtifactError(f"cannot {what} in a temporary folder: {error}") from error
    except Exception as error:
        why = f"{type(error).__name__}: {first_line(error)}"
        if samples is not None and samples.infinite:
            why += f"; {samples.infinite}"
        raise UnsupportedModelError(f"onnxruntime cannot {what} this model: {why}") from error


def _new_enough(model: onnx.ModelProto, settings: QuantizeSettings) -> onnx.ModelProto:
    version = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    if not settings.per_channel or version >= PER_CHANNEL:
        return model
    return version_converter.convert_version(model, PER_CHANNEL)


def _prepared(model: onnx.ModelProto, folder: Path) -> onnx.ModelProto:
    """Fold, fuse and infer shapes; symbolic ones where sympy is there and gets through."""
    from onnxruntime.quantization import quant_pre_process

    given, path = folder / "given.onnx", folder / "prepared.onnx"
    onnx.save(model, given)
    if find_spec("sympy") is not None:
        with suppress(Exception):  # It raises what it likes on operators that it does not know.
            quant_pre_process(given, path)
            return onnx.load(path)
    quant_pre_process(given, path, skip_symbolic_shape=True)
    return onnx.load(path)


def _gemms_apart(prepared: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model whose Gemms are MatMuls and Adds, as dynamic quantization has them."""
    from onnxruntime.quantization.onnx_model import ONNXModel

    model = ONNXModel(prepared)
    model.replace_gemm_with_matmul()
    found: onnx.ModelProto = model.model
    return found


def _with_own_names(graph: onnx.GraphProto, given: Collection[str]) -> None:
    """Give products the names back that they have in the user's model; changes the graph."""
    taken = {node.name for node in graph.node}
    for node in graph.node:
        name = node.name
        for suffix in RENAMED:
            name = name.removesuffix(suffix)
            if name in given and name not in taken:
                node.name = name
                taken.add(name)
                break


def _check_excluded(
    names: Collection[str], given: onnx.ModelProto, prepared: onnx.ModelProto
) -> None:
    known = {node.name for node in prepared.graph.node if node.name}
    for name in names:
        if name not in known:
            there = any(node.name == name for node in given.graph.node)
            why = "onnxruntime folded it or fused it into another" if there else "none is called so"
            raise ConfigurationError(f"cannot exclude node {name!r}: {why}; {closest(name, known)}")


def _quantize_dynamically(source: Path, target: Path, settings: QuantizeSettings) -> None:
    from onnxruntime.quantization import quantize_dynamic

    operators = list(settings.operators or OPERATORS)
    quantize_dynamic(source, target, op_types_to_quantize=operators, **_options(settings))


def _quantize_statically(
    source: Path, target: Path, settings: QuantizeSettings, samples: Samples, ranges: Path
) -> None:
    from onnxruntime.quantization import QuantFormat, quantize_static

    symmetric = {"ActivationSymmetric": True, "CalibTensorRangeSymmetric": True}
    keeps = "calibration_cache_path" in signature(quantize_static).parameters
    quantize_static(
        source,
        target,
        samples,
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=list(settings.operators),
        activation_type=_type(settings.activation),
        extra_options=symmetric if settings.symmetric else {},
        **_options(settings),
        **({"calibration_cache_path": ranges} if keeps else {}),
    )


def _options(settings: QuantizeSettings) -> dict[str, Any]:
    """Return what both modes take."""
    return {
        "per_channel": settings.per_channel,
        "reduce_range": settings.reduce_range,
        "weight_type": _type(settings.weight),
        "nodes_to_exclude": list(settings.exclude),
    }


def _type(name: str) -> Any:
    from onnxruntime.quantization import QuantType

    return {"uint8": QuantType.QUInt8, "int8": QuantType.QInt8}[name]


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
