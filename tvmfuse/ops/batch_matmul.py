"""`tvmfuse.batch_matmul`: matrix products whose operands may come transposed."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering.broadcasting import broadcast, is_one
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    a, b = (list(operand.ty.shape.values) for operand in node.args)
    row, column = a[-1 if node.attrs["trans_a"] else -2], b[-2 if node.attrs["trans_b"] else -1]
    batches = [a[:-2], b[:-2]]
    rank = max(map(len, batches))
    left, right = ([tirx.const(1, "int64")] * (rank - len(sizes)) + sizes for sizes in batches)
    batch = [m if is_one(n) or _is_known(m, n) else n for n, m in zip(left, right, strict=True)]
    return relax.TensorType([*batch, row, column], node.args[0].ty.dtype)


def _is_known(size: Expr, other: Expr) -> bool:
    """Whether the first is a number where the second, which is the same, is a symbol."""
    return getattr(size, "value", 1) != 1 and not hasattr(other, "value")


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    trans_a, trans_b = node.attrs["trans_a"], node.attrs["trans_b"]
    alpha = node.attrs["alpha"]

    def compute(a: te.Tensor, b: te.Tensor) -> te.Tensor:
        k = te.reduce_axis((0, a.shape[-2 if trans_a else -1]), name="k")

        def element(*index: te.Var) -> Expr:
            *batch, i, j = index
            left = a(*broadcast(a.shape[:-2], batch), *((k, i) if trans_a else (i, k)))
            right = b(*broadcast(b.shape[:-2], batch), *((j, k) if trans_b else (k, j)))
            return te.sum(left * right, axis=k)

        y = te.compute(tuple(node.ty.shape.values), element, name="matmul")
        if alpha == 1:
            return y
        factor = tirx.const(alpha, a.dtype)
        return te.compute(y.shape, lambda *i: y(*i) * factor, name="alpha")

    return bb.call_te(compute, *node.args, primfunc_name_hint="matmul")


BATCH_MATMUL: Final = define(
    "tvmfuse.batch_matmul",
    traits=Traits(kind=Kind.MATRIX_PRODUCT, reads_memory=True),
    infer=_infer,
    legalize=_legalize,
    doc="Batches of matrix products.",
)


def batch_matmul(
    a: Expr, b: Expr, *, trans_a: bool = False, trans_b: bool = False, alpha: float = 1.0
) -> Call:
    """Multiply matrices: ``alpha * a @ b``.

    Args:
        a: Shape (..., M, K), or (..., K, M) if `trans_a`.
        b: Shape (..., K, N), or (..., N, K) if `trans_b`; leading dimensions broadcast.
        trans_a: Whether the matrices of `a` come transposed.
        trans_b: Whether those of `b` do.
        alpha: Scales the product; not 0.
    """
    return call(BATCH_MATMUL, [a, b], trans_a=trans_a, trans_b=trans_b, alpha=float(alpha))
