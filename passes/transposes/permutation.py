"""Permutations of axes: `permute_dims(x, p)` has axis ``p[i]`` of `x` as its axis `i`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr

from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import Dim, array_of, constant, shape_of

Permutation = tuple[int, ...]

PERMUTE: Final = "relax.permute_dims"

# Moving one element costs more than all operators together.
PER_ELEMENT: Final = 1 << 20

# What a symbolic dimension counts for when transposes are compared: it only has to be more than 1.
NOMINAL: Final = 64


def dims_of(expr: Expr) -> tuple[Dim, ...]:
    """Return the shape of a tensor whose shape is known."""
    shape = shape_of(expr)
    assert shape is not None
    return shape


def permutation_of(call: Call) -> Permutation:
    """Return the permutation of a `permute_dims`; its operand's rank is known."""
    axes = call.attrs.axes
    rank = call.args[0].ty.ndim
    return tuple(reversed(range(rank))) if axes is None else tuple(int(a) % rank for a in axes)


def inverse(p: Permutation) -> Permutation:
    """Return the permutation that undoes `p`.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    return tuple(int(i) for i in np.argsort(p))


def then(first: Permutation, second: Permutation) -> Permutation:
    """Return the permutation that does both.

    >>> then((2, 0, 1), inverse((2, 0, 1)))
    (0, 1, 2)
    """
    return tuple(first[i] for i in second)


def is_identity(p: Permutation) -> bool:
    """Whether every axis stays where it is."""
    return p == tuple(range(len(p)))


def is_reshape(p: Permutation, shape: Sequence[Dim]) -> bool:
    """Whether only axes of extent 1 of an operand of this shape change their places.

    >>> is_reshape((0, 2, 1), (8, 1, 5))
    True
    """
    moved = [axis for axis in p if shape[axis] != 1]
    return moved == sorted(moved)


def cost(p: Permutation, shape: Sequence[Dim]) -> int:
    """Return what a transpose of an operand of this shape costs: for each element, and for itself.

    A reshape in its place moves no element, and still is one operator more.
    """
    if is_identity(p):
        return 0
    if is_reshape(p, shape):
        return 1
    return 1 + PER_ELEMENT * math.prod(d if isinstance(d, int) else NOMINAL for d in shape)


def permuted(shape: Sequence[Dim], p: Permutation) -> list[Dim]:
    """Return the shape after a transpose."""
    return [shape[axis] for axis in p]


def transpose(expr: Expr, p: Permutation, shape: Sequence[Dim]) -> Expr:
    """Return the cheapest expression for a transpose of a tensor of this shape."""
    if is_identity(p):
        return expr
    if (array := array_of(expr)) is not None:
        return constant(array.transpose(p))
    if is_reshape(p, shape):
        return in_shape(expr, permuted(shape, p))
    return relax.op.permute_dims(expr, list(p))


def aligned(shape: Sequence[Dim], rank: int) -> tuple[Dim, ...]:
    """Return a shape with axes of extent 1 in front, as broadcasting reads it."""
    return (1,) * (rank - len(shape)) + tuple(shape)


def unpermuted(expr: Expr, p: Permutation) -> Expr:
    """Return the operand that broadcasts against a tensor before it is transposed by `p`.

    Args:
        expr: It broadcasts against the tensor after the transpose.
        p: The permutation.
    """
    shape = dims_of(expr)
    if all(d == 1 for d in shape):
        return expr
    back, missing = inverse(p), len(p) - len(shape)
    if back[:missing] == tuple(range(missing)):  # broadcasting adds these axes again
        return transpose(expr, tuple(axis - missing for axis in back[missing:]), shape)
    full = aligned(shape, len(p))
    if (array := array_of(expr)) is not None:
        return transpose(constant(array.reshape((1,) * missing + array.shape)), back, full)
    if is_reshape(back, full):
        return transpose(expr, back, full)
    return transpose(in_shape(expr, full), back, full)
