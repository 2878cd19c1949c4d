"""What onnxruntime's package says of itself and the machine, and sets for all sessions."""

from __future__ import annotations

import functools
import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmfuse.onnxruntime_api.devices import (
    OrtArenaCfg,
    OrtEpDevice,
    OrtHardwareDevice,
    OrtMemoryInfo,
    ep_devices,
)
from tvmfuse.onnxruntime_api.enums import OrtCompiledModelCompatibility
from tvmfuse.onnxruntime_api.exceptions import RefusedOptionError
from tvmfuse.onnxruntime_api.logs import warn_of_no_effect
from tvmfuse.onnxruntime_api.providers import get_available_providers
from tvmfuse.onnxruntime_api.session_options import global_threads

API_VERSION: Final = "1.31.1"
"""The onnxruntime whose Python API this is."""


@functools.cache
def get_version_string() -> str:
    """Return the version of the onnxruntime beside, or the one whose API this is."""
    try:
        return importlib.metadata.version("onnxruntime")
    except importlib.metadata.PackageNotFoundError:
        return API_VERSION


def get_build_info() -> str:
    """Return what computes here."""
    return f"ORT Build Info: tvmfuse={importlib.metadata.version('tvmfuse')}, api={API_VERSION}"


def has_collective_ops() -> bool:
    """Return False: there are none."""
    return False


def disable_telemetry_events() -> None:
    """Do nothing: nothing is sent anywhere."""


def enable_telemetry_events() -> None:
    """Do nothing: nothing is sent anywhere."""


def set_seed(seed: int) -> None:
    """Do nothing: random numbers follow from the model, and are the same in each run."""
    if not hasattr(seed, "__index__"):
        raise TypeError(f"expected an integer, found {seed!r}")


def preload_dlls(
    cuda: bool = True,  # noqa: FBT001, FBT002
    cudnn: bool = True,  # noqa: FBT001, FBT002
    msvc: bool = True,  # noqa: FBT001, FBT002
    directory: str | None = None,
) -> None:
    """Do nothing: no library of CUDA is needed beside its driver."""


def print_debug_info() -> None:
    """Print versions and the machine."""
    for line in (
        get_build_info(),
        f"platform: {platform.platform()}",
        f"providers: {', '.join(get_available_providers())}",
    ):
        print(line)  # noqa: T201


def set_global_thread_pool_sizes(
    intra_op_num_threads: int = 0, inter_op_num_threads: int = 0
) -> None:
    """Set the threads of sessions with ``use_per_session_threads = False``.

    Args:
        intra_op_num_threads: For one kernel; 0 lets the runtime choose.
        inter_op_num_threads: Not looked at: kernels run one after another.
    """
    del inter_op_num_threads
    global_threads[0] = int(intra_op_num_threads)


def create_and_register_allocator(
    mem_info: OrtMemoryInfo, arena_cfg: OrtArenaCfg | None = None
) -> None:
    """Warn that memory is planned when a model is compiled, and no allocator is asked."""
    del mem_info, arena_cfg
    warn_of_no_effect(["create_and_register_allocator"], -1)


def create_and_register_allocator_v2(
    provider: str,
    mem_info: OrtMemoryInfo,
    options: Mapping[str, str],
    arena_cfg: OrtArenaCfg | None = None,
) -> None:
    """Warn that memory is planned when a model is compiled, and no allocator is asked."""
    del provider, options
    create_and_register_allocator(mem_info, arena_cfg)


def get_ep_devices() -> list[OrtEpDevice]:
    """Return what models can be compiled for on this machine."""
    return ep_devices(get_available_providers()[::-1], get_version_string())


def get_hardware_devices() -> list[OrtHardwareDevice]:
    """Return the hardware that models can be compiled for on this machine."""
    return [device.device for device in get_ep_devices()]


def get_compatibility_info_from_model(model: object, ep_type: str) -> None:
    """Return None: no model was compiled by another execution provider."""


get_compatibility_info_from_model_bytes = get_compatibility_info_from_model


def get_model_compatibility_for_ep_devices(
    ep_devices: Sequence[OrtEpDevice], compatibility_info: str
) -> OrtCompiledModelCompatibility:
    """Return that no model was compiled by another execution provider."""
    return OrtCompiledModelCompatibility.EP_NOT_APPLICABLE


def get_hardware_device_ep_incompatibility_details(
    ep_name: str, hardware_device: OrtHardwareDevice
) -> dict[str, object]:
    """Return that there is nothing to say."""
    return {}


def register_execution_provider_library(registration_name: str, library_path: str) -> None:
    """Refuse somebody else's execution provider.

    Raises:
        RefusedOptionError: Always.
    """
    raise RefusedOptionError(f"{library_path!r}: no other execution providers are taken here")


def unregister_execution_provider_library(registration_name: str) -> None:
    """Refuse: none is registered.

    Raises:
        RefusedOptionError: Always.
    """
    raise RefusedOptionError(f"no execution provider {registration_name!r} was registered")


class ModelCompiler:
    """Refuses to write EPContext models: `tvmfuse.compile` makes the file that sessions load."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RefusedOptionError(
            "no EPContext model is written: tvmfuse.compile(model).save(path) writes a file that "
            "InferenceSession(path) loads"
        )


class OrtEpContextData:
    """What an execution provider keeps beside an EPContext model; none is written."""


class OrtEpContextDataBuffer:
    """Where an execution provider reads that from; none is read."""


class OrtSyncStream:
    """A queue of a device's work; there is none."""


@dataclass(frozen=True, slots=True)
class OrtExternalInitializerInfo:
    """Where an initializer lies in a file.

    Attributes:
        filepath: The file, seen from the model's folder.
        file_offset: Where in it, in bytes.
        byte_size: How many bytes.
    """

    filepath: str
    file_offset: int
    byte_size: int
