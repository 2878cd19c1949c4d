"""Products and convolutions with what is fused to them."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.convolution import conv
from tvmfuse.frontend.onnx.convert.matrix import gemm, product
from tvmfuse.frontend.onnx.convert.microsoft.activations import activated
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.types import dtype_of

ACTIVATION: str = "activation_"


def fused_matmul(op: Operation) -> Expr:
    """Convert FusedMatMul: alpha times the product of what may be transposed."""
    a = _transposed(op, op.tensor(0), batch=op.flag("transBatchA"), last=op.flag("transA"))
    b = _transposed(op, op.tensor(1), batch=op.flag("transBatchB"), last=op.flag("transB"))
    alpha, result = op.number("alpha", 1.0), product(op, a, b)
    if alpha == 1:
        return result
    return relax.op.multiply(op.emit(result), scalar(alpha, dtype_of(a)))


def _transposed(op: Operation, x: Expr, *, batch: bool, last: bool) -> Expr:
    """Return an operand as the product takes it; a vector stays as it is.

    Args:
        op: For whose sake.
        x: Its first axis is that of the rows if `batch`, behind which are those of the batch.
        batch: Whether that is so.
        last: Whether the last two axes are swapped, after that.
    """
    rank = require_rank(x)
    axes = list(range(rank))
    if batch and rank > 2:
        axes = [*axes[1:-1], 0, axes[-1]]
    if last and rank > 1:
        axes[-2:] = axes[:-3:-1]
    return x if axes == sorted(axes) else op.emit(relax.op.permute_dims(x, axes))


def fused_gemm(op: Operation) -> Expr:
    """Convert FusedGemm: Gemm, and an activation."""
    said = op.node.attributes
    parameters = {
        name.removeprefix(ACTIVATION): float(value)
        for name, value in said.items()
        if name.startswith(ACTIVATION)
    }
    return activated(op, op.emit(gemm(op)), parameters)


def fused_conv(op: Operation) -> Expr:
    """Convert FusedConv: Conv, a tensor of its results' shape that is added, and an activation."""
    y, addend = op.emit(conv(op)), op.optional(3)
    if addend is not None:
        y = op.emit(relax.op.add(y, agree(op, addend, require_shape(y))))
    return activated(op, y, op.attribute("activation_params") or ())
