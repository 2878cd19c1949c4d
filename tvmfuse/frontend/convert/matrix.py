"""Matrix products."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.convert.broadcast import agree, broadcast_shape, broadcast_to
from tvmfuse.frontend.operation import Operation, rank_of, shape_of
from tvmfuse.ops import gemm as tvmfuse_gemm


def matmul(op: Operation) -> Expr:
    """Convert MatMul, numpy's: batches broadcast, vectors lose their axis."""
    a, b = op.tensor(0), op.tensor(1)
    left, right = shape_of(a), shape_of(b)
    op.require(left and right, "an operand is a scalar")
    if len(left) > 1 and len(right) > 1:
        batch = broadcast_shape(op, [left[:-2] or [1], right[:-2] or [1]])
        a = agree(op, a, [*broadcast_to(left[:-2], batch), *left[-2:]])
        b = agree(op, b, [*broadcast_to(right[:-2], batch), left[-1], right[-1]])
    return relax.op.matmul(a, b)


def gemm(op: Operation) -> Expr:
    """Convert Gemm."""
    a, b, c = op.tensor(0), op.tensor(1), op.optional(2)
    op.require(rank_of(a) == rank_of(b) == 2, "Gemm takes matrices")
    if c is not None and rank_of(c) == 0:
        c = op.emit(relax.op.expand_dims(c, [0]))
    return tvmfuse_gemm(
        a,
        b,
        c,
        trans_a=op.flag("transA"),
        trans_b=op.flag("transB"),
        alpha=op.number("alpha", 1.0),
        beta=op.number("beta", 1.0),
    )


def einsum(op: Operation) -> Expr:
    """Convert Einsum."""
    equation = op.text("equation", "").replace(" ", "")
    return relax.op.einsum(relax.Tuple(op.tensors()), equation)
