"""Matrices and tables of few bits, quantized in blocks."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, with_dim
from tvmfuse.frontend.onnx.convert.indexing import gather
from tvmfuse.frontend.onnx.convert.quantization import for_each_of_block
from tvmfuse.frontend.onnx.convert.stand_in import computed_by
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape, require_static_shape
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.narrow_types import NARROW_INTEGERS
from tvmfuse.ops import matmul_nbits as tvmfuse_matmul_nbits

BITS: Final = (2, 4, 8)
BYTE: Final = 8
WORD: Final = 32


def matmul_nbits(op: Operation) -> Expr:
    """Convert MatMulNBits."""
    op.require(not op.has(4), "its operand 4, an order of columns (g_idx), is not compiled")
    op.require(not op.flag("weight_prepacked"), "weight_prepacked is not compiled")
    bits, block = _quantization(op, 4)
    depth, columns = op.integer("K", 0), op.integer("N", 0)
    blocks = -(-depth // block)
    a = with_dim(op, op.tensor(0), -1, depth)
    b = op.tensor(1)
    _require_bytes(op, b, 1)
    b = _words(op, b, [columns, blocks, block * bits // WORD])
    scales = _columns_last(op, op.tensor(2), 2, [columns, blocks])
    zeros = op.optional(3)
    if zeros is not None:
        packed = dtype_of(zeros) == "uint8"
        op.require(
            packed or dtype_of(zeros) == dtype_of(a), f"its zero points are of {dtype_of(zeros)}"
        )
        width = -(-blocks * bits // BYTE) if packed else blocks
        zeros = _columns_last(op, zeros, 3, [columns, width])
    bias = None if not op.has(5) else agree(op, op.tensor(5), [columns])
    return tvmfuse_matmul_nbits(
        *(a, b, scales, zeros, bias),
        bits=bits,
        block_size=block,
        accuracy_level=op.integer("accuracy_level", 0),
    )


def _quantization(op: Operation, default: int) -> tuple[int, int]:
    bits, block = op.integer("bits", default), op.integer("block_size", 128)
    op.require(bits in BITS, f"bits is {bits}; expected 2, 4 or 8")
    op.require(
        block >= 16 and block & (block - 1) == 0,
        f"block_size is {block}; expected a power of two, 16 or more",
    )
    return bits, block


def _require_bytes(op: Operation, x: Expr, position: int) -> None:
    found = dtype_of(x)
    op.require(found == "uint8", f"its operand {position} is of {found}; expected uint8")


def _columns_last(op: Operation, x: Expr, position: int, shape: list[int]) -> Expr:
    """Return an operand of this shape, in which it may have come flat, with its first axis last."""
    own = require_static_shape(x, f"its operand {position}")
    op.require(
        math.prod(own) == math.prod(shape),
        f"its operand {position} has the shape {own}; expected {shape}",
    )
    whole = x if own == shape else op.emit(in_shape(x, shape))
    return op.emit(relax.op.permute_dims(whole, [*range(1, len(shape)), 0]))


def _words(op: Operation, x: Expr, shape: list[int]) -> Expr:
    """Return bytes as words of four, the first of them lowest, with their first axis last."""
    *others, last = shape
    own = require_static_shape(x, "its operand 1")
    expected = [*others, last * (WORD // BYTE)]
    op.require(
        math.prod(own) == math.prod(expected),
        f"its operand 1 has the shape {own}; expected {expected}",
    )
    whole = op.emit(in_shape(x, [*shape, WORD // BYTE]))
    shifts = constant(np.arange(0, WORD, BYTE, dtype="uint32"))
    parts = op.emit(relax.op.left_shift(op.emit(relax.op.astype(whole, "uint32")), shifts))
    words = op.emit(relax.op.sum(parts, [-1]))
    return op.emit(relax.op.permute_dims(words, [*range(1, len(shape)), 0]))


def gather_block_quantized(op: Operation) -> Expr:
    """Convert GatherBlockQuantized: parts of a table of few bits, as floats.

    The table is of int4 or uint4, or of bytes that hold as many numbers as fit.
    """
    bits, block = _quantization(op, 4)
    rank = require_rank(op.tensor(0))
    gathered = require_axis(op.integer("gather_axis", 0), rank)
    axis = require_axis(op.integer("quantize_axis", 1), rank)
    op.require(gathered != axis, "it gathers along the axis that is quantized")
    packed = op.element_type(0) not in NARROW_INTEGERS
    if packed:
        _require_bytes(op, op.tensor(0), 0)
        op.require(axis == rank - 1, "bytes whose numbers lie along another axis than the last")
    stored, scales = (_gathered(op, position, gathered) for position in (0, 2))
    axis += require_rank(stored) - rank if axis > gathered else 0
    stored = _unpacked(op, stored, bits) if packed else stored
    count = require_static_shape(stored, "what is quantized", [axis])[0]
    op.result_type = dtype = dtype_of(scales)
    zero: Expr = scalar(1 << (bits - 1) if packed else 0, dtype)
    if op.has(3):
        zeros = _gathered(op, 3, gathered)
        if packed:
            _require_bytes(op, op.tensor(3), 3)
            zeros = _first(op, _unpacked(op, zeros, bits), axis, -(-count // block))
        zero = _spread(op, op.emit(relax.op.astype(zeros, dtype)), axis, block, count)
    real = op.emit(relax.op.subtract(op.emit(relax.op.astype(stored, dtype)), zero))
    return relax.op.multiply(real, _spread(op, scales, axis, block, count))


def _gathered(op: Operation, position: int, axis: int) -> Expr:
    """Return parts of an operand along an axis."""
    return computed_by(op, gather, "Gather", op.tensor(position), op.tensor(1), axis=axis)


def _unpacked(op: Operation, x: Expr, bits: int) -> Expr:
    """Return the numbers in bytes, those of the lowest bits first, along the last axis."""
    each = BYTE // bits
    if each == 1:
        return x
    *leading, width = require_shape(x)
    mask = scalar((1 << bits) - 1, "uint8")
    parts = []
    for place in range(each):
        low = op.emit(relax.op.right_shift(x, scalar(place * bits, "uint8")))
        part = op.emit(relax.op.bitwise_and(low, mask))
        parts.append(op.emit(relax.op.expand_dims(part, [-1])))
    joined = op.emit(relax.op.concat(parts, -1))
    return op.emit(in_shape(joined, [*leading, width * each]))


def _spread(op: Operation, x: Expr, axis: int, block: int, count: int) -> Expr:
    """Return a number of each block for each of its elements, along an axis."""
    x = with_dim(op, x, axis, -(-count // block))
    flat = for_each_of_block(op, x, axis, block)
    return _first(op, flat, axis, count)


def _first(op: Operation, x: Expr, axis: int, count: int) -> Expr:
    """Return the first elements along an axis."""
    if require_shape(x)[axis] == count:
        return x
    return op.emit(relax.op.strided_slice(x, [axis], [0], [count], assume_inbound=True))
