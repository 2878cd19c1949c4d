"""What this machine's GPU is, asked of the NVIDIA driver itself."""

from __future__ import annotations

import ctypes
from typing import Final

DRIVER: Final = "libcuda.so.1"
COMPUTE_CAPABILITY: Final = (75, 76)  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR


def compute_capability() -> tuple[int, int] | None:
    """Return the first NVIDIA GPU's compute capability, (8, 0) for ``sm_80``; None without one."""
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        return None
    device, numbers = ctypes.c_int(), (ctypes.c_int(), ctypes.c_int())
    # Each call returns 0 for success; no device is a failure, too.
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
        return None
    for number, attribute in zip(numbers, COMPUTE_CAPABILITY, strict=True):
        if driver.cuDeviceGetAttribute(ctypes.byref(number), attribute, device):
            return None
    major, minor = numbers
    return major.value, minor.value
