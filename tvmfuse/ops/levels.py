"""A split into many tensors, in levels: no call has more than a few results.

Before::  x0, ..., x99 = split(x)
After::   a, b, c, d = split(x);  x0, ..., x31 = split(a);  ...;  x96, ..., x99 = split(d)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TypeVar

from tvm.ir import Expr, TupleGetItem

Item = TypeVar("Item")


def split_in_levels(
    x: Expr,
    sizes: Sequence[int],
    widest: int,
    split: Callable[[Expr, Sequence[int]], Expr],
    emit: Callable[[Expr], Expr],
) -> list[Expr]:
    """Return the parts of a tensor that have these sizes along an axis, and the last one the rest.

    As many as make the same kernels are taken apart together: a power of `widest`.

    Args:
        x: The tensor.
        sizes: Of its parts.
        widest: Results of one call at most.
        split: Gives the call that takes a tensor apart at these places.
        emit: Binds an expression to a variable.
    """
    if len(sizes) == 1:
        return [x]
    together = 1
    while together * widest < len(sizes):
        together *= widest
    parts = batches(sizes, together)
    ends = [*itertools.accumulate(map(sum, parts))][:-1]
    coarse = emit(split(x, ends))
    return [
        part
        for place, inner in enumerate(parts)
        for part in split_in_levels(emit(TupleGetItem(coarse, place)), inner, widest, split, emit)
    ]


def batches(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """Return the items in order, so many together.

    >>> batches([1, 2, 3], 2)
    [[1, 2], [3]]
    """
    return [items[i : i + size] for i in range(0, len(items), size)]
