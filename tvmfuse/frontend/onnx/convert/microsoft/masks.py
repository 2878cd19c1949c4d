"""Masks as addends to scores: 0 where a query may look at a key, far below 0 elsewhere."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of

LOWEST: Final = float(np.finfo("float32").min)


def counted(op: Operation, count: Dim, axis: int, *, start: Dim = 0) -> Expr:
    """Return the numbers from `start` along one axis of four, in int64."""
    numbers = op.emit(relax.op.arange(start, start + count, 1, "int64"))
    others = [a for a in range(4) if a != axis]
    return op.emit(relax.op.expand_dims(numbers, others))


def addend(op: Operation, allowed: Expr, otherwise: float, dtype: str) -> Expr:
    """Return 0 where it is allowed, and a number elsewhere."""
    return op.emit(relax.op.where(allowed, scalar(0, dtype), scalar(otherwise, dtype)))


def padding(op: Operation, mask: Expr, batch: Dim, queries: Dim, keys: Dim, *, dtype: str) -> Expr:
    """Return what the mask of an attention adds to scores.

    Args:
        op: Its attribute `mask_filter_value` is what is added.
        mask: Integers: 1 for the keys to look at, (B, T) or (B, S, T); or where each sequence
            ends, (B,), and begins, (2 B,).
        batch: B.
        queries: S.
        keys: T.
        dtype: Of the scores.
    """
    otherwise = op.number("mask_filter_value", -10000.0)
    rank = require_rank(mask)
    if rank == 1:
        return addend(op, _inside(op, mask, batch, keys), otherwise, dtype)
    op.require(rank in (2, 3), f"its mask has {rank} dimensions; expected 1, 2 or 3")
    mask = agree(op, mask, [batch, keys] if rank == 2 else [batch, queries, keys])
    allowed = op.emit(relax.op.greater(mask, scalar(0, dtype_of(mask))))
    wide = op.emit(relax.op.expand_dims(allowed, [1, 2] if rank == 2 else [1]))
    return addend(op, wide, otherwise, dtype)


def _inside(op: Operation, mask: Expr, batch: Dim, keys: Dim) -> Expr:
    """Return which keys lie inside their sequence, (B, 1, 1, T)."""
    [count] = require_shape(mask)
    at = counted(op, keys, 3)
    if op.symbols.equal(count, op.symbols.product([2, batch])):
        ends = _column(op, mask, 0, batch)
        starts = _column(op, mask, batch, op.symbols.product([2, batch]))
        inside = op.emit(relax.op.greater_equal(at, starts))
        return op.emit(relax.op.logical_and(op.emit(relax.op.less(at, ends)), inside))
    op.require(
        not op.symbols.differ(count, batch),
        f"its mask has {count} numbers; expected one for each of {batch} sequences, or two",
    )
    ends = _column(op, agree(op, mask, [batch]), 0, batch)
    return op.emit(relax.op.less(at, ends))


def _column(op: Operation, numbers: Expr, start: Dim, end: Dim) -> Expr:
    part = op.emit(relax.op.strided_slice(numbers, [0], [start], [end], assume_inbound=True))
    wide = op.emit(relax.op.astype(part, "int64"))
    return op.emit(relax.op.expand_dims(wide, [1, 2, 3]))


def causal(op: Operation, past: Dim, queries: Dim, keys: Dim, *, dtype: str) -> Expr:
    """Return what keeps queries from later keys, (1, 1, S, T)."""
    places = counted(op, queries, 2, start=past)
    allowed = op.emit(relax.op.less_equal(counted(op, keys, 3), places))
    return addend(op, allowed, LOWEST, dtype)
