"""The lines of a tensor along one of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from tvm.ir import Expr

from tvmfuse.ops.lowering.written import int64


@dataclass(frozen=True, eq=False)
class Lines:
    """Where lines along an axis are.

    Attributes:
        before: The product of the sizes before the axis.
        size: The axis's size.
        after: The product of the sizes behind.
    """

    before: Expr
    size: Expr
    after: Expr


def lines_of(shape: Sequence[Expr], axis: int) -> Lines:
    """Return the lines of a tensor of this shape, of rank 1 or more, along an axis from 0 on."""
    before, after = (prod(part, start=int64(1)) for part in (shape[:axis], shape[axis + 1 :]))
    return Lines(before, shape[axis], after)
