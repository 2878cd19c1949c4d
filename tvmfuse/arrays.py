"""Numpy's arrays as compiled code takes them: their dtypes, and where they lie."""

from __future__ import annotations

import functools
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
    fits = array.flags.carray and address(array) % ALIGNMENT == 0
    return array if fits else _aligned_copy(array)


def address(array: np.ndarray) -> int:
    """Return where an array's elements begin."""
    return array.ctypes.data


def aligned_bytes(count: int) -> np.ndarray:
    """Return new memory that kernels can use: uint8[count], of undefined values."""
    return aligned_memory(count)[0]


def aligned_memory(count: int) -> tuple[np.ndarray, int]:
    """Return such memory, and where it begins: to ask numpy for that takes a microsecond."""
    memory = np.empty(count + ALIGNMENT, np.uint8)
    begin = address(memory)
    start = -begin % ALIGNMENT
    return memory[start : start + count], begin + start


def _aligned_copy(array: np.ndarray) -> np.ndarray:
    copy = aligned_bytes(array.nbytes).view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def is_foreign(dtype: np.dtype[Any]) -> bool:
    """Whether numpy has this dtype from ml_dtypes, and so cannot pass it through DLPack."""
    return dtype.isbuiltin != 1


def carrier(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the unsigned integer of the same size."""
    return np.dtype(f"uint{8 * dtype.itemsize}")
