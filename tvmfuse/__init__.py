"""Compile ONNX models with TVM: named graph passes that can be switched off and timed, one `.so`.

Names are imported when they are first used: `tvmfuse --help` must not wait for TVM.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tvmfuse.result import drawn_by
from tvmfuse.runtime.forking import IMPORTS
from tvmfuse.without_torch import import_ffi

if TYPE_CHECKING:
    from tvmfuse.api import compile, explain, plan_kernels
    from tvmfuse.build.artifact import Artifact
    from tvmfuse.build.kernels.shared import SharedCache
    from tvmfuse.errors import TvmfuseError
    from tvmfuse.fleet.compile_many import compile_many
    from tvmfuse.format.file import inspect
    from tvmfuse.levels import GraphOptimizationLevel
    from tvmfuse.limits import Limits
    from tvmfuse.manifest import Manifest
    from tvmfuse.onnxruntime_api.replacing import replace_onnxruntime
    from tvmfuse.passes.selection import disabled_pass_for, list_passes
    from tvmfuse.quantization.quantize import quantize
    from tvmfuse.runtime.executable import Executable
    from tvmfuse.runtime.loading import load
    from tvmfuse.session import InferenceSession, SessionOptions, get_available_providers
    from tvmfuse.tensor_spec import TensorSpec
    from tvmfuse.torch_backend.weights import refresh
    from tvmfuse.tuning.tune import tune

    __version__: str

_HOMES = {
    "Artifact": "build.artifact",
    "Executable": "runtime.executable",
    "GraphOptimizationLevel": "levels",
    "InferenceSession": "session",
    "Limits": "limits",
    "Manifest": "manifest",
    "SessionOptions": "session",
    "SharedCache": "build.kernels.shared",
    "TensorSpec": "tensor_spec",
    "TvmfuseError": "errors",
    "compile": "api",
    "compile_many": "fleet.compile_many",
    "disabled_pass_for": "passes.selection",
    "explain": "api",
    "get_available_providers": "session",
    "inspect": "format.file",
    "list_passes": "passes.selection",
    "load": "runtime.loading",
    "plan_kernels": "api",
    "quantize": "quantization.quantize",
    "refresh": "torch_backend.weights",
    "replace_onnxruntime": "onnxruntime_api.replacing",
    "tune": "tuning.tune",
}

#: The homes that TVM is not needed for.
_WITHOUT_TVM = {
    "build.kernels.shared", "errors", "format.file", "levels", "limits", "manifest",
    "onnxruntime_api.replacing",
    "runtime.executable", "runtime.loading", "session", "tensor_spec",
}  # fmt: skip

__all__ = [
    "Artifact",
    "Executable",
    "GraphOptimizationLevel",
    "InferenceSession",
    "Limits",
    "Manifest",
    "SessionOptions",
    "SharedCache",
    "TensorSpec",
    "TvmfuseError",
    "compile",
    "compile_many",
    "disabled_pass_for",
    "explain",
    "get_available_providers",
    "inspect",
    "list_passes",
    "load",
    "plan_kernels",
    "quantize",
    "refresh",
    "replace_onnxruntime",
    "tune",
]


drawn_by("tvmfuse.views")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata

        return metadata.version("tvmfuse")
    with IMPORTS:
        value = _of_onnxruntime(name) if name not in _HOMES else _of_ours(name)
    globals()[name] = value
    return value


def _of_ours(name: str) -> Any:
    if _HOMES[name] not in _WITHOUT_TVM:
        import_ffi()
    return getattr(importlib.import_module(f"tvmfuse.{_HOMES[name]}"), name)


def _of_onnxruntime(name: str) -> Any:
    """Return what a public name of onnxruntime's means: `import tvmfuse as ort` has them all."""
    if not name.startswith("_"):
        names = importlib.import_module("tvmfuse.onnxruntime_api.namespace").package_names()
        if name in names:
            return names[name]
    raise AttributeError(f"module 'tvmfuse' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
