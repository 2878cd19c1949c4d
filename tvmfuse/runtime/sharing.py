"""Somebody else's array over the same memory: whatever goes wrong on the way is an InputError.

A tensor of another library may look like memory and be none: its numbers may have another sign than
those that lie there, its storage may be freed, and code of the user's may run when it is asked.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from tvmfuse.errors import InputError, first_line
from tvmfuse.runtime.described import expected, offers, type_name
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.without_torch import require_ffi


def shared_array(spec: TensorSpec, value: Any) -> np.ndarray:
    """Return an array over the memory of what has ``__dlpack__`` or ``__array__``.

    Raises:
        InputError: It has neither, hands out no memory, or does not lie on the CPU.
    """
    if (array := torchs_array(value)) is not None:
        return array
    if offers(spec, value, "__dlpack__"):
        require_ffi()  # Not before: an array needs nothing of TVM.
        from tvmfuse.runtime.shared_tensors import shared_tensor
        from tvmfuse.tensors import CPU, as_array

        tensor = shared_tensor(spec, value)
        if tensor.device != CPU:
            raise InputError(f"{expected(spec)}, found one on {tensor.device}: move it to the CPU")
        return as_array(tensor)
    if not offers(spec, value, "__array__"):
        raise InputError(f"{expected(spec)}, found {type_name(value)}")
    try:
        return np.asarray(value)
    except Exception as error:  # it is the user's code that runs
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} that makes no array of itself "
            f"({type(error).__name__}: {first_line(error)})"
        ) from error


def torchs_array(value: Any) -> np.ndarray | None:
    """Return an array over the memory of a tensor of torch's on the CPU, as torch makes it.

    Returns:
        None of anything else, and of a tensor that is more than memory, or of no type of numpy's.
    """
    kind: Any = type(value)
    if not is_torchs(kind):
        return None
    try:
        lies_there = value.is_cpu and not (value.is_nested or value.is_neg() or value.is_conj())
        if lies_there and (value.data_ptr() or not value.numel()):
            array: np.ndarray = value.detach().numpy()
            return array
    except (RuntimeError, TypeError):  # it is sparse, of bfloat16, or has no memory in torch.vmap
        pass
    return None


@functools.lru_cache
def is_torchs(kind: type) -> bool:
    """Whether it is torch's class of tensors or of parameters itself, and no subclass."""
    torch, nn = map(sys.modules.get, ("torch", "torch.nn"))
    return kind in (getattr(torch, "Tensor", None), getattr(nn, "Parameter", None))


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
