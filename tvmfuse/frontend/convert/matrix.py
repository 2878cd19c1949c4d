"""Matrix products."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.operation import Operation, rank_of
from tvmfuse.ops import gemm as tvmfuse_gemm


def matmul(op: Operation) -> Expr:
    """Convert MatMul, numpy's: batches broadcast, vectors lose their axis."""
    return relax.op.matmul(op.tensor(0), op.tensor(1))


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
