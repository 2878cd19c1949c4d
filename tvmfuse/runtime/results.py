"""A run's results as arrays or tensors of the kind that the caller asks for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from tvmfuse.arrays import aligned_array, numpy_dtype
from tvmfuse.errors import ConfigurationError
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.frame import Make
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.without_torch import require_ffi

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


def checked_kind(kind: Kind) -> Kind:
    """Return a kind that there is.

    Raises:
        ConfigurationError: There is no such kind.
    """
    if kind not in _KINDS:
        raise ConfigurationError(f"like: expected {', '.join(_KINDS)}, found {kind!r}")
    return kind


def maker(kind: Kind, specs: Sequence[TensorSpec]) -> Make:
    """Return what makes results of a kind, of undefined values, on the CPU.

    Raises:
        ConfigurationError: Torch is not installed.
    """
    return _MAKERS[kind]([stored_as(spec.dtype) for spec in specs])


def _numpys(names: Sequence[str]) -> Make:
    dtypes = [*map(numpy_dtype, names)]

    def make(place: int, shape: Sequence[int]) -> tuple[np.ndarray, int]:
        return aligned_array(shape, dtypes[place])

    return make


def _torchs(names: Sequence[str]) -> Make:
    torch = _torch()
    dtypes, empty = [getattr(torch, name) for name in names], torch.empty

    def make(place: int, shape: Sequence[int]) -> tuple[Any, int]:
        made = empty(shape, dtype=dtypes[place])
        return made, made.data_ptr()

    return make


def _tvms(names: Sequence[str]) -> Make:
    require_ffi()
    from tvmfuse.tensors import empty

    def make(place: int, shape: Sequence[int]) -> tuple[Any, int]:
        made = empty(tuple(shape), names[place])
        return made, made.data_ptr()

    return make


_MAKERS: Final[Mapping[Kind, Callable[[Sequence[str]], Make]]] = {
    "numpy": _numpys,
    "torch": _torchs,
    "tvm": _tvms,
}


def as_kind(tensor: Any, kind: Kind) -> Any:
    """Return an array or tensor as one of a kind, over the same memory; numpy's is on the CPU.

    Raises:
        ConfigurationError: Torch is not installed.
    """
    if kind == "numpy" and isinstance(tensor, np.ndarray):
        return tensor
    if kind == "torch" and isinstance(tensor, _torch_tensor()):
        return tensor
    require_ffi()
    from tvmfuse.tensors import CPU, as_array, as_tensor, as_tvm, moved_to

    shared = as_tensor(tensor) if isinstance(tensor, np.ndarray) else as_tvm(tensor)
    if kind == "numpy":
        return as_array(moved_to(shared, CPU))
    return _torch().from_dlpack(shared) if kind == "torch" else shared


def _torch_tensor() -> Any:
    """Return torch's class where it is imported, else a class of nothing."""
    return getattr(sys.modules.get("torch"), "Tensor", ())


def _torch() -> Any:
    if (torch := sys.modules.get("torch")) is not None:
        return torch
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise ConfigurationError(f"like='torch' requires torch: {error}") from error
