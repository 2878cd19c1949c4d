"""Tensors as arguments of the compiled function: checked, and handed over without a copy.

TVM's virtual machine takes torch's tensors and its own through DLPack's C functions. It does not
check all that its kernels rely on: they read with aligned vector loads, so that a tensor at another
address ends the process. Here tensors that are like those of an earlier call pass, which machine
code sees in a fraction of a microsecond (``build/native/arguments.c``). Any other tensor is looked
at closely, and is copied where that is all it takes, or refused.
"""

from __future__ import annotations

import functools
import itertools
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np
import tvm_ffi

from tvmfuse.arrays import ALIGNMENT, numpy_dtype, stored
from tvmfuse.errors import InputError
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.described import expected
from tvmfuse.runtime.feeds import check_indices, check_names, check_shapes, no_tensors
from tvmfuse.runtime.quick_functions import functions
from tvmfuse.runtime.shared_tensors import shared_tensor
from tvmfuse.runtime.sharing import plain_array
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.tensors import CPU, as_tensor, copied_to, empty

#: How many calls that differ in shapes are remembered.
REMEMBERED: Final = 8

#: What stands behind the last list that says what tensors were.
END: Final = -1

Known: TypeAlias = tuple[int, "array[int]"]
"""The address of such lists, as ``arguments.c`` reads them, and the memory."""


class Arguments:
    """What one program takes; any number of threads may ask at once.

    Args:
        inputs: What every call gives.
        overridable: What it may give after them.
        defaults: The values of `overridable` where they are not given, on `device`.
        device: Where the kernels run.
        further: What a call that is told where to write takes beside them, always alike.

    Attributes:
        known: What the tensors of earlier calls were.
        known_direct: The same, with `further`.
    """

    def __init__(
        self,
        inputs: Sequence[TensorSpec],
        overridable: Sequence[TensorSpec],
        defaults: Sequence[tvm_ffi.Tensor],
        device: tvm_ffi.Device,
        further: Sequence[tvm_ffi.Tensor] = (),
    ) -> None:
        self._specs = (*inputs, *overridable)
        self._required = len(inputs)
        self._defaults = dict(zip((spec.name for spec in overridable), defaults, strict=True))
        self._device = device
        # A GPU's are not looked at: to wait for it takes as long as some kernels.
        picks = any(spec.index_constraints for spec in self._specs)
        self._have_indices = picks and device == CPU
        self._further = _list_of(further)[1:]
        self._lists: tuple[array[int], ...] = ()
        self.known = self.known_direct = _end_to_end(self._lists)

    def closely(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[tvm_ffi.Tensor]:
        """Return what the virtual machine takes, and remember what such tensors are.

        Args:
            tensors: See `Executable.call`.

        Raises:
            InputError: A tensor is missing, or does not fit the model.
        """
        pairs = zip(self._specs, self._in_order(tensors), strict=True)
        checked = [self._checked(spec, tensor) for spec, tensor in pairs]
        check_shapes(self._specs, [tuple(tensor.shape) for tensor in checked])
        if self._have_indices:
            check_indices(self._specs, checked)
        self._remember(_list_of(checked))
        return checked

    def at_a_glance(self, tensors: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any] | None:
        """Return tensors in order that may be `known`; None if they have to be looked at closely.

        Args:
            tensors: See `Executable.call`.

        Raises:
            InputError: A tensor is missing, or an index is out of range.
        """
        quick = _as_they_lie(self._in_order(tensors))
        if quick is None or not self._have_indices:
            return quick
        if not self.are_known(quick):
            return None
        check_indices(self._specs, quick)
        return quick

    def are_known(self, tensors: Sequence[Any]) -> bool:
        """Whether tensors are like those of an earlier call, in memory that kernels can read."""
        address, _held = self.known
        try:
            return functions().known(address, *tensors)
        except (BufferError, RuntimeError, TypeError, ValueError):
            return False  # a tensor that has no memory, a sparse one say

    def _remember(self, tensors: array[int]) -> None:
        # What is copied each time, a misaligned array say, is like it was, and not quick.
        others = (known for known in self._lists if known != tensors)
        self._lists = (tensors, *others)[:REMEMBERED]
        self.known = _end_to_end(self._lists)
        both = (known[1:] + self._further for known in self._lists)
        self.known_direct = _end_to_end([array("q", [len(numbers)]) + numbers for numbers in both])

    def _in_order(self, tensors: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any]:
        # Lists first: to ask for an abstract class takes as long as to check a tensor.
        if isinstance(tensors, list | tuple):
            return tensors if len(tensors) == len(self._specs) else self._with_defaults(tensors)
        if isinstance(tensors, Mapping):
            tensors = {**self._defaults, **tensors}
            check_names([spec.name for spec in self._specs], tensors)
            return [tensors[spec.name] for spec in self._specs]
        raise no_tensors(tensors)

    def _with_defaults(self, tensors: Sequence[Any]) -> list[Any]:
        if not self._required <= len(tensors) < len(self._specs):
            counts = sorted({self._required, len(self._specs)})
            names = ", ".join(repr(spec.name) for spec in self._specs) or "none"
            raise InputError(
                f"expected {' to '.join(map(str, counts))} tensors ({names}), found {len(tensors)}"
            )
        return [*tensors, *list(self._defaults.values())[len(tensors) - self._required :]]

    def _checked(self, spec: TensorSpec, tensor: object) -> tvm_ffi.Tensor:
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


def _as_they_lie(arguments: Sequence[Any]) -> Sequence[Any] | None:
    """Return what TVM takes without a copy; None if a tensor is to be looked at closely."""
    kinds: set[Any] = {*map(type, arguments)}
    if kinds and all(map(_is_torchs, kinds)):
        # The numbers of some have another sign than those in memory.
        return None if any(map(kinds.pop().is_neg, arguments)) else arguments
    taken = []
    try:
        for tensor in arguments:
            kind: Any = type(tensor)
            if kind is np.ndarray:
                taken.append(tvm_ffi.from_dlpack(tensor))
            elif isinstance(tensor, tvm_ffi.Tensor) or (_is_torchs(kind) and not tensor.is_neg()):
                taken.append(tensor)
            else:
                return None
    except (BufferError, RuntimeError, TypeError, ValueError):
        return None  # for example, numpy passes on no array that must not be written to
    return taken


@functools.lru_cache
def _is_torchs(kind: type) -> bool:
    """Whether it is torch's class of tensors or of parameters itself, and no subclass."""
    torch, nn = map(sys.modules.get, ("torch", "torch.nn"))
    return kind in (getattr(torch, "Tensor", None), getattr(nn, "Parameter", None))


def _list_of(tensors: Sequence[tvm_ffi.Tensor]) -> array[int]:
    """Return the list of what tensors are: device, dtype, rank and sizes of each."""
    numbers = array("q")
    for tensor in tensors:
        device, dtype = tensor.device, tensor.dtype
        packed = dtype.type_code | dtype.bits << 8 | dtype.lanes << 16
        shape = tuple(tensor.shape)
        numbers.extend((device.dlpack_device_type(), device.index, packed, len(shape), *shape))
    return array("q", [len(numbers)]) + numbers


def _end_to_end(lists: Sequence[array[int]]) -> Known:
    numbers = array("q", [*itertools.chain(*lists), END])
    return numbers.buffer_info()[0], numbers


def _is_aligned(tensor: tvm_ffi.Tensor) -> bool:
    return tensor.data_ptr() % ALIGNMENT == 0
