"""Axes that the model computes: how many they are is known, which ones shows as it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import as_int64, ensure, measured
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant


@dataclass(frozen=True)
class FedAxes:
    """Some of a tensor's axes. That they exist, and no two are one, is checked as the model runs.

    Attributes:
        count: How many they are.
        rank: How many the tensor has.
        hits: Whether the i-th of them is axis j; bool of shape (count, rank).
        mask: Whether an axis is one of them; bool of shape (rank,).
    """

    count: int
    rank: int
    hits: Numbers
    mask: Numbers

    def spread(self, numbers: Numbers, others: Numbers) -> Numbers:
        """Return a number for each axis, int64.

        Args:
            numbers: One for each of these axes, in their order; int64.
            others: One for each axis of the tensor, of which those of the other axes count.
        """
        return self.mask.where(self.hits.where(numbers.expanded(1), 0).sum(0), others)

    def without(self, numbers: Numbers) -> Numbers:
        """Return the numbers of the other axes, in order: int64 of shape (rank - count,)."""
        places = counting(self.mask.op, self.rank - self.count).expanded(1)
        here = self.others_before().equals(places) & ~self.mask
        return here.where(numbers, 0).sum(1)

    def around(self, sizes: Numbers) -> list[Dim]:
        """Return how many elements lie before the one axis, along it and behind it.

        Args:
            sizes: The tensor's dimensions.
        """
        op = sizes.op
        op.require(self.count == 1, f"it names {self.count} axes; expected one")
        after = self.others_before() < counting(op, self.rank)
        thirds = (~(after | self.mask), self.mask, after)
        parts = [which.where(sizes, 1).product().expr for which in thirds]
        return measured(Numbers(op, relax.op.concat(parts, 0)))

    def others_before(self) -> Numbers:
        """Return how many of the other axes come before each axis: int64 of shape (rank,)."""
        earlier = constant(np.tril(np.ones((self.rank, self.rank), INT64), -1))
        return (Numbers(self.mask.op, earlier) * (~self.mask).astype(INT64)).sum(1)


def fed_axes(op: Operation, axes: Expr, rank: int) -> FedAxes:
    """Return the axes of a tensor that a vector or a single number says."""
    if not require_rank(axes):
        axes = op.emit(in_shape(axes, [1]))
    listed = as_int64(op, axes)
    [count] = require_shape(listed.expr)
    if not isinstance(count, int):
        op.refuse(f"how many axes it names is not fixed: {count}")
    op.require(count <= rank, f"it names {count} axes of {rank}")
    hits = (listed < 0).where(listed + rank, listed).expanded(1).equals(counting(op, rank))
    named = hits.astype(INT64).sum(0).at_most(1)
    ensure(named.sum().equals(count), "its axes differ and are within the rank")
    return FedAxes(count, rank, hits, named > 0)


def reduced(op: Operation, reduce: Callable[[Expr, list[int]], Expr], *, keepdims: bool) -> Expr:
    """Reduce along axes that the model computes.

    Each dimension is seen as two: what is left of it and what is reduced, of which one is 1. So
    the axes that are reduced are every other one.

    Args:
        op: Its operand 1 has the axes.
        reduce: Reduces a tensor along axes, which are dropped.
        keepdims: Whether the axes stay, with extent 1.
    """
    x, shape = op.tensor(0), require_shape(op.tensor(0))
    axes, sizes = fed_axes(op, op.tensor(1), len(shape)), sizes_of(op, shape)
    kept = measured((~axes.mask).where(sizes, 1))
    gone = measured(axes.mask.where(sizes, 1))
    pairs = [dim for pair in zip(kept, gone, strict=True) for dim in pair]
    apart = op.emit(in_shape(x, pairs))
    found = reduce(apart, list(range(1, 2 * len(shape), 2)))
    if keepdims:
        return found
    return in_shape(op.emit(found), measured(axes.without(sizes)))


def squeezed(op: Operation) -> Expr:
    """Drop axes that the model computes; that their dimensions are 1 is checked."""
    x, shape = op.tensor(0), require_shape(op.tensor(0))
    axes, sizes = fed_axes(op, op.tensor(1), len(shape)), sizes_of(op, shape)
    ensure(axes.mask.where(sizes, 1).equals(1), "what it squeezes has one element")
    return in_shape(x, measured(axes.without(sizes)))


def unsqueezed(op: Operation) -> Expr:
    """Put axes of extent 1 where the model computes."""
    x, shape = op.tensor(0), require_shape(op.tensor(0))
    [count] = require_shape(op.tensor(1)) or [1]
    if not isinstance(count, int):
        op.refuse(f"how many axes it adds is not fixed: {count}")
    axes = fed_axes(op, op.tensor(1), len(shape) + count)
    if not shape:
        return in_shape(x, [1] * count)
    sizes, places = sizes_of(op, shape), axes.others_before()
    own = Numbers(op, relax.op.take(sizes.expr, places.expr, 0, mode="clip"))
    return in_shape(x, measured((~axes.mask).where(own, 1)))


def triangle(op: Operation) -> Expr:
    """Keep what lies on a diagonal that the model computes, and to one side of it."""
    x, diagonal = Numbers(op, op.tensor(0)), Numbers(op, op.tensor(1)).reshaped([1])
    rows, columns = (counting(op, size) for size in require_shape(x.expr)[-2:])
    passed = columns.expanded(0) - rows.expanded(1)
    upper = op.flag("upper", default=True)
    return (passed >= diagonal if upper else passed <= diagonal).where(x, 0).expr


def along(op: Operation, position: int, compute: Callable[[Expr, int], Expr]) -> Expr:
    """Compute along one axis, which the model computes: the middle one of three.

    Args:
        op: Its operand 0 is the tensor.
        position: The operand that names the axis.
        compute: Takes a tensor and the axis, and gives a tensor of that shape.
    """
    x, shape = op.tensor(0), require_shape(op.tensor(0))
    axes, sizes = fed_axes(op, op.tensor(position), len(shape)), sizes_of(op, shape)
    found = compute(op.emit(in_shape(x, axes.around(sizes))), 1)
    return in_shape(op.emit(found), shape)
