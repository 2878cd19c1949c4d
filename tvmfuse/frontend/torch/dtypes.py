"""torch's dtypes and ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import ml_dtypes
import numpy as np
import torch

from tvmfuse.frontend.refusals import CannotConvertError

NAMES: Final[Mapping[torch.dtype, str]] = {
    torch.bool: "bool",
    torch.uint8: "uint8",
    torch.int8: "int8",
    torch.int16: "int16",
    torch.int32: "int32",
    torch.int64: "int64",
    torch.float16: "float16",
    torch.bfloat16: "bfloat16",
    torch.float32: "float32",
    torch.float64: "float64",
}
"""The dtypes whose tensors are compiled."""


def name_of(dtype: torch.dtype) -> str:
    """Return what we call a dtype.

    Raises:
        CannotConvertError: Tensors of it are not compiled.
    """
    if dtype not in NAMES:
        raise CannotConvertError(f"tensors of {dtype} are not compiled")
    return NAMES[dtype]


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """Return a copy of a tensor's numbers: who writes to it later does not change the model."""
    return memory_of(tensor.detach().to("cpu", copy=True).contiguous())


def memory_of(tensor: torch.Tensor) -> np.ndarray:
    """Return a tensor's numbers where they lie, with the strides that it has."""
    plain = tensor.detach()
    if plain.dtype is torch.bfloat16:
        return plain.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return plain.numpy()


def as_tensor(array: np.ndarray) -> torch.Tensor:
    """Return a tensor of a copy of an array's numbers."""
    plain = np.array(array, order="C")
    if plain.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(plain.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(plain)


def is_float(dtype: str) -> bool:
    """Whether a dtype is of floating-point numbers."""
    return dtype.startswith(("float", "bfloat"))
