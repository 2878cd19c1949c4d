"""The tensor of the ONNX graph that a kernel's result holds, however the passes laid it out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from tvmfuse.manifest import StoredValue
from tvmfuse.measure.agreement import Array

AS_IT_IS: Final = "as it is"


def restored(stored: StoredValue, array: Array, shape: Sequence[int] = ()) -> Array:
    """Return the value that a kernel's result holds, as a view of it.

    Args:
        stored: How it holds it.
        array: The result.
        shape: Of the value, where it is reshaped.

    >>> restored(StoredValue("y", axes=(1, 0)), np.zeros((2, 3))).shape
    (3, 2)
    """
    if stored.blocked:
        channels = array.shape[1] * array.shape[-1]
        plain = (array.shape[0], channels, *array.shape[2:-1])
        array = np.moveaxis(array, -1, 2).reshape(plain)
    if stored.part is not None:
        axis, begin, end = stored.part
        array = array[(slice(None),) * axis + (slice(begin, end),)]
    array = array.transpose(stored.axes) if stored.axes else array
    same = stored.reshaped and array.size == math.prod(shape)
    return array.reshape(shape) if same else array


def write_back(stored: StoredValue, array: Array, value: Array) -> None:
    """Let a kernel's result hold another value of the same shape and dtype."""
    if not stored.blocked:
        restored(stored, array)[...] = value
        return
    plain = restored(StoredValue(stored.name, blocked=True), array).copy()
    restored(StoredValue(stored.name, part=stored.part, axes=stored.axes), plain)[...] = value
    block = array.shape[-1]
    chunks = plain.reshape(plain.shape[0], -1, block, *plain.shape[2:])
    array[...] = np.moveaxis(chunks, 2, -1)


def order_in_words(stored: StoredValue, array: Array) -> str:
    """Say how a kernel's result holds a value.

    >>> order_in_words(StoredValue("q", part=(1, 0, 4)), np.zeros((2, 12)))
    '0 to 4 of axis 1'
    """
    words = [f"channels in blocks of {array.shape[-1]}"] if stored.blocked else []
    if stored.part is not None:
        words.append("{1} to {2} of axis {0}".format(*stored.part))
    words += [f"axes {stored.axes}"] if stored.axes else []
    words += ["reshaped"] if stored.reshaped else []
    return ", ".join(words) or AS_IT_IS
