"""Constant weights with neighbours side by side, as a machine's dot products take them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops import bit_cast
from tvmfuse.ops.summed_in import INTEGERS
from tvmfuse.target.isa import DotProduct
from tvmfuse.target.machine import Machine

MOST_LOW: Final = 64
"""Numbers near a zero point of this are far from being half of what a byte holds."""

MIDDLE: Final = 128
OFF_MIDDLE: Final = 32
"""What makes signed bytes of unsigned ones, and how far from there a zero point may be: of numbers
that are spread around it as a transformer's are, one in ten pairs then adds up to more than a byte
holds, once they are signed."""

MOST_TERMS: Final = 1 << 15
"""Of a sum of moved bytes, so that an int32 holds what the sums of its parts come to."""


@dataclass(frozen=True)
class Neighbours:
    """How the operands of a sum lie for dot products.

    Attributes:
        dot: The dot product. One of signed bytes by signed bytes meets those less `MIDDLE`.
        bounded: Whether it clips sums in between, but none with these weights. Where it may clip
            some, each tile looks at its bytes first (`schedules/cpu/gemm/pair_check.py`).
        signed: Whether the bytes that they meet are signed, less `MIDDLE`, and the weights are
            unsigned, `MIDDLE` more than they were.
    """

    dot: DotProduct
    bounded: bool = False
    signed: bool = False

    def padded(self, size: int) -> int:
        """Return the number of terms of a sum that is made of whole groups."""
        return -(-size // self.dot.k_group) * self.dot.k_group

    def side_by_side(self, panels: np.ndarray) -> np.ndarray:
        """Return weights of shape (..., K, w) as (..., K / g, w, g), in the dot product's type.

        >>> from tvmfuse.target.isa import VPDPBUSD
        >>> Neighbours(VPDPBUSD).side_by_side(np.zeros((3, 8, 16))).shape
        (3, 2, 16, 4)
        """
        *outer, _, width = panels.shape
        groups = panels.reshape(*outer, -1, self.dot.k_group, width).swapaxes(-1, -2)
        if self.signed:
            return (groups.astype("int64") + MIDDLE).astype(self.dot.a)
        return groups.astype(self.dot.b)

    def of_two_rows(self, size: int, machine: Machine, taps: int = 1) -> Neighbours:
        """Return how weights lie for the instruction that multiplies two rows by two columns.

        It takes twice as many neighbours, and does as much as two dot products. Where the machine
        has none, or only more zeros would fill it up, or one would be all of a sum, they lie as
        they do here.

        Args:
            size: Of what is summed, before it is filled up.
            machine: Whose instructions there are.
            taps: How many of these one sum has.

        >>> from tvmfuse.target.isa import USDOT
        >>> from tvmfuse.target.resolve import resolve
        >>> v1 = Machine.of(resolve("neoverse-v1"))
        >>> [Neighbours(USDOT).of_two_rows(size, v1).dot.k_group for size in (16, 9, 12, 3)]
        [8, 8, 4, 4]
        """
        found = next((dot for dot in machine.dot if dot.half == self.dot), None)
        two, whole = replace(self, dot=found or self.dot), size % self.dot.k_group == 0
        fewer = two.padded(size) < 2 * self.padded(size)
        several = two.padded(size) * taps > two.dot.k_group
        return two if fewer and several and (not whole or two.padded(size) == size) else self

    @property
    def moves(self) -> int:
        """What is taken from the bytes that the weights meet: `MIDDLE`, or nothing."""
        return MIDDLE if self.signed or self.dot.a == "int8" else 0

    def operand(self, x: Expr) -> Expr:
        """Return what the weights are multiplied by in the dot product's type."""
        if self.moves:
            # No cast: TVM folds that of what fills borders, and refuses a number above 127.
            return bit_cast(relax.op.add(x, constant(np.array(MIDDLE, "uint8"))), "int8")
        return x if dtype_of(x) == self.dot.a else relax.op.astype(x, self.dot.a)

    def of_columns(self, weights: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
        """Return what moved bytes leave out of each sum over some axes of weights, int32."""
        sums: np.ndarray = self.moves * weights.astype("int64").sum(axis)
        return sums.astype(INTEGERS)

    def moved(self, a: Expr, weights: np.ndarray) -> Expr:
        """Return what is missing in products of moved bytes by weights, moved if they are `signed`.

        ::

            a * w = (a - 128) * (w + 128) - 128 * (a - 128) + 128 * w
            a * w = (a - 128) * w + 128 * w

        Args:
            a: The `operand`, (..., K).
            weights: As they were, (K, N).
        """
        columns = constant(self.of_columns(weights, 0))
        if not self.signed:
            return columns
        rows = relax.op.sum(relax.op.astype(a, INTEGERS), axis=[-1], keepdims=True)
        rows = relax.op.multiply(rows, constant(np.array(-MIDDLE, INTEGERS)))
        return relax.op.add(rows, columns)


def neighbours_of(
    weights: np.ndarray, axis: int, machine: Machine, *, low: bool = False
) -> Neighbours | None:
    """Return how weights lie for a machine's fastest dot product of a row that takes them.

    Those of integers meet bytes, and their sums are exact.

    Args:
        weights: int8, int16 or bfloat16.
        axis: 0 or 1: along which products are summed, beside those that follow both.
        machine: Whose instructions there are.
        low: Whether two of the bytes that they meet seldom add up to more than a byte holds.

    Returns:
        None where no instruction takes them.
    """
    terms = weights.size // max(1, weights.shape[1 - axis])
    for dot in (dot for dot in machine.dot if dot.half is None):
        if weights.dtype == BFLOAT16:
            fits = dot.b == BFLOAT16
        else:
            fits = dot.acc == INTEGERS and np.can_cast(weights.dtype, dot.b)
        fits = fits and (not Neighbours(dot).moves or terms <= MOST_TERMS)
        bounded = fits and dot.saturates and _is_bounded(weights, axis)
        if fits and (not dot.saturates or bounded or low):
            return Neighbours(dot, bounded)
    return None


def of_signed(weights: np.ndarray, zero: int, machine: Machine) -> Neighbours | None:
    """Return how weights lie for a dot product that clips, but not where bytes are near zero.

    None where the machine's fastest needs no such thing, or bytes with this zero point are not near
    it once they are signed.

    Args:
        weights: (K, N).
        zero: Of the unsigned bytes that they meet.
        machine: Whose instructions there are.
    """
    fastest = next((dot for dot in machine.dot if dot.acc == INTEGERS), None)
    near, few = abs(zero - MIDDLE) <= OFF_MIDDLE, len(weights) <= MOST_TERMS
    if weights.dtype != "int8" or fastest is None or not (fastest.saturates and near and few):
        return None
    return Neighbours(fastest, signed=True)


def are_low(zero: int) -> bool:
    """Whether bytes with a zero point are `low`, as those of an image after a ReLU are."""
    return zero <= MOST_LOW


def filled(weights: np.ndarray, axis: int, size: int) -> np.ndarray:
    """Return weights with as many zeros behind them as give an axis this size."""
    missing = size - weights.shape[axis]
    return np.pad(weights, [(0, missing * (d == axis)) for d in range(weights.ndim)])


def _is_bounded(weights: np.ndarray, axis: int) -> bool:
    """Whether no two neighbours, each times a byte, make more than an int16 holds."""
    even = filled(weights, axis, -(-weights.shape[axis] // 2) * 2)
    terms = np.moveaxis(even, axis, -1).astype("int64") * np.iinfo("uint8").max
    limits = np.iinfo("int16")
    most, least = (sign(terms, 0).reshape(-1, 2).sum(-1) for sign in (np.maximum, np.minimum))
    return bool(limits.min <= least.min(initial=0) and most.max(initial=0) <= limits.max)
