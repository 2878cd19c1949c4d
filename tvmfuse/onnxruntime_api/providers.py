"""Execution providers: which there are, which this machine has, and which serve a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tvmfuse.errors import closest
from tvmfuse.onnxruntime_api.exceptions import ProviderError
from tvmfuse.onnxruntime_api.logs import warn_caller
from tvmfuse.target import host_gpu

CPU: Final = "CPUExecutionProvider"
CUDA: Final = "CUDAExecutionProvider"

TARGETS: Final[Mapping[str, str]] = {CPU: "llvm", CUDA: "cuda"}
"""The providers that there are here, and the target that each compiles for."""

ALL: Final = (
    "NvTensorRTRTXExecutionProvider",
    "TensorrtExecutionProvider",
    CUDA,
    "ROCMExecutionProvider",
    "MIGraphXExecutionProvider",
    "OpenVINOExecutionProvider",
    "DnnlExecutionProvider",
    "VitisAIExecutionProvider",
    "QNNExecutionProvider",
    "NnapiExecutionProvider",
    "VSINPUExecutionProvider",
    "JsExecutionProvider",
    "CoreMLExecutionProvider",
    "ArmNNExecutionProvider",
    "ACLExecutionProvider",
    "DmlExecutionProvider",
    "RknpuExecutionProvider",
    "WebNNExecutionProvider",
    "WebGpuExecutionProvider",
    "XnnpackExecutionProvider",
    "CANNExecutionProvider",
    "TvmExecutionProvider",
    "AzureExecutionProvider",
    CPU,
)
"""The providers that onnxruntime's builds have or had, the fastest first."""

Providers = Sequence[str | tuple[str, Mapping[Any, Any]]]


def get_all_providers() -> list[str]:
    """Return the names of all execution providers, the fastest first; most are not here."""
    return list(ALL)


def get_available_providers() -> list[str]:
    """Return the providers that this machine has, the fastest first."""
    return [CUDA, CPU] if _has_cuda() else [CPU]


def get_device() -> str:
    """Return ``GPU`` where there is one that models can be compiled for, else ``CPU``."""
    return "GPU" if _has_cuda() else "CPU"


def check_and_normalize_provider_args(
    providers: Providers | None,
    provider_options: Sequence[Mapping[Any, Any]] | None,
    available_provider_names: Sequence[str],
) -> tuple[list[str], list[dict[str, str]]]:
    """Return names and options of providers, in order and each once.

    Args:
        providers: Names, or pairs of a name and options.
        provider_options: Options for each, where `providers` has names alone.
        available_provider_names: Others are warned of.

    Raises:
        ProviderError: The arguments have another form, or do not fit each other.
    """
    if providers is None:
        return [], []
    if isinstance(providers, str) or not isinstance(providers, Sequence):
        raise ProviderError(f"'providers' should be a sequence, found {providers!r}")
    found: dict[str, dict[str, str]] = {}
    for name, options in _pairs(providers, provider_options):
        if name not in available_provider_names:
            known = ", ".join(available_provider_names)
            warn_caller(
                f"Specified provider '{name}' is not in available provider names. "
                f"Available providers: '{known}'",
                UserWarning,
            )
        if name in found:
            warn_caller(f"Duplicate provider '{name}' encountered, ignoring.", UserWarning)
            continue
        found[name] = {str(key): str(value) for key, value in options.items()}
    return [*found], [*found.values()]


def serving(names: Sequence[str]) -> list[str]:
    """Return the providers of those named that this machine has, and the CPU last.

    Raises:
        ProviderError: There is no such provider.
    """
    for name in names:
        if name not in ALL:
            raise ProviderError(f"Unknown Provider Type: {name}; {closest(name, TARGETS)}")
    here = get_available_providers() if CUDA in names else [CPU]
    return [*dict.fromkeys([*(name for name in names if name in here), CPU])]


def _pairs(
    providers: Providers, provider_options: Sequence[Mapping[Any, Any]] | None
) -> list[tuple[str, Mapping[Any, Any]]]:
    if provider_options is not None:
        if isinstance(provider_options, str) or not isinstance(provider_options, Sequence):
            raise ProviderError("'provider_options' should be a sequence.")
        if len(providers) != len(provider_options):
            raise ProviderError(
                "'providers' and 'provider_options' should be the same length if both are given."
            )
        if not all(isinstance(provider, str) for provider in providers):
            raise ProviderError(
                "Only string values for 'providers' are supported if 'provider_options' is given."
            )
        if not all(isinstance(options, Mapping) for options in provider_options):
            raise ProviderError("'provider_options' values must be dicts.")
        return list(zip(map(str, providers), provider_options, strict=True))
    return [_pair(provider) for provider in providers]


def _pair(provider: Any) -> tuple[str, Mapping[Any, Any]]:
    if isinstance(provider, str):
        return provider, {}
    match provider:
        case (str() as name, Mapping() as options) if isinstance(provider, tuple):
            return name, options
    raise ProviderError(
        f"'providers' values must be either strings or (string, dict) tuples, found {provider!r}"
    )


def _has_cuda() -> bool:
    return host_gpu.compute_capability() is not None
