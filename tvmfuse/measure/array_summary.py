"""An array in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tvmfuse.result import Record


@dataclass(frozen=True)
class ArraySummary(Record):
    """One array by its name: type, shape, the range of its finite elements, and the others.

    Attributes:
        name: Of the input or output.
        dtype: As numpy calls it.
        shape: Its sizes.
        min: The smallest finite element; None where there is none, as for `mean` and `max`.
        mean: Of the finite elements.
        max: The largest finite element.
        nan: How many elements are NaN.
        infinite: How many are infinite.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    min: float | None
    mean: float | None
    max: float | None
    nan: int
    infinite: int


def array_summary(name: str, array: Any) -> ArraySummary:
    """Look through an array of any dtype and shape; of strings, and of a list, only say what it is.

    >>> array_summary("y", np.array([1.0, 3.0, np.nan], np.float32)).to_json()["mean"]
    2.0
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind in "OSTU":
        is_array = isinstance(array, np.ndarray)
        kind = "string" if is_array else type(array).__name__
        sizes = array.shape if is_array else (len(array),) if isinstance(array, list) else ()
        return ArraySummary(name, kind, tuple(sizes), None, None, None, 0, 0)
    numbers = np.asarray(array).astype(np.float64)
    inside = numbers[np.isfinite(numbers)]
    span = (inside.min(), inside.mean(), inside.max()) if inside.size else (None,) * 3
    low, mean, high = (None if value is None else float(value) for value in span)
    nan = int(np.count_nonzero(np.isnan(numbers)))
    infinite = numbers.size - inside.size - nan
    shape = tuple(map(int, array.shape))
    return ArraySummary(name, str(array.dtype), shape, low, mean, high, nan, infinite)
