"""Sessions of onnxruntime on the CPU, for all that compares with it or times it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import onnx

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.levels import level_of
from tvmfuse.measure.agreement import Array
from tvmfuse.pipeline.compile import Model
from tvmfuse.real_onnxruntime import import_onnxruntime
from tvmfuse.runtime.foreign import reason_of

FATAL: Final = 4
"""What onnxruntime logs: an error of its own becomes an exception, and is not printed too."""


@dataclass(frozen=True, eq=False)
class Session:
    """A model in onnxruntime.

    Attributes:
        names: Of its outputs.
        session: Of onnxruntime.
        hint: What to do if it fails, after a semicolon; or empty.
    """

    names: tuple[str, ...]
    session: Any
    hint: str

    def outputs(self, feeds: Mapping[str, Array]) -> list[Array]:
        """Run once; return the outputs in order.

        Raises:
            UnsupportedModelError: It fails.
        """
        try:
            results: list[Array] = self.session.run(self.names, dict(feeds))
        except Exception as error:  # its own classes share no base
            raise _refused(error, self.hint) from error
        return results

    def by_name(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """Run once; return the outputs by name.

        Raises:
            UnsupportedModelError: It fails.
        """
        return dict(zip(self.names, self.outputs(feeds), strict=True))


def package(hint: str = "") -> Any:
    """Import onnxruntime.

    Args:
        hint: What else to do where it is missing, after a semicolon; or empty.

    Raises:
        ConfigurationError: It is not installed.
    """
    try:
        return import_onnxruntime()
    except ImportError as error:
        raise ConfigurationError(
            f"onnxruntime is not installed: python -m pip install 'tvmfuse[ort]'{hint}"
        ) from error


def open_session(
    model: Model, *, level: str | int = "none", threads: int | None = None, hint: str = ""
) -> Session:
    """Open a session on the CPU.

    Args:
        model: A path, a serialized model, or a model.
        level: How far onnxruntime optimizes.
        threads: That compute one run; None for as many as onnxruntime takes.
        hint: What to do if it fails, after a semicolon; or empty.

    Raises:
        ConfigurationError: onnxruntime is not installed.
        UnsupportedModelError: It does not take the model.
    """
    if isinstance(model, TorchProgram):
        raise UnsupportedModelError(
            "onnxruntime runs ONNX models, and found a PyTorch module: write it as one first, by "
            "torch.onnx.export"
        )
    ort = package(hint)
    options = ort.SessionOptions()
    options.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level_of(level).name)
    options.intra_op_num_threads = threads or 0
    options.log_severity_level = FATAL
    source = model.SerializeToString() if isinstance(model, onnx.ModelProto) else model
    source = os.fspath(source) if isinstance(source, os.PathLike) else source
    try:
        session = ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own classes share no base
        raise _refused(error, hint) from error
    return Session(tuple(output.name for output in session.get_outputs()), session, hint)


def _refused(error: Exception, hint: str) -> UnsupportedModelError:
    return UnsupportedModelError(f"onnxruntime cannot run this model: {reason_of(error)}{hint}")
