"""The structures of C that compiled code reads: DLPack's tensor, and tvm-ffi's tagged value."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Final

#: DLPack's device type of main memory.
CPU: Final = 1

#: The tags of values: a plain address, and that of a `DLTensor`.
ADDRESS: Final = 4
TENSOR: Final = 7


class TaggedValue(ctypes.Structure):
    """What functions of TVM's convention take and give: tvm-ffi's TVMFFIAny."""

    _fields_ = (("tag", c_int32), ("zero", c_int32), ("value", c_uint64))


class DLTensor(ctypes.Structure):
    """DLPack's description of a tensor."""

    _fields_ = (
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    )
