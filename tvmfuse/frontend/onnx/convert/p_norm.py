"""The p-norm, the p-th root of a sum of p-th powers: before the sum, and behind it."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.ir.types import dtype_of


def powers(op: Operation, x: Expr, p: int) -> Expr:
    """Return ``|x| ** p``, element by element."""
    if p == 2:
        return relax.op.multiply(x, x)
    magnitude = relax.op.abs(x)
    return magnitude if p == 1 else relax.op.power(op.emit(magnitude), scalar(p, dtype_of(x)))


def root(op: Operation, total: Expr, p: int) -> Expr:
    """Return ``total ** (1 / p)``, element by element."""
    if p == 1:
        return total
    total = op.emit(total)
    return relax.op.sqrt(total) if p == 2 else relax.op.power(total, scalar(1 / p, dtype_of(total)))
