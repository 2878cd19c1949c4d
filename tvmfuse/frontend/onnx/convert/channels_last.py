"""Images with their channels last, so that a vector holds several channels of one pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank
from tvmfuse.frontend.symbols import Dim

FEWEST: Final = 8
"""Channels that are worth moving."""


def many_channels(channels: Dim) -> bool:
    """Whether there are, or may be, enough channels for a vector."""
    return not isinstance(channels, int) or channels >= FEWEST


def to_last(op: Operation, x: Expr) -> Expr:
    """Return an image of shape (N, C, ...) as one of shape (N, ..., C)."""
    rank = require_rank(x)
    return op.emit(relax.op.permute_dims(x, [0, *range(2, rank), 1]))


def from_last(op: Operation, x: Expr) -> Expr:
    """Return an image of shape (N, ..., C) as one of shape (N, C, ...)."""
    rank = require_rank(x)
    return op.emit(relax.op.permute_dims(x, [0, rank - 1, *range(1, rank - 1)]))


def have_elements(op: Operation, dims: Sequence[Dim]) -> None:
    """Let no dimension be empty: what is read at clamped places needs an element there."""
    for dim in dims:
        if isinstance(dim, int):
            op.require(dim > 0, "its image has no elements")
        else:
            op.same(dim, op.symbols.larger(dim, 1))
