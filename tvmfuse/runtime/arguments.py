"""Tensors as arguments of the compiled function: checked, and handed over without a copy.

TVM's virtual machine takes torch's tensors and its own through DLPack's C functions. It does not
check all that its kernels rely on: they read with aligned vector loads, so that a tensor at another
address ends the process. Here tensors that are like those of an earlier call pass, which machine
code sees in a fraction of a microsecond (``build/native/arguments.c``). Any other tensor is looked
at closely, and is copied where that is all it takes, or refused.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np
import tvm_ffi

from tvmfuse.arrays import ALIGNMENT, CPU, as_tensor, copied_to, empty, numpy_dtype, stored
from tvmfuse.errors import InputError
from tvmfuse.manifest import TensorSpec
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.feeds import check_names, check_shapes, no_tensors
from tvmfuse.runtime.launcher import current
from tvmfuse.runtime.sharing import expected, plain_array, shared_tensor

#: How many calls that differ in shapes are remembered.
REMEMBERED: Final = 8

Known: TypeAlias = tuple[int, "array[int]"]
"""The address of a list that says what tensors were, as ``arguments.c`` reads it, and the list."""


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
        self._alike = current().alike
        self._known: tuple[Known, ...] = ()

    def __call__(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Return what the virtual machine takes: one tensor for each input, in order.

        Args:
            tensors: See `Executable.call`.

        Raises:
            InputError: A tensor is missing, or does not fit the model.
        """
        arguments = self._in_order(tensors)
        quick = _as_they_lie(arguments) if self._known else None
        if quick is None or not self._is_known(quick):
            quick = [self._closely(s, t) for s, t in zip(self._specs, arguments, strict=True)]
            check_shapes(self._specs, [tuple(tensor.shape) for tensor in quick])
            known = _known(quick)
            # What is copied each time, a misaligned array say, is like it was, and not quick.
            others = (k for k in self._known if k[1] != known[1])
            self._known = (known, *others)[:REMEMBERED]
        return quick

    def _is_known(self, tensors: Sequence[Any]) -> bool:
        """Whether tensors are like those of an earlier call, in memory that kernels can read."""
        for place, known in enumerate(self._known):
            try:
                found = self._alike(known[0], *tensors)
            except (BufferError, RuntimeError, TypeError, ValueError):
                return False  # a tensor that has no memory, a sparse one say
            if found == len(tensors):
                if place:
                    self._known = (known, *(k for k in self._known if k is not known))
                return True
        return False

    def _in_order(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        # Lists first: to ask for an abstract class takes as long as to check a tensor.
        if isinstance(tensors, list | tuple):
            return self._with_defaults(tensors)
        if isinstance(tensors, Mapping):
            tensors = {**self._defaults, **tensors}
            check_names([spec.name for spec in self._specs], tensors)
            return [tensors[spec.name] for spec in self._specs]
        raise no_tensors(tensors)

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

    def _closely(self, spec: TensorSpec, tensor: object) -> tvm_ffi.Tensor:
        """Return a tensor that fits, a copy if it must be, and refuse one that does not."""
        if isinstance(tensor, np.ndarray):
            return self._array(spec, tensor)
        shared = shared_tensor(replace(spec, dtype=stored_as(spec.dtype)), tensor)
        if shared.device != self._device:
            self._refuse_device(spec, shared.device)
        if not shared.numel():
            return empty(tuple(shared.shape), str(shared.dtype), self._device)
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
        return as_tensor(stored(array))

    def _refuse_device(self, spec: TensorSpec, found: tvm_ffi.Device) -> NoReturn:
        raise InputError(
            f"{expected(spec)} on {self._device}, where the model was compiled for, found a tensor "
            f"on {found}: move it there first"
        )


def _as_they_lie(arguments: Sequence[Any]) -> list[Any] | None:
    """Return what TVM takes without a copy; None if a tensor is to be looked at closely."""
    torch_tensor = getattr(sys.modules.get("torch"), "Tensor", None)
    parameter = getattr(sys.modules.get("torch.nn"), "Parameter", None)
    taken = []
    try:
        for tensor in arguments:
            kind = type(tensor)
            if kind is torch_tensor or kind is parameter:
                if tensor.is_neg():  # its numbers have another sign than those in memory
                    return None
                taken.append(tensor)
            elif kind is np.ndarray:
                taken.append(tvm_ffi.from_dlpack(tensor))
            elif isinstance(tensor, tvm_ffi.Tensor):
                taken.append(tensor)
            else:
                return None
    except (BufferError, RuntimeError, TypeError, ValueError):
        return None  # for example, numpy passes on no array that must not be written to
    return taken


def _known(tensors: Sequence[tvm_ffi.Tensor]) -> Known:
    """Return the list of what tensors are: device, dtype, rank and sizes of each."""
    numbers = array("q")
    for tensor in tensors:
        device, dtype = tensor.device, tensor.dtype
        packed = dtype.type_code | dtype.bits << 8 | dtype.lanes << 16
        shape = tuple(tensor.shape)
        numbers.extend((device.dlpack_device_type(), device.index, packed, len(shape), *shape))
    return numbers.buffer_info()[0], numbers


def _is_aligned(tensor: tvm_ffi.Tensor) -> bool:
    return tensor.data_ptr() % ALIGNMENT == 0
