"""Tensors as arguments of compiled code: checked, and handed over without a copy.

Kernels read with aligned vector loads, so that a tensor at another address ends the process. What
is contiguous and just of the model's dtype is taken as it lies; a copy is made where that is all it
takes, and anything else is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmfuse.arrays import ALIGNMENT, address, aligned_copy, stored
from tvmfuse.errors import InputError
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.described import expected
from tvmfuse.runtime.feeds import check_dtype, check_indices, check_names, check_shapes, no_tensors
from tvmfuse.runtime.frame import Located
from tvmfuse.runtime.sharing import is_torchs, plain_array, torchs_array
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.without_torch import require_ffi

#: How many lists of shapes are remembered, as they were looked at.
MOST: Final = 64


class Arguments:
    """What one program takes; any number of threads may ask at once.

    Args:
        inputs: What every call gives.
        overridable: What it may give after them.
        defaults: The values of `overridable` where they are not given.
    """

    def __init__(
        self,
        inputs: Sequence[TensorSpec],
        overridable: Sequence[TensorSpec],
        defaults: Sequence[Any],
    ) -> None:
        self._specs = (*inputs, *overridable)
        self._required = len(inputs)
        self._defaults = dict(zip((spec.name for spec in overridable), defaults, strict=True))
        self._have_indices = any(spec.index_constraints for spec in self._specs)
        self._fitting = set[tuple[tuple[int, ...], ...]]()

    def on_cpu(
        self, tensors: Sequence[Any] | Mapping[str, Any], written: Collection[int] = ()
    ) -> tuple[list[Any], list[Located]]:
        """Return tensors on the CPU, copies where they must be, and where they lie.

        Args:
            tensors: See `Executable.call`.
            written: The places of those that are going to be written to.

        Raises:
            InputError: A tensor is missing, or does not fit the model.
        """
        pairs = zip(self._specs, self.in_order(tensors), strict=True)
        found = [
            _on_cpu(spec, tensor, is_written=place in written)
            for place, (spec, tensor) in enumerate(pairs)
        ]
        held, lie = [tensor for tensor, _ in found], [located for _, located in found]
        self.check_shapes(tuple([shape for _, shape in lie]))
        if self._have_indices:
            check_indices(self._specs, held)
        return held, lie

    def check_shapes(self, shapes: tuple[tuple[int, ...], ...]) -> None:
        """Refuse shapes that the model does not take; those that it took lately are known.

        Raises:
            InputError: There is such a shape.
        """
        if shapes not in self._fitting:
            check_shapes(self._specs, shapes)
            if len(self._fitting) >= MOST:
                self._fitting.clear()
            self._fitting.add(shapes)

    def in_order(self, tensors: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any]:
        """Return a tensor for each input, and for each overridable one.

        Raises:
            InputError: One is missing.
        """
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


def _on_cpu(spec: TensorSpec, tensor: Any, *, is_written: bool) -> tuple[Any, Located]:
    """Return a tensor that fits, a copy if it must be, and where it lies."""
    kind: Any = type(tensor)
    if is_torchs(kind) and (begin := _torchs_begin(spec, tensor)):
        if begin % ALIGNMENT == 0:
            return tensor, (begin, tensor.shape)
        if (array := torchs_array(tensor)) is not None:
            array, begin = aligned_copy(array)
            return array, (begin, array.shape)
    array = _array(spec, tensor) if isinstance(tensor, np.ndarray) else _shared(spec, tensor)
    begin = address(array)
    if begin % ALIGNMENT or (is_written and not array.flags.writeable):
        array, begin = aligned_copy(array)
    return array, (begin, array.shape)


def _shared(spec: TensorSpec, tensor: object) -> np.ndarray:
    require_ffi()  # Not before: an array needs nothing of TVM.
    from tvmfuse.runtime.shared_tensors import checked_tensor
    from tvmfuse.tensors import CPU, as_array

    return as_array(checked_tensor(spec, tensor, CPU))


def _torchs_begin(spec: TensorSpec, tensor: Any) -> int:
    """Return where a tensor of torch's lies, if kernels can read it there but for its address."""
    torch = sys.modules["torch"]
    try:
        lies_in_rows = (
            tensor.dtype is getattr(torch, stored_as(spec.dtype), None)
            and tensor.layout is torch.strided
            and tensor.device.type == "cpu"
            and not tensor.is_nested
            and tensor.is_contiguous()
            and not tensor.is_neg()
        )
        return int(tensor.data_ptr()) if lies_in_rows else 0
    except RuntimeError:  # it has no memory, inside torch.vmap say
        return 0


def _array(spec: TensorSpec, array: np.ndarray) -> np.ndarray:
    check_dtype(spec, array)
    array = plain_array(spec, array)
    if not array.flags.c_contiguous:
        raise InputError(
            f"{expected(spec)} in one contiguous piece, found strides of {array.strides} bytes "
            f"of the shape {array.shape}: take np.ascontiguousarray"
        )
    return stored(array)
