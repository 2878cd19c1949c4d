"""Tensors that a run writes to: whether it may, and that they lie apart from all others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import tvm_ffi

from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.manifest import Manifest
from tvmfuse.tensor_spec import TensorSpec


def check_shares(manifest: Manifest) -> None:
    """Refuse to write to the inputs of a model none of whose outputs may take their memory.

    Raises:
        ConfigurationError: It is such a model.
    """
    if not manifest.shared:
        raise ConfigurationError(
            f"share: no output of {manifest.name} can take the memory of an input; "
            "manifest.shared names those that can"
        )


def check_apart(
    specs: Sequence[TensorSpec], tensors: Sequence[Any], written: Collection[int]
) -> None:
    """Refuse tensors that overlap with one that is going to be written to.

    Args:
        specs: What the model takes.
        tensors: TVM's or torch's, contiguous, one for each.
        written: The places of those that may be written to.

    Raises:
        InputError: Two of them share memory.
    """
    extents = sorted((*_extent(tensor), place) for place, tensor in enumerate(tensors))
    last = (0, 0, 0)  # of those before, the one that ends last
    for begin, end, place in extents:
        if begin < last[1] and begin < end and {place, last[2]} & set(written):
            one, other = (specs[p].name for p in sorted((place, last[2])))
            raise InputError(
                f"the inputs {one!r} and {other!r} lie in the same memory, and with share=True one "
                "of them is written to: expected tensors that lie apart, so copy one"
            )
        last = max(last, (begin, end, place), key=lambda extent: extent[1])


def _extent(tensor: Any) -> tuple[int, int]:
    """Return the first address of a contiguous tensor, and the end behind its last."""
    if isinstance(tensor, tvm_ffi.Tensor):
        dtype = tensor.dtype
        nbytes = tensor.numel() * ((dtype.bits * dtype.lanes + 7) // 8)
    else:
        nbytes = tensor.numel() * tensor.element_size()
    return tensor.data_ptr(), tensor.data_ptr() + nbytes
