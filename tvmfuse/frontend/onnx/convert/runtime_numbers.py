"""Numbers that show as the model runs, with Python's arithmetic: each step emits an operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of

INT64, FLOAT64 = "int64", "float64"


class Numbers:
    """A tensor that an operation computes with.

    Operands are others, which broadcast, or Python's numbers, which take this one's dtype.

    Attributes:
        op: The operation.
        expr: The tensor.
    """

    def __init__(self, op: Operation, expr: Expr) -> None:
        self.op = op
        self.expr = op.emit(expr)

    # Element by element.

    def __add__(self, other: Operand) -> Numbers:
        return self._with(relax.op.add, other)

    def __sub__(self, other: Operand) -> Numbers:
        return self._with(relax.op.subtract, other)

    def __mul__(self, other: Operand) -> Numbers:
        return self._with(relax.op.multiply, other)

    def __truediv__(self, other: Operand) -> Numbers:
        return self._with(relax.op.divide, other)

    def __floordiv__(self, other: Operand) -> Numbers:
        return self._with(relax.op.floor_divide, other)

    def __mod__(self, other: Operand) -> Numbers:
        return self._with(relax.op.floor_mod, other)

    def __neg__(self) -> Numbers:
        return self._of(relax.op.negative(self.expr))

    def __lt__(self, other: Operand) -> Numbers:
        return self._with(relax.op.less, other)

    def __le__(self, other: Operand) -> Numbers:
        return self._with(relax.op.less_equal, other)

    def __gt__(self, other: Operand) -> Numbers:
        return self._with(relax.op.greater, other)

    def __ge__(self, other: Operand) -> Numbers:
        return self._with(relax.op.greater_equal, other)

    def __and__(self, other: Numbers) -> Numbers:
        return self._with(relax.op.logical_and, other)

    def __or__(self, other: Numbers) -> Numbers:
        return self._with(relax.op.logical_or, other)

    def __invert__(self) -> Numbers:
        return self._of(relax.op.logical_not(self.expr))

    def equals(self, other: Operand) -> Numbers:
        """Return where both are the same."""
        return self._with(relax.op.equal, other)

    def at_least(self, other: Operand) -> Numbers:
        """Return the larger ones."""
        return self._with(relax.op.maximum, other)

    def at_most(self, other: Operand) -> Numbers:
        """Return the smaller ones."""
        return self._with(relax.op.minimum, other)

    def where(self, then: Numbers, otherwise: Operand) -> Numbers:
        """Return elements of the one where this is true, and else of the other."""
        return self._of(relax.op.where(self.expr, then.expr, then.operand(otherwise)))

    def floor(self) -> Numbers:
        """Round down."""
        return self._of(relax.op.floor(self.expr))

    def ceil(self) -> Numbers:
        """Round up."""
        return self._of(relax.op.ceil(self.expr))

    def abs(self) -> Numbers:
        """Return the magnitudes."""
        return self._of(relax.op.abs(self.expr))

    def sqrt(self) -> Numbers:
        """Return the square roots."""
        return self._of(relax.op.sqrt(self.expr))

    def cos(self) -> Numbers:
        """Return the cosines."""
        return self._of(relax.op.cos(self.expr))

    def sin(self) -> Numbers:
        """Return the sines."""
        return self._of(relax.op.sin(self.expr))

    def exp(self) -> Numbers:
        """Return e to their power."""
        return self._of(relax.op.exp(self.expr))

    def log(self) -> Numbers:
        """Return the natural logarithms."""
        return self._of(relax.op.log(self.expr))

    def power(self, exponent: Operand) -> Numbers:
        """Return powers."""
        return self._with(relax.op.power, exponent)

    def astype(self, dtype: str) -> Numbers:
        """Return them in a dtype."""
        return self if dtype_of(self.expr) == dtype else self._of(relax.op.astype(self.expr, dtype))

    # Along axes.

    def sum(self, axis: int | None = None) -> Numbers:
        """Add the elements along an axis, or all."""
        return self._of(relax.op.sum(self.expr, axis))

    def largest(self, axis: int) -> Numbers:
        """Return the largest elements along an axis, which stays, with extent 1."""
        return self._of(relax.op.max(self.expr, [axis], keepdims=True))

    def product(self) -> Numbers:
        """Multiply all elements; the result is a vector of one number."""
        return self._of(in_shape(self._of(relax.op.prod(self.expr, None)).expr, [1]))

    def all(self) -> Numbers:
        """Return whether all truths hold, of none, too: a vector of one number, 1 or 0.

        The least of bytes is many times as fast as a product.
        """
        least = self._of(relax.op.min(self.astype("int8").expr, None)).at_most(1)
        return self._of(in_shape(least.expr, [1])).astype(INT64)

    def expanded(self, *axes: int) -> Numbers:
        """Put in axes of extent 1."""
        return self._of(relax.op.expand_dims(self.expr, list(axes)))

    def reshaped(self, dims: Sequence[Dim]) -> Numbers:
        """Return them in another shape, of as many elements."""
        return self._of(in_shape(self.expr, dims))

    def transposed(self, order: Sequence[int]) -> Numbers:
        """Return them with their axes in another order."""
        return self._of(relax.op.permute_dims(self.expr, list(order)))

    def times(self, other: Numbers) -> Numbers:
        """Return matrix products."""
        return self._of(relax.op.matmul(self.expr, other.expr))

    def beside(self, rank: int, axis: int, count: int = 1) -> Numbers:
        """Return them along `count` axes, from one on, of a tensor of this rank."""
        return self.expanded(*(i for i in range(rank) if not axis <= i < axis + count))

    def __getitem__(self, place: int) -> Numbers:
        """Return an element of a vector, as a vector of it alone."""
        return self._of(relax.op.take(self.expr, constant(np.array([place])), 0, mode="clip"))

    def column(self, place: int) -> Numbers:
        """Return a column of a matrix, as a vector."""
        return self._of(relax.op.take(self.expr, scalar(place, INT64), 1, mode="clip"))

    def operand(self, other: Operand) -> Expr:
        """Return what is computed with as a tensor."""
        return other.expr if isinstance(other, Numbers) else scalar(other, dtype_of(self.expr))

    def _with(self, function: Callable[[Expr, Expr], Expr], other: Operand) -> Numbers:
        return self._of(function(self.expr, self.operand(other)))

    def _of(self, expr: Expr) -> Numbers:
        return Numbers(self.op, expr)


Operand: TypeAlias = Numbers | float


def sizes_of(op: Operation, dims: Sequence[Dim]) -> Numbers:
    """Return dimensions as a vector of int64."""
    if all(isinstance(d, int) for d in dims):
        return Numbers(op, constant(np.array(dims, INT64)))
    return Numbers(op, relax.op.shape_to_tensor(relax.ShapeExpr(list(dims))))


def counting(op: Operation, count: Dim) -> Numbers:
    """Return the numbers below one as a vector of int64."""
    if isinstance(count, int):
        return Numbers(op, constant(np.arange(count)))
    return Numbers(op, relax.op.arange(0, count, 1, INT64))
