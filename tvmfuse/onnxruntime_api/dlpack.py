"""Arrays to DLPack and back."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from tvmfuse.errors import InputError, first_line
from tvmfuse.onnxruntime_api.element_types import NUMBERS
from tvmfuse.onnxruntime_api.exceptions import raise_as
from tvmfuse.runtime.structures import DLTensor

CPU: Final = (1, 0)
"""The device, by DLPack's numbers."""
UNSIGNED: Final = 1
"""DLPack's code of unsigned integers."""


def capsule_of(array: np.ndarray, **asked: Any) -> Any:
    """Return a capsule over an array's memory, of bfloat16 and 8 bits, too.

    Args:
        array: Contiguous.
        asked: What a consumer asks for, as numpy's ``__dlpack__`` takes it.

    Raises:
        BufferError: It is read-only, or of texts.
    """
    if array.dtype.isbuiltin != 1 and array.dtype.name in NUMBERS:
        from tvmfuse.tensors import as_tensor

        return as_tensor(array).__dlpack__()
    return array.__dlpack__(**asked)


def array_of(data: Any, *, is_bool: bool) -> np.ndarray:
    """Return an array over the memory of a tensor, or of a capsule that one gave.

    Args:
        data: Anything with ``__dlpack__``, or a capsule.
        is_bool: Whether bytes are booleans, which older producers call uint8.

    Raises:
        InputError: It is neither, is not on the CPU, or is not contiguous.
    """
    if not hasattr(data, "__dlpack__"):
        if type(data).__name__ != "PyCapsule":
            raise_as(
                InputError("from_dlpack expected a valid DLPack capsule named 'dltensor'"),
                TypeError,
            )
        data = _Capsule(data)
    try:
        array = _shared(data)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise_as(InputError(f"no tensor on the CPU: {first_line(error)}"), RuntimeError)
    if not array.flags.c_contiguous:
        raise_as(
            InputError(
                f"expected a contiguous tensor, found strides {array.strides} of shape "
                f"{array.shape}: copy it first, .contiguous() of torch"
            ),
            RuntimeError,
        )
    return array.view(np.bool_) if is_bool else array


def _shared(data: Any) -> np.ndarray:
    """Return numpy's array; of a dtype that numpy has not, ml_dtypes'."""
    if "bfloat16" not in str(getattr(data, "dtype", "")) and "float8" not in str(
        getattr(data, "dtype", "")
    ):
        return np.from_dlpack(data)
    from tvmfuse.tensors import as_array

    return as_array(data)


class _Capsule:
    """A tensor on the CPU that hands out a capsule."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_asked: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU


def is_dlpack_uint8_tensor(capsule: Any) -> bool:
    """Whether a capsule holds uint8, which may be booleans; it stays usable."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(capsule, b"dltensor")
    tensor = DLTensor.from_address(address)
    return (tensor.code, tensor.bits) == (UNSIGNED, 8)
