"""Adapters (LoRA): tensors in a file that take the place of a model's initializers.

The file's format is onnxruntime's own, and onnxruntime reads and writes it.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tvmfuse.errors import first_line
from tvmfuse.onnxruntime_api.exceptions import RefusedOptionError
from tvmfuse.onnxruntime_api.ort_value import OrtValue
from tvmfuse.real_onnxruntime import import_onnxruntime


class AdapterFormat:
    """What an adapter's file holds."""

    def __init__(self, adapter: Any = None) -> None:
        self._adapter = _package().AdapterFormat() if adapter is None else adapter

    @staticmethod
    def read_adapter(file_path: str | os.PathLike[str]) -> AdapterFormat:
        """Read a file.

        Raises:
            RefusedOptionError: onnxruntime is not installed, or cannot read it.
        """
        package = _package()
        try:
            return AdapterFormat(package.AdapterFormat.read_adapter(os.fspath(file_path)))
        except Exception as error:  # its own classes share no base
            raise RefusedOptionError(f"{file_path}: no adapter: {first_line(error)}") from error

    def export_adapter(self, file_path: str | os.PathLike[str]) -> None:
        """Write a file."""
        self._adapter.export_adapter(os.fspath(file_path))

    def get_format_version(self) -> int:
        """Return the version of the file's format."""
        return int(self._adapter.get_format_version())

    def set_adapter_version(self, adapter_version: int) -> None:
        """Set the adapter's own version."""
        self._adapter.set_adapter_version(adapter_version)

    def get_adapter_version(self) -> int:
        """Return the adapter's own version."""
        return int(self._adapter.get_adapter_version())

    def set_model_version(self, model_version: int) -> None:
        """Set which version of the model it is for."""
        self._adapter.set_model_version(model_version)

    def get_model_version(self) -> int:
        """Return which version of the model it is for."""
        return int(self._adapter.get_model_version())

    def set_parameters(self, params: dict[str, OrtValue]) -> None:
        """Set the tensors by name; those of numpy's dtypes."""
        value = _package().OrtValue.ortvalue_from_numpy
        self._adapter.set_parameters({name: value(own.numpy()) for name, own in params.items()})

    def get_parameters(self) -> dict[str, OrtValue]:
        """Return copies of the tensors by name."""
        return {
            name: OrtValue.holding(np.array(theirs.numpy()))
            for name, theirs in self._adapter.get_parameters().items()
        }


class LoraAdapter:
    """An adapter that runs may take; see `RunOptions.add_active_adapter`."""

    def __init__(self) -> None:
        self.tensors: dict[str, np.ndarray] = {}

    def Load(self, path: str) -> None:  # noqa: N802
        """Read a file.

        Raises:
            RefusedOptionError: onnxruntime is not installed, or cannot read it.
        """
        parameters = AdapterFormat.read_adapter(path).get_parameters()
        self.tensors = {name: value.numpy() for name, value in parameters.items()}


def _package() -> Any:
    try:
        return import_onnxruntime()
    except ImportError as error:
        raise RefusedOptionError(
            "adapters take onnxruntime itself: python -m pip install 'tvmfuse[ort]'"
        ) from error
