"""Products of quantized matrices: exact in int32, then floats or quantized again."""

from __future__ import annotations

from functools import reduce

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, aligned, broadcast_to
from tvmfuse.frontend.onnx.convert.matrix import product
from tvmfuse.frontend.onnx.convert.microsoft.activations import with_bias
from tvmfuse.frontend.onnx.convert.quantization import dynamic_quantize_linear, one_number
from tvmfuse.frontend.onnx.convert.quantized import centered, requantized
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.types import dtype_of


def matmul_integer_to_float(op: Operation) -> Expr:
    """Convert MatMulIntegerToFloat."""
    return scaled_product(op, (0, 2, 4), (1, 3, 5), bias=6)


def scaled_product(
    op: Operation, a: tuple[int, int, int], b: tuple[int, int, int], *, bias: int
) -> Expr:
    """Return (a - a_zero) @ (b - b_zero) times both scales, plus a bias.

    Args:
        op: The operation.
        a: The positions of an operand, its scale and its zero point, which may be absent.
        b: Likewise.
        bias: That of a vector, which may be absent.
    """
    x, scale, zero = op.tensor(a[0]), op.tensor(a[1]), op.optional(a[2])
    whole = centered(op, x, None if zero is None else _per_row(op, zero, x))
    return _scaled(op, whole, _per_row(op, scale, x), b, bias)


def _per_row(op: Operation, parameter: Expr, x: Expr) -> Expr:
    """Return a left operand's scale or zero point as it broadcasts to the operand."""
    parameter = one_number(op, parameter)
    if require_rank(parameter) == 1 and require_rank(x) > 1:
        return op.emit(relax.op.expand_dims(parameter, [1]))
    return parameter


def dynamic_quantize_matmul(op: Operation) -> Expr:
    """Convert DynamicQuantizeMatMul: the same of an operand that is quantized to uint8 here."""
    a, scale, zero = (op.emit(e) for e in dynamic_quantize_linear(op))
    return _scaled(op, centered(op, a, zero), scale, (1, 2, 3), 4)


def _scaled(
    op: Operation, a: Expr, a_scale: Expr, right_at: tuple[int, int, int], bias: int
) -> Expr:
    """Return the product of centered integers in float32; the numbers are operands' positions."""
    b, b_scale, b_zero = right_at
    right = _centered_columns(op, b, b_zero)
    whole = op.emit(relax.op.astype(op.emit(product(op, a, right)), dtype_of(a_scale)))
    of_columns = _of_columns(op, op.tensor(b_scale), op.tensor(b))
    scale = op.emit(relax.op.multiply(*aligned(op, [a_scale, of_columns])))
    return with_bias(op, op.emit(relax.op.multiply(*aligned(op, [whole, scale]))), bias)


def _centered_columns(op: Operation, position: int, zero: int) -> Expr:
    b, offset = op.tensor(position), op.optional(zero)
    return centered(op, b, None if offset is None else _of_columns(op, offset, b))


def _of_columns(op: Operation, parameter: Expr, b: Expr) -> Expr:
    """Return a right operand's scale or zero point as it broadcasts to the product.

    It is one number, or one for each column; of batches, (..., 1, N).
    """
    parameter = one_number(op, parameter)
    rank = require_rank(parameter)
    if rank == 0:
        return parameter
    shape = require_shape(b)
    if rank == 1:
        return agree(op, parameter, shape[-1:])
    return agree(
        op, parameter, broadcast_to(op, require_shape(parameter), [*shape[:-2], 1, shape[-1]])
    )


def q_gemm(op: Operation) -> Expr:
    """Convert QGemm: alpha a @ b + c, c in int32 at the products' scale; then quantized, or not."""
    a, b = op.tensor(0), op.tensor(3)
    op.require(require_rank(a) == require_rank(b) == 2, "QGemm takes matrices")
    op.require(op.has(2) == op.has(5), "it has one zero point of two")
    b_zero = op.optional(5)
    trans_b = op.flag("transB")
    left = centered(op, a, None if op.optional(2) is None else one_number(op, op.tensor(2)))
    if op.flag("transA"):
        left = op.emit(relax.op.permute_dims(left, [1, 0]))
    if trans_b:
        b = op.emit(relax.op.permute_dims(b, [1, 0]))
    right = centered(op, b, None if b_zero is None else _of_columns(op, b_zero, b))
    whole = op.emit(product(op, left, right))
    if op.has(6):
        c = op.tensor(6)
        op.require(dtype_of(c) == "int32", f"its bias is of {dtype_of(c)}; expected int32")
        shape = require_shape(whole)
        whole = op.emit(
            relax.op.add(whole, agree(op, c, broadcast_to(op, require_shape(c), shape)))
        )
    scales = [one_number(op, op.tensor(1)), _of_columns(op, op.tensor(4), b)]
    alpha = op.number("alpha", 1.0)
    if alpha != 1:
        scales.insert(0, scalar(alpha, dtype_of(scales[0])))
    op.require(op.has(7) == op.has(8), "its result's scale and zero point are both there, or none")
    if op.has(7):
        y_scale, zero = (one_number(op, op.tensor(position)) for position in (7, 8))
        return requantized(op, whole, scales, y_scale, zero)
    scale = reduce(lambda a, b: op.emit(relax.op.multiply(*aligned(op, [a, b]))), scales)
    real = op.emit(relax.op.astype(whole, dtype_of(scale)))
    return relax.op.multiply(*aligned(op, [real, scale]))
