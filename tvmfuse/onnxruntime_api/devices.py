"""Devices, memory and arenas, described as onnxruntime describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tvmfuse.errors import ConfigurationError
from tvmfuse.onnxruntime_api.enums import (
    OrtAllocatorType,
    OrtDeviceMemoryType,
    OrtDeviceVendorId,
    OrtHardwareDeviceType,
    OrtMemoryInfoDeviceType,
    OrtMemType,
)
from tvmfuse.onnxruntime_api.exceptions import RefusedOptionError

#: Kinds of devices -> onnxruntime's number of the kind, and the vendor that the name means.
KINDS: Final[Mapping[str, tuple[int, OrtDeviceVendorId]]] = {
    "cpu": (0, OrtDeviceVendorId.NONE),
    "cuda": (1, OrtDeviceVendorId.NVIDIA),
    "gpu": (1, OrtDeviceVendorId.NONE),
    "dml": (1, OrtDeviceVendorId.MICROSOFT),
    "webgpu": (1, OrtDeviceVendorId.NONE),
    "fpga": (2, OrtDeviceVendorId.NONE),
    "npu": (3, OrtDeviceVendorId.NONE),
    "cann": (3, OrtDeviceVendorId.HUAWEI),
}


class OrtDevice:
    """A device: its kind, which one of them, and whose.

    Args:
        numbers: Another device; or the numbers of the kind and of the memory, the vendor's if
            there are four, and which one it is.
    """

    def __init__(self, *numbers: Any) -> None:
        if len(numbers) == 1 and isinstance(numbers[0], OrtDevice):
            device = numbers[0]
            numbers = (
                device.device_type(),
                device.device_mem_type(),
                device.device_vendor_id(),
                device.device_id(),
            )
        elif len(numbers) == 3:
            numbers = (*numbers[:2], 0, numbers[2])
        if len(numbers) != 4:
            raise TypeError(f"expected a device, or its 3 or 4 numbers, found {numbers!r}")
        self._numbers = tuple(map(int, numbers))

    @staticmethod
    def make(ort_device_name: str, device_id: int, vendor_id: int = -1) -> OrtDevice:
        """Return the device of a name: ``cpu``, ``cuda``.

        Raises:
            ConfigurationError: No kind of device is called so.
        """
        if ort_device_name not in KINDS:
            raise ConfigurationError(
                f"Unsupported device type: {ort_device_name}; known: {', '.join(KINDS)}"
            )
        kind, vendor = KINDS[ort_device_name]
        return OrtDevice(kind, 0, vendor if vendor_id < 0 else vendor_id, device_id)

    def device_type(self) -> int:
        """Return the number of its kind, 0 for a CPU."""
        return self._numbers[0]

    def device_mem_type(self) -> int:
        """Return the number of its memory's kind, 0 for the usual one."""
        return self._numbers[1]

    mem_type = device_mem_type

    def device_vendor_id(self) -> int:
        """Return the vendor's number; see `OrtDeviceVendorId`."""
        return self._numbers[2]

    vendor_id = device_vendor_id

    def device_id(self) -> int:
        """Return which one of its kind it is."""
        return self._numbers[3]

    def _get_c_device(self) -> OrtDevice:
        return self

    @staticmethod
    def default_memory() -> int:
        """Return the number of the usual memory."""
        return 0

    @staticmethod
    def cpu() -> int:
        """Return the number of CPUs."""
        return KINDS["cpu"][0]

    @staticmethod
    def cuda() -> int:
        """Return the number of GPUs."""
        return KINDS["cuda"][0]

    gpu = dml = webgpu = cuda

    @staticmethod
    def fpga() -> int:
        """Return the number of FPGAs."""
        return KINDS["fpga"][0]

    @staticmethod
    def npu() -> int:
        """Return the number of neural processors."""
        return KINDS["npu"][0]

    cann = npu


def require_cpu(device: OrtDevice | str, device_id: int = 0, vendor_id: int = -1) -> None:
    """Refuse memory that is not the CPU's: sessions for a GPU copy what they are fed themselves.

    Raises:
        RefusedOptionError: It is a GPU's, say.
    """
    if not isinstance(device, OrtDevice):
        device = OrtDevice.make(device, device_id, vendor_id)
    if device.device_type() != OrtDevice.cpu():
        raise RefusedOptionError(
            f"expected memory of the CPU, found device type {device.device_type()}: values lie on "
            "the CPU here, and a session for a GPU copies what it is fed; take 'cpu'"
        )


