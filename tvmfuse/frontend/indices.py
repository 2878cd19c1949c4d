"""Indices that a node is given: each is of an element that there is, or the run says which is not.

=============================  ====================================================================
constants                      are looked at here
what is evidently in range     needs nothing: the places that a TopK gives, say
inputs of the model            are looked at where the model is fed (`IndexConstraint`)
all others                     are looked at by a kernel (`tvmfuse.ops.checked_indices`)
=============================  ====================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.emitter import NodeEmitter
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.sizes import LARGEST
from tvmfuse.ir.types import constant, dtype_of, numbers_of
from tvmfuse.ops import checked_indices


@dataclass(frozen=True)
class Indices:
    """Indices that are counted from the front.

    Attributes:
        tensor: They.
        are_in_range: Whether that is certain. Else it was so when the model was fed, and who feeds
            it may change the numbers meanwhile: no memory may depend on it.
    """

    tensor: Expr
    are_in_range: bool


def indices_of(
    op: NodeEmitter,
    given: Expr,
    sizes: Sequence[Dim],
    *,
    from_back: bool = True,
    may_be_fed: bool = True,
) -> Indices:
    """Return indices that are in range.

    Args:
        op: The node that they are given.
        given: int32 or int64, of any shape.
        sizes: How many elements there are, or so for each column of the last axis.
        from_back: Whether those below zero count from the back; else they are out of range.
        may_be_fed: Whether to leave those that the model is fed to whoever feeds it.

    Raises:
        CannotConvertError: A constant is out of range.
    """
    numbers = numbers_of(given)
    if numbers is not None and _are_sure(op, numbers, sizes, from_back=from_back):
        negative = bool((numbers < 0).any())
        fixed = [size for size in sizes if isinstance(size, int)]
        if negative and len(fixed) == len(sizes):
            extents = np.array(fixed[0] if len(fixed) == 1 else fixed, numbers.dtype)
            given = constant(np.where(numbers < 0, numbers + extents, numbers))
            negative = False
        return Indices(from_front(op, given, sizes, negative=negative), are_in_range=True)
    found = op.ranges.of_columns(given, len(sizes))
    least = [op.symbols.simplify(-size) if from_back else 0 for size in sizes]
    if all(map(op.ranges.within, found, least, sizes)):
        negative = not all(r.least is not None and op.symbols.non_negative(r.least) for r in found)
        return Indices(from_front(op, given, sizes, negative=negative), are_in_range=True)
    if may_be_fed and len(sizes) == 1 and op.picks(given, sizes[0], from_back=from_back):
        return Indices(from_front(op, given, sizes, negative=from_back), are_in_range=False)

    def check() -> Expr:
        extents = size_vector(op, sizes, "int64")
        return checked_indices(given, extents, op.name, from_back=from_back)

    key = "checked indices", given, str(sizes), from_back
    return Indices(op.once(key, check), are_in_range=True)


def from_front(
    op: NodeEmitter, given: Expr, sizes: Sequence[Dim], *, negative: bool = True
) -> Expr:
    """Return indices counted from the front, where some may be negative."""
    if not negative:
        return given
    dtype = dtype_of(given)
    below = op.emit(relax.op.less(given, relax.const(0, dtype)))
    extent = size_vector(op, sizes, dtype)
    if len(sizes) == 1:
        extent = op.emit(in_shape(extent, []))
    return op.emit(relax.op.where(below, op.emit(relax.op.add(given, extent)), given))


def clamped(op: NodeEmitter, indices: Expr, sizes: Sequence[Dim]) -> Expr:
    """Return indices none of which is out of range, whatever they were; there are elements."""
    for size in sizes:
        op.same(size, op.symbols.larger(size, 1))
    dtype = dtype_of(indices)
    last = op.emit(relax.op.subtract(size_vector(op, sizes, dtype), relax.const(1, dtype)))
    least = op.emit(relax.op.maximum(indices, relax.const(0, dtype)))
    return op.emit(relax.op.minimum(least, last))


def size_vector(op: NodeEmitter, sizes: Sequence[Dim], dtype: str) -> Expr:
    """Return dimensions as a tensor, shape (K,)."""
    if all(isinstance(size, int) for size in sizes):
        return constant(np.array(sizes, dtype))
    vector = op.emit(relax.op.shape_to_tensor(relax.ShapeExpr([*sizes])))
    return vector if dtype == "int64" else op.emit(relax.op.astype(vector, dtype))


def _are_sure(
    op: NodeEmitter, numbers: np.ndarray, sizes: Sequence[Dim], *, from_back: bool
) -> bool:
    """Whether constants are in range: they are where sizes are fixed, or the inputs' tell."""
    sure, columns = True, numbers.reshape(-1, len(sizes)).T if numbers.size else ()
    for column, size in zip(columns, sizes, strict=False):
        needed = max(int(column.max()) + 1, -int(column.min()))
        known = size if isinstance(size, int) else needed
        wrong = column[(column < (-known if from_back else 0)) | (column >= known)]
        op.require(not wrong.size, f"index {wrong[:1]} is out of range for {size} elements")
        if known is not size:
            op.require(needed < LARGEST, f"index {needed - 1} is out of range for any axis")
            sure = op.same(size, op.symbols.larger(size, needed)) and sure
    return sure
