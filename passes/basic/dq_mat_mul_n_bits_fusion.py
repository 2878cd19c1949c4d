"""A product with a dequantized matrix of few bits becomes one that reads these bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm.ir import Expr, GenericConst
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, rank_of
from tvmfuse.ops import matmul_nbits
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

GEMM: Final = "tvmfuse.gemm"

WORD: Final = 32
BYTE: Final = 8


@dataclass(frozen=True)
class Summed:
    """How a matrix is multiplied.

    Attributes:
        transposed: Whether its last axis is summed up, not the one before.
        bias: What is added to each row, or None.
    """

    transposed: bool
    bias: Expr | None


class DQMatMulNBitsFusion(RewriteRule[Summed]):
    """Multiply by a matrix of 2, 4 or 8 bits as it is stored.

    Before::

        matmul(x, dequantize_blocks(q, scales, zeros))
        matmul(x, permute_dims(dequantize_blocks(q, scales, zeros)))
        gemm(x, dequantize_blocks(q, scales, zeros), bias)

    After::

        matmul_nbits(x, words, scales, zeros, bias)     # as many numbers in a word as fit

    Pays because the matrix never lies in memory as floats: one row reads an eighth of the bytes.
    """

    name = "DQMatMulNBitsFusion"

    def pattern(self) -> Pattern:
        matrix = is_op("tvmfuse.dequantize_blocks")(is_const(), varg_default_wildcard=True)
        transposed = is_op("relax.permute_dims")(matrix)
        operand = matrix | transposed
        product = is_op("relax.matmul")(wildcard(), operand)
        gemm = is_op("tvmfuse.gemm")(wildcard(), operand, varg_default_wildcard=True)
        return Pattern(product | gemm, matrix=matrix, transposed=transposed)

    def requires(self, match: Match) -> Conditions[Summed]:
        product, matrix = match.resolve(match.root), match["matrix"]
        bits, block = int(matrix.attrs["bits"]), int(matrix.attrs["block_size"])
        transposed = "transposed" in match and _swaps(match["transposed"])
        bias, plain = None, True
        if op_name(product) == GEMM:
            transposed ^= bool(product.attrs["trans_b"])
            bias = product.args[2] if len(product.args) > 2 else None
            factors = product.attrs["alpha"], product.attrs["beta"] if bias is not None else 1.0
            plain = factors == (1.0, 1.0) and not product.attrs["trans_a"]
        yield plain, "it multiplies and adds, and scales nothing"
        yield rank_of(matrix) == 2, "what is dequantized is a matrix"
        yield all(isinstance(x, GenericConst) for x in matrix.args), "its parameters are constant"
        yield int(matrix.attrs["axis"]) == int(transposed), "blocks lie along the sum"
        yield block * bits % WORD == 0, "a block is whole words"
        columns = matrix.ty.shape.values[0 if transposed else 1]
        own = bias is None or (rank_of(bias) == 1 and bias.ty.shape.values[0] == columns)
        yield own, "what is added has a number for each column"
        return Summed(transposed, bias)

    def rewrite(self, match: Match, found: Summed) -> Expr:
        product, matrix = match.resolve(match.root), match["matrix"]
        bits, block = int(matrix.attrs["bits"]), int(matrix.attrs["block_size"])
        stored, scales, *zeros = (
            known_array(x).T if found.transposed else known_array(x) for x in matrix.args
        )
        middle = 0 if dtype_of(matrix.args[0]) == "uint8" else 1 << (bits - 1)
        given = zeros[0] if zeros else np.zeros(scales.shape, stored.dtype)
        zero = _from_zero(given, middle)
        missing = -len(stored) % block
        numbers = _from_zero(np.pad(stored, [(0, missing), (0, 0)]), middle)
        words = _packed(numbers, bits, "uint32").reshape(len(scales), -1, numbers.shape[1])
        in_middle = np.all(zero == 1 << (bits - 1))
        return matmul_nbits(
            product.args[0],
            constant(words),
            constant(scales),
            None if in_middle else constant(_packed(zero, bits, "uint8")),
            found.bias,
            bits=bits,
            block_size=block,
        )


def _swaps(permuted: Expr) -> bool:
    """Whether the axes of a matrix change places; without axes, they are reversed."""
    axes = permuted.attrs.axes
    return axes is None or int(axes[0]) % 2 == 1


def _from_zero(numbers: np.ndarray, middle: int) -> np.ndarray:
    """Return integers counted from the least that there is."""
    return numbers.astype("int16") + middle


def _packed(numbers: np.ndarray, bits: int, dtype: str) -> np.ndarray:
    """Return neighbours of each column in one element, the first of them lowest."""
    each = np.dtype(dtype).itemsize * BYTE // bits
    padded = np.pad(numbers, [(0, -len(numbers) % each), (0, 0)]).astype(dtype)
    shifts = np.arange(each, dtype=dtype)[:, None] * np.array(bits, dtype)
    parts = padded.reshape(-1, each, numbers.shape[1]) << shifts
    packed: np.ndarray = np.bitwise_or.reduce(parts, 1)
    return packed
