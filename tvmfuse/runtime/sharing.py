"""Somebody else's tensor over the same memory: whatever goes wrong on the way is an InputError.

A tensor of another library may look like memory and be none: its numbers may have another sign than
those that lie there, its storage may be freed, and code of the user's may run when it is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tvm_ffi

from tvmfuse.arrays import CPU, as_array
from tvmfuse.errors import InputError, first_line
from tvmfuse.tensor_spec import TensorSpec


def shared_tensor(spec: TensorSpec, value: Any) -> tvm_ffi.Tensor:
    """Return TVM's tensor over the memory of one with ``__dlpack__``; of just the model's dtype.

    A torch tensor that requires gradients is taken for its numbers: nothing is recorded. One whose
    negative bit is set is copied. A conjugated one is complex, which no input is.

    Raises:
        InputError: It hands out no memory, or numbers of another dtype.
    """
    if not _offers(spec, value, "__dlpack__"):
        raise InputError(
            f"{expected(spec)}, found {type_name(value)}, which is no DLPack tensor: take numpy's "
            "or torch's, or call the model itself, which takes numbers and lists, too"
        )
    try:
        tensor = tvm_ffi.from_dlpack(_with_its_sign(value))
    except Exception as error:  # whatever another library's code, or the user's, raises
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} that does not hand out its memory "
            f"({type(error).__name__}: {first_line(error)}): make a dense tensor of it first"
        ) from error
    if (dtype := _dtype_name(tensor, value)) != spec.dtype:
        raise InputError(f"{expected(spec)}, found dtype {dtype}: convert it first")
    if tensor.numel() and not tensor.data_ptr():
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} of shape {tuple(tensor.shape)} without "
            "memory: was its storage freed?"
        )
    return tensor


def shared_array(spec: TensorSpec, value: Any) -> np.ndarray:
    """Return an array over the memory of what has ``__dlpack__`` or ``__array__``.

    Raises:
        InputError: It has neither, hands out no memory, or does not lie on the CPU.
    """
    if _offers(spec, value, "__dlpack__"):
        tensor = shared_tensor(spec, value)
        if tensor.device != CPU:
            raise InputError(f"{expected(spec)}, found one on {tensor.device}: move it to the CPU")
        return as_array(tensor)
    if not _offers(spec, value, "__array__"):
        raise InputError(f"{expected(spec)}, found {type_name(value)}")
    try:
        return np.asarray(value)
    except Exception as error:  # it is the user's code that runs
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} that makes no array of itself "
            f"({type(error).__name__}: {first_line(error)})"
        ) from error


def plain_array(spec: TensorSpec, array: np.ndarray) -> np.ndarray:
    """Return an array of a subclass as numpy's own, over the same memory.

    Raises:
        InputError: Some of its elements are masked: they have no value.
    """
    if type(array) is np.ndarray:  # numpy.ma takes longer to import than most models to run
        return array
    if np.ma.is_masked(array):
        masked = np.count_nonzero(np.ma.getmask(array))
        raise InputError(
            f"{expected(spec)}, found an array with {masked} masked elements: "
            "say with .filled() what they are"
        )
    return np.asarray(array)


def expected(spec: TensorSpec) -> str:
    """Return the first words of a refusal: the input, and what it takes."""
    return f"input {spec.name!r}: expected {spec.type_words}"


def type_name(value: object) -> str:
    """Return the name of a value's type, for an error."""
    return "None" if value is None else f"a {type(value).__module__}.{type(value).__qualname__}"


def _offers(spec: TensorSpec, value: object, name: str) -> bool:
    try:
        return hasattr(value, name)
    except Exception as error:  # a __getattr__ of the user's
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} that cannot be asked for {name} "
            f"({type(error).__name__}: {first_line(error)})"
        ) from error


def _with_its_sign(value: Any) -> Any:
    """Return torch's tensor with its numbers as they lie: a view may have the other sign."""
    is_negated = getattr(value, "is_neg", None)
    return value.resolve_neg() if is_negated is not None and is_negated() else value


def _dtype_name(tensor: tvm_ffi.Tensor, value: Any) -> str:
    try:
        return str(tensor.dtype)
    except ValueError:  # TVM has no name for it: complex numbers
        return str(getattr(value, "dtype", "unknown"))
