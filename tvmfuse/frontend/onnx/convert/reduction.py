"""Reductions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_axes
from tvmfuse.frontend.onnx.convert.activation import limits
from tvmfuse.frontend.onnx.convert.movement import axes_of, filled, has_fed_axes
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, sizes_of
from tvmfuse.frontend.onnx.operation import Operation, is_empty, is_float_dtype, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import identity


@dataclass(frozen=True)
class Reduction:
    """One node of a Reduce operator: what it reads, over which axes."""

    op: Operation
    x: Expr
    axes: list[int]
    keepdims: bool

    def __call__(self, function: Callable[..., Expr], x: Expr | None = None) -> Expr:
        """Reduce the operand, or what was made of it, by one Relax call."""
        return function(self.x if x is None else x, self.axes, self.keepdims)


def reduction(
    reduce: Callable[[Reduction], Expr], nothing: Callable[[str], float]
) -> Callable[[Operation], Expr]:
    """Return the converter of one of the Reduce operators.

    Args:
        reduce: Builds the calls.
        nothing: Gives the result over no elements, by dtype.
    """

    def convert(op: Operation) -> Expr:
        x, rank = op.tensor(0), require_rank(op.tensor(0))
        keepdims = op.flag("keepdims", default=True)
        if has_fed_axes(op):
            return runtime_axes.reduced(
                op,
                lambda x, axes: reduce(Reduction(op, x, axes, keepdims=False)),
                keepdims=keepdims,
            )
        axes = axes_of(op)
        none = not axes and op.flag("noop_with_empty_axes")
        everywhere = [] if none else list(range(rank))
        places = sorted({require_axis(a, rank) for a in axes}) if axes else everywhere
        if is_empty([require_shape(x)[i] for i in places]):
            shape = [
                1 if i in places else d
                for i, d in enumerate(require_shape(x))
                if keepdims or i not in places
            ]
            return filled(shape, nothing(dtype_of(x)), dtype_of(x))
        if not places:  # each element is reduced by itself
            if reduce in OF_ONE_ITSELF:
                return identity(x)
            alone = op.emit(relax.op.expand_dims(x, [0]))
            return reduce(Reduction(op, alone, [0], keepdims=False))
        return reduce(Reduction(op, x, places, keepdims))

    return convert


def sum_(r: Reduction) -> Expr:
    """Sum."""
    return r(relax.op.sum)


def mean(r: Reduction) -> Expr:
    """Mean; of integers, their sum divided by their number, cut toward zero."""
    dtype = dtype_of(r.x)
    if is_float_dtype(dtype):
        return r(relax.op.mean)
    sizes = sizes_of(r.op, [require_shape(r.x)[a] for a in r.axes])
    number = Numbers(r.op, relax.op.prod(sizes.expr)).at_least(1)  # no division by 0 ends it
    return (Numbers(r.op, r(relax.op.sum)) / number.astype(dtype)).expr


def product(r: Reduction) -> Expr:
    """Product."""
    return r(relax.op.prod)


def maximum(r: Reduction) -> Expr:
    """Maximum; of truth values, whether one is true."""
    return _extremum(r, relax.op.max)


def minimum(r: Reduction) -> Expr:
    """Minimum; of truth values, whether all are true."""
    return _extremum(r, relax.op.min)


def _extremum(r: Reduction, function: Callable[..., Expr]) -> Expr:
    if dtype_of(r.x) != "bool":
        return r(function)
    number = r.op.emit(relax.op.astype(r.x, "uint8"))
    return relax.op.astype(r.op.emit(r(function, number)), "bool")


def l1(r: Reduction) -> Expr:
    """Sum of absolute values."""
    return r(relax.op.sum, r.op.emit(relax.op.abs(r.x)))


def sum_square(r: Reduction) -> Expr:
    """Sum of squares."""
    return r(relax.op.sum, r.op.emit(relax.op.multiply(r.x, r.x)))


def _in_floats(reduce: Callable[[Reduction], Expr]) -> Callable[[Reduction], Expr]:
    """Return a reduction that is computed of integers in float64, and cut to an integer."""

    @wraps(reduce)
    def computed(r: Reduction) -> Expr:
        dtype = dtype_of(r.x)
        if is_float_dtype(dtype):
            return reduce(r)
        wide = r.op.emit(relax.op.astype(r.x, "float64"))
        return relax.op.astype(r.op.emit(reduce(replace(r, x=wide))), dtype)

    return computed


@_in_floats
def l2(r: Reduction) -> Expr:
    """Square root of the sum of squares."""
    return relax.op.sqrt(r.op.emit(sum_square(r)))


@_in_floats
def log_sum(r: Reduction) -> Expr:
    """Logarithm of the sum."""
    return relax.op.log(r.op.emit(r(relax.op.sum)))


@_in_floats
def log_sum_exp(r: Reduction) -> Expr:
    """log(sum(exp(x))), as m + log(sum(exp(x - m))) with m the maximum: it cannot overflow.

    An infinite m is no help; then m is 0.
    """
    op = r.op
    top = op.emit(relax.op.max(r.x, r.axes, keepdims=True))
    finite = op.emit(relax.op.isfinite(top))
    top = op.emit(relax.op.where(finite, top, scalar(0, dtype_of(top))))
    shifted = op.emit(relax.op.exp(op.emit(relax.op.subtract(r.x, top))))
    total = op.emit(relax.op.log(op.emit(r(relax.op.sum, shifted))))
    if not r.keepdims:
        top = op.emit(relax.op.squeeze(top, r.axes))
    return relax.op.add(total, top)


OF_ONE_ITSELF: Final = (sum_, mean, product, maximum, minimum)
"""Reductions of which one element alone is the result."""


def zero(_dtype: str) -> float:
    """Return the sum of nothing."""
    return 0


def one(_dtype: str) -> float:
    """Return the product of nothing."""
    return 1


def undefined(dtype: str) -> float:
    """Return the mean of nothing: of integers, of which none says that it is no number, 0."""
    return np.nan if is_float_dtype(dtype) else 0


def minus_infinity(dtype: str) -> float:
    """Return the logarithm of the sum of nothing: of integers the least, as -inf is cast."""
    return least(dtype)


def least(dtype: str) -> float:
    """Return the maximum of nothing."""
    if is_float_dtype(dtype):
        return -np.inf
    return 0 if dtype == "bool" else limits(dtype)[0]


def greatest(dtype: str) -> float:
    """Return the minimum of nothing."""
    if is_float_dtype(dtype):
        return np.inf
    return 1 if dtype == "bool" else limits(dtype)[1]
