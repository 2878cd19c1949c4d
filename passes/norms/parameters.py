"""The tensors that scale and shift normalized rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tvm.ir import Expr, GenericConst

from tvmfuse.ir.types import Dim, array_of, constant, dtype_of, known_array, same_dims, shape_of


def fits(tensor: Expr, normalized: Sequence[Dim], dtype: str) -> bool:
    """Whether a tensor holds one number for each element of a row, or can be made to.

    >>> fits(constant(np.ones((1, 1, 3), "float32")), (3,), "float32")
    True
    """
    if dtype_of(tensor) != dtype:
        return False
    if same_dims(shape_of(tensor), normalized):
        return True
    array, sizes = array_of(tensor), [d for d in normalized if isinstance(d, int)]
    if array is None or len(sizes) < len(normalized):
        return False
    return _own(array).ndim <= len(sizes) and all(
        a in (1, b) for a, b in zip(_own(array).shape[::-1], sizes[::-1], strict=False)
    )


def filling(tensor: Expr, normalized: Sequence[Dim]) -> Expr:
    """Return a tensor that fits, with exactly a row's shape."""
    if not isinstance(tensor, GenericConst) or same_dims(shape_of(tensor), normalized):
        return tensor
    sizes = [d for d in normalized if isinstance(d, int)]
    return constant(np.broadcast_to(_own(known_array(tensor)), sizes))


def filled(number: float, normalized: Sequence[Dim], dtype: str) -> Expr | None:
    """Return a row of one number; None where a row's length is not known."""
    sizes = [d for d in normalized if isinstance(d, int)]
    return constant(np.full(sizes, number, dtype)) if len(sizes) == len(normalized) else None


def _own(array: np.ndarray) -> np.ndarray:
    """Return the array without leading dimensions of 1."""
    while array.ndim and array.shape[0] == 1:
        array = array[0]
    return array
