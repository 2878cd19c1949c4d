"""What this machine's GPU is, asked of the NVIDIA driver itself."""

from __future__ import annotations

import ctypes
from typing import Final

DRIVER: Final = "libcuda.so.1"
COMPUTE_CAPABILITY_MAJOR: Final = 75  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
COMPUTE_CAPABILITY_MINOR: Final = 76


def compute_capability() -> tuple[int, int] | None:
    """Return the first NVIDIA GPU's compute capability, (8, 0) for ``sm_80``; None without one."""
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        return None
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    calls = (
        lambda: driver.cuInit(0),
        lambda: driver.cuDeviceGet(ctypes.byref(device), 0),
        lambda: driver.cuDeviceGetAttribute(
            ctypes.byref(major), COMPUTE_CAPABILITY_MAJOR, device
        ),
        lambda: driver.cuDeviceGetAttribute(
            ctypes.byref(minor), COMPUTE_CAPABILITY_MINOR, device
        ),
    )
    # Each returns 0 for success; the first failure, such as no device, stops the rest.
    return None if any(call() for call in calls) else (major.value, minor.value)
