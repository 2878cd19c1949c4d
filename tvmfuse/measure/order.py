"""The same numbers in another order: what passes on layouts and transposes leave in memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmfuse.measure.agreement import Array
from tvmfuse.measure.distance import Distance, distance

AS_IT_IS: Final = "as it is"

LIKELY: Final = 1e-2
"""No tensor in the wrong order comes that near, by its largest magnitude."""

MOST_AXES: Final = 5
"""Of 5 axes there are 120 orders; more are not tried."""


@dataclass(frozen=True)
class Placed:
    """How far an array is from the expected one, once it is in the same order.

    Attributes:
        order: In words.
    """

    distance: Distance
    order: str


def placed(expected: Array, found: Array) -> Placed | str:
    """Compare an array with the expected one in the order that its numbers turn out to have.

    A kernel writes a tensor as the next one wants it: transposed, channels in blocks, in another
    shape. What shape and dtype permit is tried; the first order that is near (`LIKELY`) is taken.
    Where none is, the one that the shape says.

    Returns:
        The comparison; or why there is none, in words.
    """
    if expected.dtype != found.dtype:
        return f"it is {found.dtype} here and {expected.dtype} there"
    first: Placed | None = None
    for sure, words, view in _orders(found, expected.shape):
        compared = Placed(distance(expected, view), words)
        if compared.distance.within(LIKELY):
            return compared
        if sure and first is None:
            first = compared
    here, there = ([*map(int, shape)] for shape in (found.shape, expected.shape))
    return first or f"its shape is {here} here and {there} there, and no order of it fits"


def _orders(array: Array, shape: tuple[int, ...]) -> Iterator[tuple[bool, str, Array]]:
    """Yield whether the shape tells the order, its name, and the array in the order of `shape`."""
    if array.shape == shape:
        yield True, AS_IT_IS, array
    if _in_blocks(array.shape, shape):
        block = array.shape[-1]
        plain = np.moveaxis(array, -1, 2).reshape(shape)
        yield True, f"channels in blocks of {block}", plain
    yield from ((False, words, part) for words, part in _parts(array, shape))
    if array.size != math.prod(shape):
        return
    if array.shape != shape:
        yield _squeezed(array.shape) == _squeezed(shape), "reshaped", array.reshape(shape)
    if array.ndim == len(shape) <= MOST_AXES:
        for axes in itertools.permutations(range(array.ndim)):
            if list(axes) != sorted(axes) and tuple(array.shape[a] for a in axes) == shape:
                yield False, f"axes {axes}", array.transpose(axes)


def _parts(array: Array, shape: tuple[int, ...]) -> Iterator[tuple[str, Array]]:
    """Yield the parts of this shape along one axis: several products may be one kernel's."""
    if array.ndim != len(shape):
        return
    other = [a for a in range(array.ndim) if array.shape[a] != shape[a]]
    if len(other) == 1 and shape[other[0]] and array.shape[other[0]] % shape[other[0]] == 0:
        (axis,), size = other, shape[other[0]]
        for start in range(0, array.shape[axis], size):
            part = array[(slice(None),) * axis + (slice(start, start + size),)]
            yield f"{start} to {start + size} of axis {axis}", part


def _in_blocks(found: tuple[int, ...], plain: tuple[int, ...]) -> bool:
    """Whether a shape is NCHW[x]c of another one; see `passes.blocked`.

    >>> _in_blocks((1, 3, 5, 5, 16), (1, 48, 5, 5))
    True
    """
    return (
        len(found) == len(plain) + 1 >= 4
        and (found[0], found[1] * found[-1]) == plain[:2]
        and found[2:-1] == plain[2:]
    )


def _squeezed(shape: tuple[int, ...]) -> list[int]:
    return [size for size in shape if size != 1]
