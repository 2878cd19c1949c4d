"""Tensors as arguments of the compiled function: checked, and handed over without a copy.

TVM's virtual machine takes torch's tensors and its own through DLPack's C functions. It does not
check all that its kernels rely on: they read with aligned vector loads, so that a tensor at another
address ends the process. Here a check that costs less than a microsecond lets a tensor pass as it
is; any other tensor is looked at closely, and is copied where that is all it takes, or refused.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np
import tvm_ffi

from tvmfuse.arrays import (
    ALIGNMENT,
    CPU,
    as_tensor,
    copied_to,
    empty,
    is_foreign,
    numpy_dtype,
)
from tvmfuse.errors import InputError
from tvmfuse.manifest import TensorSpec
from tvmfuse.runtime.feeds import check_names, check_shapes
from tvmfuse.runtime.sharing import expected, plain_array, shared_tensor, type_name

#: How many combinations of shapes that fit the model are remembered.
REMEMBERED: Final = 256

_Quick: TypeAlias = tuple[object, np.dtype[Any] | None]
"""Of an input: torch's dtype, and numpy's."""


class Arguments:
    """What one program takes; any number of threads may ask at once.

    Args:
        inputs: What every call gives.
        overridable: What it may give after them.
        defaults: The values of `overridable` where they are not given, on `device`.
        device: Where the kernels run.
    """

    def __init__(
        self,
        inputs: Sequence[TensorSpec],
        overridable: Sequence[TensorSpec],
        defaults: Sequence[tvm_ffi.Tensor],
        device: tvm_ffi.Device,
    ) -> None:
        self._specs = (*inputs, *overridable)
        self._required = len(inputs)
        self._defaults = dict(zip((spec.name for spec in overridable), defaults, strict=True))
        self._device = device
        self._torch: Any = None
        self._quick: Sequence[_Quick] = ()
        self._fitting: set[tuple[tuple[int, ...], ...]] = set()
        self._latest: list[tuple[int, ...]] = []

    def __call__(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Return what the virtual machine takes: one tensor for each input, in order.

        Args:
            tensors: See `Executable.call`.

        Raises:
            InputError: A tensor is missing, or does not fit the model.
        """
        arguments = self._in_order(tensors)
        torch_tensor, checks = self._checks()
        shapes: list[tuple[int, ...]] = []
        take = shapes.append
        # In this loop each attribute counts: it runs for every tensor of every call.
        for tensor, (torch_dtype, dtype) in zip(arguments, checks, strict=True):
            kind = type(tensor)
            if kind is torch_tensor:
                try:
                    if (
                        tensor.dtype is torch_dtype
                        and tensor.is_cpu
                        and tensor.is_contiguous()
                        and (address := tensor.data_ptr())  # 0: no elements, or a freed storage
                        and not address % ALIGNMENT
                        and not tensor.is_neg()
                    ):
                        take(tensor.shape)
                        continue
                except RuntimeError:
                    pass  # it has no memory of its own, which is said in words below
            elif kind is np.ndarray:
                if tensor.dtype is dtype and tensor.flags.carray and tensor.size:
                    shared = tvm_ffi.from_dlpack(tensor)
                    misaligned = shared.data_ptr() % ALIGNMENT
                    arguments[len(shapes)] = as_tensor(tensor) if misaligned else shared
                    take(tensor.shape)
                    continue
            elif (
                dtype is not None
                and isinstance(tensor, tvm_ffi.Tensor)
                and tensor.is_contiguous()
                and not tensor.data_ptr() % ALIGNMENT
                and (view := _on_cpu(tensor)) is not None
                and view.dtype is dtype
            ):
                take(view.shape)
                continue
            place = len(shapes)
            arguments[place] = checked = self._closely(self._specs[place], tensor)
            take(tuple(checked.shape))
        if shapes != self._latest:  # which is quicker than to hash them
            self._check_shapes(tuple(shapes))
            self._latest = shapes
        return arguments

    def _in_order(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        # Lists first: to ask for an abstract class takes as long as to check a tensor.
        if isinstance(tensors, list | tuple):
            return self._with_defaults(tensors)
        if isinstance(tensors, Mapping):
            tensors = {**self._defaults, **tensors}
            check_names([spec.name for spec in self._specs], tensors)
            return [tensors[spec.name] for spec in self._specs]
        raise InputError(
            "expected a list of tensors in the order of the inputs, or a mapping from their "
            f"names, found {type_name(tensors)}"
        )

    def _with_defaults(self, tensors: Sequence[Any]) -> list[Any]:
        if len(tensors) == len(self._specs):
            return list(tensors)
        if not self._required <= len(tensors) < len(self._specs):
            counts = sorted({self._required, len(self._specs)})
            names = ", ".join(repr(spec.name) for spec in self._specs) or "none"
            raise InputError(
                f"expected {' to '.join(map(str, counts))} tensors ({names}), found {len(tensors)}"
            )
        return [*tensors, *list(self._defaults.values())[len(tensors) - self._required :]]

    def _checks(self) -> tuple[Any, Sequence[_Quick]]:
        """Return torch's class, if somebody imported it, and what is quick to check."""
        torch, on_cpu = sys.modules.get("torch"), self._device == CPU
        tensor = getattr(torch, "Tensor", None)
        if self._torch is not tensor or not self._quick:
            self._quick = [
                (getattr(torch, spec.dtype, None), _numpy_dtype(spec) if on_cpu else None)
                for spec in self._specs
            ]
            self._torch = tensor
        return tensor if on_cpu else None, self._quick

    def _check_shapes(self, shapes: tuple[tuple[int, ...], ...]) -> None:
        if shapes not in self._fitting:
            check_shapes(self._specs, shapes)
            if len(self._fitting) >= REMEMBERED:
                self._fitting.clear()
            self._fitting.add(shapes)

    def _closely(self, spec: TensorSpec, tensor: object) -> tvm_ffi.Tensor:
        """Return a tensor that fits, a copy if it must be, and refuse one that does not."""
        if isinstance(tensor, np.ndarray):
            return self._array(spec, tensor)
        shared = shared_tensor(spec, tensor)
        if shared.device != self._device:
            self._refuse_device(spec, shared.device)
        if not shared.numel():
            return empty(tuple(shared.shape), spec.dtype, self._device)
        if not shared.is_contiguous():
            raise InputError(
                f"{expected(spec)} in one contiguous piece, found strides "
                f"{tuple(shared.strides)} of the shape {tuple(shared.shape)}: call .contiguous()"
            )
        return shared if _is_aligned(shared) else copied_to(shared, self._device)

    def _array(self, spec: TensorSpec, array: np.ndarray) -> tvm_ffi.Tensor:
        if self._device != CPU:
            self._refuse_device(spec, CPU)
        if not array.dtype.isnative:
            raise InputError(
                f"{expected(spec)}, found dtype {array.dtype.name} in the other byte order "
                f"({array.dtype.str}): convert it with .astype({spec.dtype!r})"
            )
        if array.dtype != numpy_dtype(spec.dtype):
            raise InputError(f"{expected(spec)}, found dtype {array.dtype.name}: convert it first")
        array = plain_array(spec, array)
        if not array.flags.c_contiguous:
            raise InputError(
                f"{expected(spec)} in one contiguous piece, found strides of {array.strides} bytes "
                f"of the shape {array.shape}: take np.ascontiguousarray"
            )
        return as_tensor(array)

    def _refuse_device(self, spec: TensorSpec, found: tvm_ffi.Device) -> NoReturn:
        raise InputError(
            f"{expected(spec)} on {self._device}, where the model was compiled for, found a tensor "
            f"on {found}: move it there first"
        )


def _on_cpu(tensor: tvm_ffi.Tensor) -> np.ndarray | None:
    """Return an array over a tensor on the CPU: its dtype and shape are read sooner than TVM's."""
    try:
        return np.from_dlpack(tensor)
    except (BufferError, TypeError, RuntimeError, ValueError):
        return None


def _is_aligned(tensor: tvm_ffi.Tensor) -> bool:
    return tensor.data_ptr() % ALIGNMENT == 0


def _numpy_dtype(spec: TensorSpec) -> np.dtype[Any] | None:
    """Return numpy's dtype, an object of which there is one; None if DLPack does not pass it."""
    dtype = numpy_dtype(spec.dtype)
    return None if is_foreign(dtype) else dtype