class OrtMemoryInfo:
    """A kind of memory."""

    __slots__ = (
        "allocator_type",
        "device_id",
        "device_mem_type",
        "device_vendor_id",
        "mem_type",
        "name",
    )

    def __init__(
        self,
        name: str,
        allocator_type: OrtAllocatorType,
        device_id: int,
        mem_type: OrtMemType,
        device_mem_type: OrtDeviceMemoryType = OrtDeviceMemoryType.DEFAULT,
        device_vendor_id: int = 0,
    ) -> None:
        self.name = name
        self.allocator_type = allocator_type
        self.device_id = device_id
        self.mem_type = mem_type
        self.device_mem_type = device_mem_type
        self.device_vendor_id = device_vendor_id

    @staticmethod
    def create_v2(
        name: str,
        device_type: OrtMemoryInfoDeviceType,
        vendor_id: int,
        device_id: int,
        device_mem_type: OrtDeviceMemoryType,
        alignment: int,
        allocator_type: OrtAllocatorType,
    ) -> OrtMemoryInfo:
        """Return a kind of memory that says its device's vendor, too."""
        del device_type, alignment
        kind = OrtMemType.DEFAULT
        return OrtMemoryInfo(name, allocator_type, device_id, kind, device_mem_type, vendor_id)


CPU_MEMORY: Final = OrtMemoryInfo(
    "Cpu", OrtAllocatorType.ORT_DEVICE_ALLOCATOR, 0, OrtMemType.DEFAULT
)

ARENA: Final = (
    "max_mem",
    "arena_extend_strategy",
    "initial_chunk_size_bytes",
    "max_dead_bytes_per_chunk",
    "initial_growth_chunk_size_bytes",
    "max_power_of_two_extend_bytes",
)
"""What `OrtArenaCfg` holds; the first four may be given in order, any by its name."""


class OrtArenaCfg:
    """How an arena of memory grows; nothing here has one.

    Args:
        values: The first four numbers in order, or a mapping of any from their names.
    """

    max_mem: int
    arena_extend_strategy: int
    initial_chunk_size_bytes: int
    max_dead_bytes_per_chunk: int
    initial_growth_chunk_size_bytes: int
    max_power_of_two_extend_bytes: int
    __slots__ = ARENA

    def __init__(self, *values: Any) -> None:
        given: Mapping[str, Any]
        if len(values) == 1 and isinstance(values[0], Mapping):
            given = values[0]
        elif len(values) == 4:
            given = dict(zip(ARENA, values, strict=False))
        else:
            raise TypeError(f"expected four numbers or a mapping from names, found {values!r}")
        for name in given:
            if name not in ARENA:
                raise RefusedOptionError(f"Invalid OrtArenaCfg option: {name}; known: {ARENA}")
        for name in ARENA:
            setattr(self, name, int(given.get(name, -1)))


@dataclass(frozen=True, slots=True)
class OrtHardwareDevice:
    """A piece of hardware."""

    type: OrtHardwareDeviceType
    vendor: str = ""
    vendor_id: int = 0
    device_id: int = 0
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OrtEpDevice:
    """A piece of hardware, and the execution provider that computes on it."""

    ep_name: str
    ep_vendor: str
    device: OrtHardwareDevice
    ep_metadata: Mapping[str, str] = field(default_factory=dict)
    ep_options: Mapping[str, str] = field(default_factory=dict)

    def memory_info(self, memory_type: OrtDeviceMemoryType) -> OrtMemoryInfo:
        """Return the memory that sessions on it are fed from: the CPU's."""
        del memory_type
        return CPU_MEMORY


def ep_devices(providers: Sequence[str], version: str) -> list[OrtEpDevice]:
    """Return what the providers of this machine compute on."""
    kinds = {"CUDAExecutionProvider": OrtHardwareDeviceType.GPU}
    return [
        OrtEpDevice(
            name,
            "tvmfuse",
            OrtHardwareDevice(kinds.get(name, OrtHardwareDeviceType.CPU)),
            {"version": version},
        )
        for name in providers
    ]
