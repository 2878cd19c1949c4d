"""onnxruntime's quantizer in a process of its own: ``python -m tvmfuse.quantization.worker``.

It changes what belongs to a whole process (where temporary files go, handlers of logging), prints,
and may end it. Beside the caller's threads that has no place. Models lie in a
folder (`Job`), samples are the caller's and come one by one.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from inspect import signature
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol

import onnx
from onnx import version_converter

from tvmfuse.build.worker_process import connection_of
from tvmfuse.errors import (
    ArtifactError,
    ConfigurationError,
    OutOfMemoryError,
    TvmfuseError,
    UnsupportedModelError,
    closest,
    first_line,
)
from tvmfuse.quantization.job import Failed, Job, SampleWanted
from tvmfuse.quantization.settings import OPERATORS, QuantizeSettings

RENAMED: Final = ("_MatMul", "/MatMulAddFusion")
"""What a Gemm's MatMul, and a MatMul that became a Gemm with its Add, have behind their names."""
PER_CHANNEL: Final = 13
"""The first operator set in which a scale has an axis."""


class Caller(Protocol):
    """Who wants a model quantized."""

    def tell(self, step: str) -> None:
        """Take the name of a step that begins."""

    def get_next(self) -> dict[str, Any] | None:
        """Return the next sample, None at the end: what onnxruntime calls."""


@dataclass(frozen=True)
class OverPipe:
    """The caller, in the other process."""

    connection: Connection

    def tell(self, step: str) -> None:
        """Send it."""
        self.connection.send(step)

    def get_next(self) -> dict[str, Any] | None:
        """Ask, and wait."""
        self.connection.send(SampleWanted())
        sample: dict[str, Any] | None = self.connection.recv()
        return sample


def main(arguments: list[str]) -> None:
    """Do one job: it comes by the connection, and so do its samples."""
    connection = connection_of(arguments)
    try:
        quantize(connection.recv(), OverPipe(connection))
    except TvmfuseError as error:
        connection.send(Failed(error, traceback.format_exc()))
    else:
        connection.send(None)


def quantize(job: Job, caller: Caller) -> None:
    """Write the quantized model, and the prepared one where that is asked for.

    Raises:
        ConfigurationError: A node to exclude does not exist.
        UnsupportedModelError: The quantizer fails on the model.
        ArtifactError: The folder of temporary files is full.
        OutOfMemoryError: Memory ran out.
    """
    if job.prepare:
        caller.tell("prepare")
        with _in_words("prepare"):
            model = onnx.load(job.given)
            prepared = _prepared(_new_enough(model, job.settings), job)
            if job.settings.mode == "dynamic":
                prepared = _gemms_apart(prepared)
            _with_own_names(prepared.graph, {node.name for node in model.graph.node})
            _check_excluded(job.settings.exclude, model, prepared)
            onnx.save(prepared, job.prepared)
    caller.tell("quantize")
    with _in_words("quantize"):
        if job.settings.mode == "dynamic":
            _quantize_dynamically(job)
        else:
            _quantize_statically(job, caller)


@contextmanager
def _in_words(what: str) -> Iterator[None]:
    """Make what the quantizer raises, which may be anything, an error of ours."""
    try:
        yield
    except TvmfuseError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"cannot {what} this model: {error or 'no memory'}") from error
    except OSError as error:
        raise ArtifactError(f"cannot {what} in a temporary folder: {error}") from error
    except Exception as error:
        why = f"{type(error).__name__}: {first_line(error)}"
        raise UnsupportedModelError(f"onnxruntime cannot {what} this model: {why}") from error


def _new_enough(model: onnx.ModelProto, settings: QuantizeSettings) -> onnx.ModelProto:
    version = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    if not settings.per_channel or version >= PER_CHANNEL:
        return model
    return version_converter.convert_version(model, PER_CHANNEL)


def _prepared(model: onnx.ModelProto, job: Job) -> onnx.ModelProto:
    """Fold, fuse and infer shapes; symbolic ones where sympy is there and gets through."""
    from onnxruntime.quantization import quant_pre_process

    onnx.save(model, job.given)
    if find_spec("sympy") is not None:
        with suppress(Exception):  # It raises what it likes on operators that it does not know.
            quant_pre_process(job.given, job.prepared)
            return onnx.load(job.prepared)
    quant_pre_process(job.given, job.prepared, skip_symbolic_shape=True)
    return onnx.load(job.prepared)


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


def _quantize_dynamically(job: Job) -> None:
    from onnxruntime.quantization import quantize_dynamic

    operators = list(job.settings.operators or OPERATORS)
    quantize_dynamic(
        job.prepared, job.quantized, op_types_to_quantize=operators, **_options(job.settings)
    )


def _quantize_statically(job: Job, caller: Caller) -> None:
    from onnxruntime.quantization import QuantFormat, quantize_static

    settings = job.settings
    symmetric = {"ActivationSymmetric": True, "CalibTensorRangeSymmetric": True}
    keeps = "calibration_cache_path" in signature(quantize_static).parameters
    quantize_static(
        job.prepared,
        job.quantized,
        caller,
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=list(settings.operators),
        activation_type=_type(settings.activation),
        extra_options=symmetric if settings.symmetric else {},
        **_options(settings),
        **({"calibration_cache_path": job.ranges} if keeps else {}),
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


if __name__ == "__main__":
    main(sys.argv[1:])
