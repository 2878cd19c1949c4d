"""Matrix products, and determinants."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, broadcast_shape, broadcast_to, with_dim
from tvmfuse.frontend.onnx.convert.pairwise import pairwise
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import determinant as tvmfuse_determinant, gemm as tvmfuse_gemm


def matmul(op: Operation) -> Expr:
    """Convert MatMul, numpy's: batches broadcast, vectors lose their axis."""
    return product(op, op.tensor(0), op.tensor(1))


def product(op: Operation, a: Expr, b: Expr) -> Expr:
    """Return numpy's matrix product of two tensors whose dimensions fit, or are constrained to."""
    left, right = require_shape(a), require_shape(b)
    op.require(left and right, "an operand is a scalar")
    depth = left[-1] if isinstance(left[-1], int) else right[max(len(right) - 2, 0)]
    batch = broadcast_shape(op, [left[:-2], right[:-2]])
    a = agree(op, a, [*broadcast_to(op, left[:-2], batch), *left[-2:]], sure=False)
    b = agree(op, b, [*broadcast_to(op, right[:-2], batch), *right[-2:]], sure=False)
    return relax.op.matmul(with_dim(op, a, -1, depth), with_dim(op, b, max(-2, -len(right)), depth))


def gemm(op: Operation) -> Expr:
    """Convert Gemm. By an alpha of 0, which TVM computes away, NaN and infinity become NaN."""
    a, b, c = op.tensor(0), op.tensor(1), op.optional(2)
    op.require(require_rank(a) == require_rank(b) == 2, "Gemm takes matrices")
    trans_a, trans_b = op.flag("transA"), op.flag("transB")
    depth = require_shape(b)[trans_b]
    depth = require_shape(a)[not trans_a] if not isinstance(depth, int) else depth
    a, b = with_dim(op, a, int(not trans_a), depth), with_dim(op, b, int(trans_b), depth)
    if c is not None and require_rank(c) == 0:
        c = op.emit(relax.op.expand_dims(c, [0]))
    if c is not None:
        matrix = [require_shape(a)[trans_a], require_shape(b)[not trans_b]]
        c = agree(op, c, broadcast_to(op, require_shape(c), matrix), sure=False)
    alpha, beta = op.number("alpha", 1.0), op.number("beta", 1.0)
    if alpha == 0:
        y = op.emit(tvmfuse_gemm(a, b, trans_a=trans_a, trans_b=trans_b))
        zeros = Numbers(op, relax.op.multiply(y, scalar(0, dtype_of(y))))
        return (zeros if c is None else Numbers(op, c) * beta + zeros).expr
    return tvmfuse_gemm(a, b, c, trans_a=trans_a, trans_b=trans_b, alpha=alpha, beta=beta)


def einsum(op: Operation) -> Expr:
    """Convert Einsum."""
    equation = op.text("equation", "").replace(" ", "")
    tensors, dims = op.tensors(), dict[str, Dim]()
    for place, labels in enumerate(equation.split("->")[0].split(",")):
        if "." in labels or place >= len(tensors):
            continue
        shape = require_shape(tensors[place])
        op.require(len(labels) == len(shape), f"{labels!r} names {len(shape)} dimensions")
        said = [
            d if d == 1 else dims.setdefault(name, d) for name, d in zip(labels, shape, strict=True)
        ]
        tensors[place] = agree(op, tensors[place], said)
    return pairwise(op, tensors, equation)


def det(op: Operation) -> Expr:
    """Convert Det, of each matrix of a batch."""
    x = op.tensor(0)
    op.require(require_rank(x) >= 2, "its input is no matrix")
    *batch, rows, _ = require_shape(x)
    square = agree(op, x, [*batch, rows, rows])
    flat = op.emit(in_shape(square, [op.symbols.product(batch), rows, rows]))
    return in_shape(op.emit(tvmfuse_determinant(flat)), batch)
