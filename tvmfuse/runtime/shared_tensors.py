"""Somebody else's tensor as TVM's over the same memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import tvm_ffi

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.errors import InputError, first_line
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.described import expected, offers, type_name
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.tensors import copied_to, empty


def shared_tensor(spec: TensorSpec, value: Any) -> tvm_ffi.Tensor:
    """Return TVM's tensor over the memory of one with ``__dlpack__``; of just the model's dtype.

    A torch tensor that requires gradients is taken for its numbers: nothing is recorded. One whose
    negative bit is set is copied. A conjugated one is complex, which no input is.

    Raises:
        InputError: It hands out no memory, or numbers of another dtype.
    """
    if not offers(spec, value, "__dlpack__"):
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


def checked_tensor(spec: TensorSpec, tensor: object, device: tvm_ffi.Device) -> tvm_ffi.Tensor:
    """Return a tensor on a device that fits, an aligned copy if need be, and refuse all others.

    Raises:
        InputError: It is none, of another dtype, on another device, or in several pieces.
    """
    shared = shared_tensor(replace(spec, dtype=stored_as(spec.dtype)), tensor)
    if shared.device != device:
        raise InputError(
            f"{expected(spec)} on {device}, where the model was compiled for, found a tensor on "
            f"{shared.device}: move it there first"
        )
    if not shared.numel():
        return empty(tuple(shared.shape), str(shared.dtype), device)
    if not shared.is_contiguous():
        raise InputError(
            f"{expected(spec)} in one contiguous piece, found strides "
            f"{tuple(shared.strides)} of the shape {tuple(shared.shape)}: call .contiguous()"
        )
    return copied_to(shared, device) if shared.data_ptr() % ALIGNMENT else shared


def _with_its_sign(value: Any) -> Any:
    """Return torch's tensor with its numbers as they lie: a view may have the other sign."""
    is_negated = getattr(value, "is_neg", None)
    return value.resolve_neg() if is_negated is not None and is_negated() else value


def _dtype_name(tensor: tvm_ffi.Tensor, value: Any) -> str:
    try:
        return str(tensor.dtype)
    except ValueError:  # TVM has no name for it: complex numbers
        return str(getattr(value, "dtype", "unknown"))
