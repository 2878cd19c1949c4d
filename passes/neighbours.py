"""Constant weights with neighbours side by side, as a machine's dot products take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops.summed_in import INTEGERS
from tvmfuse.target.isa import DotProduct
from tvmfuse.target.machine import Machine

MOST_LOW: Final = 64
"""Numbers near a zero point of this are far from being half of what a byte holds."""


@dataclass(frozen=True)
class Neighbours:
    """How the operands of a sum lie for dot products.

    Attributes:
        dot: The dot product.
        bounded: Whether it clips sums in between, but none with these weights. Where it may clip
            some, each tile looks at its bytes first (`schedules/cpu/gemm/pair_check.py`).
    """

    dot: DotProduct
    bounded: bool = False

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
        groups = panels.reshape(*outer, -1, self.dot.k_group, width)
        return groups.swapaxes(-1, -2).astype(self.dot.b)

    def operand(self, x: Expr) -> Expr:
        """Return what the weights are multiplied by in the dot product's type."""
        return x if dtype_of(x) == self.dot.a else relax.op.astype(x, self.dot.a)


def neighbours_of(
    weights: np.ndarray, axis: int, machine: Machine, *, low: bool = False
) -> Neighbours | None:
    """Return how weights lie for a machine's fastest dot product that takes them as they are.

    Those of integers meet bytes, and their sums are exact.

    Args:
        weights: int8, int16 or bfloat16.
        axis: Along which products are summed.
        machine: Whose instructions there are.
        low: Whether two of the bytes that they meet seldom add up to more than a byte holds.

    Returns:
        None where no instruction takes them.
    """
    for dot in machine.dot:
        if weights.dtype == BFLOAT16:
            fits = dot.b == BFLOAT16
        else:
            fits = dot.acc == INTEGERS and np.can_cast(weights.dtype, dot.b)
        bounded = fits and dot.saturates and _is_bounded(weights, axis)
        if fits and (not dot.saturates or bounded or low):
            return Neighbours(dot, bounded)
    return None


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
