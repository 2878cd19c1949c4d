"""Numpy's arrays as compiled code takes them: their dtypes, and where they lie."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np

from tvmfuse.narrow_types import NARROW_INTEGERS, STORAGE

#: Kernels read their arguments with aligned vector loads: a less aligned array faults.
ALIGNMENT: Final = 64  # bytes


@functools.cache
def numpy_dtype(name: str) -> np.dtype[Any]:
    """Return numpy's dtype of ONNX's and TVM's name, also ``bfloat16`` and ``float8_*``.

    >>> numpy_dtype("bfloat16").itemsize, numpy_dtype("bool").itemsize
    (2, 1)
    """
    return np.dtype(getattr(ml_dtypes, name, name))


#: DLPack's codes of types: their names, without the bits behind those of numbers.
_CODES: Final = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}


def type_code(name: str) -> tuple[int, int]:
    """Return DLPack's code and bits of a dtype that kernels compute with.

    >>> type_code("bfloat16"), type_code("bool")
    ((4, 16), (6, 8))
    """
    kind = name.rstrip("0123456789")
    codes = {kind: code for code, kind in _CODES.items()}
    return codes[kind], int(name.removeprefix(kind) or 8)


def dtype_of(code: int, bits: int) -> np.dtype[Any]:
    """Return numpy's dtype of DLPack's code and bits.

    >>> dtype_of(1, 8), dtype_of(6, 8)
    (dtype('uint8'), dtype('bool'))
    """
    kind = _CODES[code]
    return numpy_dtype(kind if kind == "bool" else f"{kind}{bits}")


def stored(array: np.ndarray) -> np.ndarray:
    """Return an array as kernels read it: one of `narrow_types` as its bytes, others as they are.

    >>> stored(np.array([-8, 7], ml_dtypes.int4))
    array([-8,  7], dtype=int8)
    """
    if not is_foreign(array.dtype):  # at once: numpy takes a microsecond to name a dtype
        return array
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
    """Return the array if kernels can read it where it lies, else a copy that they can."""
    return located(array)[0]


def located(array: np.ndarray) -> tuple[np.ndarray, int]:
    """Return an array as `aligned` does, and where it begins."""
    if array.flags.carray and (begin := address(array)) % ALIGNMENT == 0:
        return array, begin
    return aligned_copy(array)


def address(array: np.ndarray) -> int:
    """Return where an array's elements begin."""
    memory: Any = array  # numpy's types do not say that it is a buffer
    try:  # a quarter of the time that numpy's attribute takes
        return ctypes.addressof(ctypes.c_char.from_buffer(memory))
    except (TypeError, ValueError):  # it is empty, not to be written, in pieces, or of ml_dtypes'
        return array.ctypes.data


def aligned_bytes(count: int) -> np.ndarray:
    """Return new memory that kernels can use: uint8[count], of undefined values."""
    return aligned_array((count,), np.dtype(np.uint8))[0]


def aligned_array(shape: Sequence[int], dtype: np.dtype[Any]) -> tuple[np.ndarray, int]:
    """Return a new array of undefined values that kernels can use, and where it begins."""
    memory = np.empty(math.prod(shape) * dtype.itemsize + ALIGNMENT, np.uint8)
    begin = address(memory)
    start = -begin % ALIGNMENT
    return np.ndarray(shape, dtype, memory, start), begin + start


def aligned_copy(array: np.ndarray) -> tuple[np.ndarray, int]:
    """Return a copy that kernels can use, and where it begins."""
    copy, begin = aligned_array(array.shape, array.dtype)
    copy[...] = array
    return copy, begin


def is_foreign(dtype: np.dtype[Any]) -> bool:
    """Whether numpy has this dtype from ml_dtypes, and so cannot pass it through DLPack."""
    return dtype.isbuiltin != 1


def carrier(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the unsigned integer of the same size."""
    return np.dtype(f"uint{8 * dtype.itemsize}")
