"""Numpy arrays to TVM's tensors and back, without a copy wherever that is sound.

Imports of TVM only its FFI: this runs where no compiler is.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmfuse.arrays import aligned, carrier, is_foreign, numpy_dtype
from tvmfuse.tvm_runtime import runtime_function

CPU: Final = tvm_ffi.device("cpu", 0)


def as_tensor(array: np.ndarray) -> tvm_ffi.Tensor:
    """Return a TVM tensor on the CPU with this array's values.

    It shares the array's memory if that is writable, C-contiguous and aligned, else it is a copy:
    DLPack passes on no read-only memory, and TVM's kernels take no strides.
    """
    if array.size == 0:
        return empty(array.shape, array.dtype.name)
    array = aligned(array)
    if not is_foreign(array.dtype):
        return tvm_ffi.from_dlpack(array)
    carried = tvm_ffi.from_dlpack(array.view(carrier(array.dtype)))
    return _view(carried, array.shape, array.dtype.name)


def as_array(tensor: Any) -> np.ndarray:
    """Return a numpy array that shares this CPU tensor's memory and keeps it alive.

    Args:
        tensor: Anything with ``__dlpack__``.

    Raises:
        BufferError, TypeError, RuntimeError: It is not on the CPU, or hands out no memory.
    """
    tensor = as_tvm(tensor)
    dtype = numpy_dtype(str(tensor.dtype))
    if not is_foreign(dtype):
        return np.from_dlpack(tensor)
    carried = _view(tensor, tensor.shape, carrier(dtype).name)
    return np.from_dlpack(carried).view(dtype)


def as_tvm(tensor: Any) -> tvm_ffi.Tensor:
    """Return TVM's tensor over the memory of another one."""
    return tensor if isinstance(tensor, tvm_ffi.Tensor) else tvm_ffi.from_dlpack(tensor)


def mapped_tensor(memory: np.ndarray, shape: tuple[int, ...], dtype: str) -> tvm_ffi.Tensor:
    """Return a tensor over raw bytes, which it keeps alive.

    Args:
        memory: Of dtype uint8 and one dimension, aligned and writable.
        shape: The tensor's shape.
        dtype: The tensor's dtype, by TVM's name.
    """
    return _view(tvm_ffi.from_dlpack(memory), shape, dtype)


def empty(shape: tuple[int, ...], dtype: str, device: tvm_ffi.Device = CPU) -> tvm_ffi.Tensor:
    """Return a new tensor with undefined values."""
    allocate = runtime_function("runtime.TVMTensorAllocWithScope")
    tensor: tvm_ffi.Tensor = allocate(tvm_ffi.Shape(shape), tvm_ffi.dtype(dtype), device, None)
    return tensor


def moved_to(tensor: tvm_ffi.Tensor, device: tvm_ffi.Device) -> tvm_ffi.Tensor:
    """Return the tensor on this device: itself if it is there."""
    return tensor if tensor.device == device else copied_to(tensor, device)


def copied_to(tensor: tvm_ffi.Tensor, device: tvm_ffi.Device) -> tvm_ffi.Tensor:
    """Return a copy of a contiguous tensor, aligned, on this device."""
    moved = empty(tuple(tensor.shape), str(tensor.dtype), device)
    runtime_function("runtime.TVMTensorCopyFromTo")(tensor, moved)
    return moved


def _view(tensor: tvm_ffi.Tensor, shape: tuple[int, ...], dtype: str) -> tvm_ffi.Tensor:
    create = runtime_function("runtime.TVMTensorCreateView")
    view: tvm_ffi.Tensor = create(tensor, tvm_ffi.Shape(shape), tvm_ffi.dtype(dtype), 0)
    return view
