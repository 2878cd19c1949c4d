"""Numpy arrays to TVM's tensors and back, without a copy wherever that is sound.

Imports of TVM only its FFI: this runs where no compiler is.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import ml_dtypes
import numpy as np
import tvm_ffi

from tvmfuse.narrow_types import NARROW_INTEGERS, STORAGE
from tvmfuse.tvm_runtime import runtime_function

#: TVM's kernels read their arguments with aligned vector loads: a less aligned array faults.
ALIGNMENT: Final = 64  # bytes

CPU: Final = tvm_ffi.device("cpu", 0)


@functools.cache
def numpy_dtype(name: str) -> np.dtype[Any]:
    """Return numpy's dtype of ONNX's and TVM's name, also ``bfloat16`` and ``float8_*``.

    >>> numpy_dtype("bfloat16").itemsize, numpy_dtype("bool").itemsize
    (2, 1)
    """
    return np.dtype(getattr(ml_dtypes, name, name))


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
    carrier = tvm_ffi.from_dlpack(array.view(_carrier(array.dtype)))
    return _view(carrier, array.shape, array.dtype.name)


def stored(array: np.ndarray) -> np.ndarray:
    """Return an array as kernels read it: one of `narrow_types` as its bytes, others as they are.

    >>> stored(np.array([-8, 7], ml_dtypes.int4))
    array([-8,  7], dtype=int8)
    """
    dtype = STORAGE.get(array.dtype.name)
    if dtype is None:
        return array
    return array.astype(dtype) if array.dtype.name in NARROW_INTEGERS else array.view(dtype)


def restored(array: np.ndarray, dtype: str) -> np.ndarray:
    """Return the array that `stored` was given, of this dtype."""
    if dtype not in STORAGE:
        return array
    narrow = numpy_dtype(dtype)
    return array.astype(narrow) if dtype in NARROW_INTEGERS else array.view(narrow)


def aligned(array: np.ndarray) -> np.ndarray:
    """Return the array if `as_tensor` can share its memory, else a copy of which it can."""
    fits = array.flags.carray and array.ctypes.data % ALIGNMENT == 0
    return array if fits else _aligned_copy(array)


def as_array(tensor: Any) -> np.ndarray:
    """Return a numpy array that shares this CPU tensor's memory and keeps it alive.

    Args:
        tensor: Anything with ``__dlpack__``.

    Raises:
        BufferError, TypeError, RuntimeError: It is not on the CPU, or hands out no memory.
    """
    if not isinstance(tensor, tvm_ffi.Tensor):
        tensor = tvm_ffi.from_dlpack(tensor)
    dtype = numpy_dtype(str(tensor.dtype))
    if not is_foreign(dtype):
        return np.from_dlpack(tensor)
    carrier = _view(tensor, tensor.shape, _carrier(dtype).name)
    return np.from_dlpack(carrier).view(dtype)


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


def aligned_bytes(count: int) -> np.ndarray:
    """Return new memory that `as_tensor` can share: uint8[count], of undefined values."""
    memory = np.empty(count + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + count]


def _aligned_copy(array: np.ndarray) -> np.ndarray:
    copy = aligned_bytes(array.nbytes).view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def is_foreign(dtype: np.dtype[Any]) -> bool:
    """Whether numpy has this dtype from ml_dtypes, and so cannot pass it through DLPack."""
    return dtype.isbuiltin != 1


def _carrier(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the unsigned integer of the same size."""
    return np.dtype(f"uint{8 * dtype.itemsize}")
