"""A run's results as arrays or tensors of the kind that the caller asks for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from itertools import repeat
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import tvm_ffi

from tvmfuse.errors import ConfigurationError
from tvmfuse.tensors import CPU, as_array, copied_to, moved_to
from tvmfuse.tvm_runtime import quick_function

Kind: TypeAlias = Literal["numpy", "torch", "tvm"]
"""Whose tensors: numpy's arrays, torch's tensors, or those of TVM's FFI."""

_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)  # asked for once: that takes 0.3 us


def kind_of(tensors: Any) -> Kind:
    """Return the kind of the first of some tensors, numpy's where there is none."""
    if not isinstance(tensors, list | tuple):
        tensors = list(tensors.values()) if isinstance(tensors, Mapping) else []
    first = tensors[0] if tensors else None
    if first is None or isinstance(first, np.ndarray):
        return "numpy"
    return "torch" if isinstance(first, _torch_tensor()) else "tvm"


def own_kind(output: Any) -> Kind:
    """Return the kind of what the machine returned."""
    return "tvm" if isinstance(output, tvm_ffi.Tensor) else "torch"


def checked_kind(kind: Kind) -> Kind:
    """Return a kind that there is.

    Raises:
        ConfigurationError: There is no such kind.
    """
    if kind not in _KINDS:
        raise ConfigurationError(f"like: expected {', '.join(_KINDS)}, found {kind!r}")
    return kind


def listed(outputs: Any, count: int | None = None) -> list[Any]:
    """Return a list of what `Machines.run` returned.

    Args:
        outputs: That.
        count: How many they are; by default that is asked.
    """
    if type(outputs) is not tvm_ffi.Array:
        return [outputs]
    places = range(len(outputs) if count is None else count)
    element = quick_function("ffi.ArrayGetItem")  # whose own method makes three such calls
    return [*map(element, repeat(outputs), places)]


def as_kind(output: Any, kind: Kind, *, copy: bool) -> Any:
    """Return what the virtual machine returned, in memory of its own.

    Args:
        output: TVM's tensor; or torch's, which TVM's FFI returns to who gave it one.
        kind: What to return.
        copy: Whether the memory may be an input's, a weight's or another output's.

    Raises:
        ConfigurationError: Torch is not installed.
    """
    if kind == "torch" and isinstance(output, _torch_tensor()):
        return output.clone() if copy else output
    tensor = output if isinstance(output, tvm_ffi.Tensor) else tvm_ffi.from_dlpack(output)
    if kind == "numpy":
        array = as_array(moved_to(tensor, CPU))
        return array.copy() if copy else array
    tensor = copied_to(tensor, tensor.device) if copy else tensor
    return _as_torch(tensor) if kind == "torch" else tensor


def _as_torch(tensor: tvm_ffi.Tensor) -> Any:
    torch = sys.modules.get("torch") or _torch()
    # A capsule takes torch half the time of a tensor, which it asks for its device, and for a
    # stream's order on a GPU.
    return torch.from_dlpack(tensor.__dlpack__() if tensor.device == CPU else tensor)


def _torch_tensor() -> Any:
    """Return torch's class where it is imported, else a class of nothing."""
    return getattr(sys.modules.get("torch"), "Tensor", ())


def _torch() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise ConfigurationError(f"like='torch' requires torch: {error}") from error
