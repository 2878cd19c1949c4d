"""Reductions."""

from __future__ import annotations

from collections.abc import Callable

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.convert.movement import axes_of
from tvmfuse.frontend.operation import Operation, normalized, rank_of, shape_of
from tvmfuse.ops import identity

Reduce = Callable[[Operation, Expr, list[int], bool], Expr]


def reduction(reduce: Reduce) -> Callable[[Operation], Expr]:
    """Return the converter of one of the Reduce operators."""

    def convert(op: Operation) -> Expr:
        x, rank = op.tensor(0), rank_of(op.tensor(0))
        axes = axes_of(op)
        if not axes and op.flag("noop_with_empty_axes"):
            return identity(x)
        places = sorted(normalized(a, rank) for a in axes) if axes else list(range(rank))
        sizes = [shape_of(x)[i] for i in places]
        op.require(0 not in [s for s in sizes if isinstance(s, int)], "it reduces an empty axis")
        return reduce(op, x, places, op.flag("keepdims", default=True))

    return convert


def direct(function: Callable[..., Expr]) -> Reduce:
    """Return a reduction that is one Relax call."""
    return lambda _op, x, axes, keepdims: function(x, axes, keepdims)


def l1(op: Operation, x: Expr, axes: list[int], keepdims: bool) -> Expr:  # noqa: FBT001
    """Sum of absolute values."""
    return relax.op.sum(op.emit(relax.op.abs(x)), axes, keepdims)


def sum_square(op: Operation, x: Expr, axes: list[int], keepdims: bool) -> Expr:  # noqa: FBT001
    """Sum of squares."""
    return relax.op.sum(op.emit(relax.op.multiply(x, x)), axes, keepdims)


def l2(op: Operation, x: Expr, axes: list[int], keepdims: bool) -> Expr:  # noqa: FBT001
    """Square root of the sum of squares."""
    return relax.op.sqrt(op.emit(sum_square(op, x, axes, keepdims)))


def log_sum(op: Operation, x: Expr, axes: list[int], keepdims: bool) -> Expr:  # noqa: FBT001
    """Logarithm of the sum."""
    return relax.op.log(op.emit(relax.op.sum(x, axes, keepdims)))


def log_sum_exp(op: Operation, x: Expr, axes: list[int], keepdims: bool) -> Expr:  # noqa: FBT001
    """log(sum(exp(x))), as m + log(sum(exp(x - m))) with m the maximum: it cannot overflow."""
    top = op.emit(relax.op.max(x, axes, keepdims=True))
    shifted = op.emit(relax.op.exp(op.emit(relax.op.subtract(x, top))))
    total = op.emit(relax.op.log(op.emit(relax.op.sum(shifted, axes, keepdims))))
    if not keepdims:
        top = op.emit(relax.op.squeeze(top, axes))
    return relax.op.add(total, top)
