"""A model in a server: a compiled one, or, so that a comparison is possible, onnxruntime's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import tvmfuse

Arrays = Mapping[str, np.ndarray]


class Engine(Protocol):
    """What a server asks of a model, as `tvmfuse.Executable` has it."""

    @property
    def inputs(self) -> Sequence[tvmfuse.TensorSpec]:
        """Names, dtypes and shapes, in order."""

    @property
    def outputs(self) -> Sequence[tvmfuse.TensorSpec]:
        """Names, dtypes and shapes, in order."""

    def __call__(self, feeds: Arrays, /) -> Arrays:
        """Return the outputs by name."""


def load(path: Path, threads: int) -> Engine:
    """Load a compiled model; a file that ends in ``.onnx`` is run by onnxruntime."""
    if path.suffix == ".onnx":
        return _Onnxruntime(path, threads)
    return tvmfuse.load(path, num_threads=threads)


class _Onnxruntime:
    def __init__(self, path: Path, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
        self.inputs = [_spec(value) for value in self._session.get_inputs()]
        self.outputs = [_spec(value) for value in self._session.get_outputs()]

    def __call__(self, feeds: Arrays, /) -> Arrays:
        names = [spec.name for spec in self.outputs]
        return dict(zip(names, self._session.run(names, dict(feeds)), strict=True))


def _spec(value: Any) -> tvmfuse.TensorSpec:
    inner = value.type.removeprefix("tensor(").removesuffix(")")
    dtype = {"float": "float32", "double": "float64"}.get(inner, inner)
    return tvmfuse.TensorSpec(value.name, dtype, tuple(value.shape))
