"""What a product with a matrix of few bits multiplies as bytes, where its model allows that."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm.ir import Call, Expr, GenericConst
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.types import constant, dtype_of, known_array, rank_of
from tvmfuse.ops import integer_matmul_nbits, quantize_blocks
from tvmfuse.ops.integer_matmul_nbits import BYTE, BYTES
from tvmfuse.ops.quantize_blocks import MOST
from tvmfuse.ops.summed_in import INTEGERS
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule
from tvmfuse.target.machine import AVX2, Machine
from tvmfuse.target.register_tile import narrow_panel_columns

BYTES_SUFFICE: Final = 4
"""The `accuracy_level` of a MatMulNBits that may quantize its first operand to int8."""


class QuantizeActivations(RewriteRule[int]):
    """Multiply by a matrix of few bits in integers.

    Before::

        y = matmul_nbits(a, B)            # accuracy_level is 4

    After::

        q = quantize_blocks(a)            # bytes, scales, sums
        y = integer_matmul_nbits(q, P)    # P: in panels, the fields of a word's bytes in order

    Pays because an instruction multiplies four bytes where one multiplies a float, and a number of
    few bits becomes a byte by a mask for four of them. That rounds activations, each block of a row
    to 127 steps of its largest magnitude, as onnxruntime does: only where the model says that this
    is accurate enough.
    """

    name = "QuantizeActivations"
    targets = CPU

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> QuantizeActivations:
        """Return the pass for this machine's dot products and registers."""
        return QuantizeActivations(machine)

    def pattern(self) -> Pattern:
        weights = is_const()
        product = is_op("tvmfuse.matmul_nbits")(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(product, weights=weights)

    def is_candidate(self, match: Match) -> bool:
        product = match.resolve(match.root)
        unpacked = rank_of(product.args[1]) == 3
        return unpacked and int(product.attrs["accuracy_level"]) == BYTES_SUFFICE

    def requires(self, match: Match) -> Conditions[int]:
        product = match.resolve(match.root)
        bits, stored = int(product.attrs["bits"]), _stored(product)
        yield dtype_of(product) == "float32", "it is in float32"
        yield (
            all(isinstance(x, GenericConst) for x in stored),
            "its scales and its zero points are constant",
        )
        yield len(stored) == 2 or dtype_of(stored[2]) == "uint8", "its zero points are integers"
        sums = MOST * ((1 << bits) - 1) * int(product.attrs["block_size"])
        yield sums <= np.iinfo(INTEGERS).max, "no block's sum can be more than an int32 holds"
        yield (
            self._machine.dot_of_bytes((1 << bits) - 1) is not None,
            "the machine has a dot product of bytes that is exact for it",
        )
        return narrow_panel_columns(self._machine, int(product.ty.shape.values[-1]))

    def rewrite(self, match: Match, found: int) -> Expr:
        product = match.resolve(match.root)
        bits, stored = int(product.attrs["bits"]), _stored(product)
        columns = int(product.ty.shape.values[-1])
        words, *others = map(known_array, stored)
        panels = [_panels(x, found) for x in (_by_fields(words, bits), *others)]
        zeros = constant(panels[2]) if len(panels) > 2 else None
        bias = product.args[1 + len(panels)] if len(product.args) > 1 + len(panels) else None
        quantized = quantize_blocks(product.args[0], block_size=int(product.attrs["block_size"]))
        b, scales = map(constant, panels[:2])
        return integer_matmul_nbits(quantized, b, scales, zeros, bias, bits=bits, columns=columns)


def _stored(product: Call) -> list[Expr]:
    """Return the matrix, its scales, and its zero points, if it has some."""
    return list(product.args[1 : 3 + bool(product.attrs["zeros"])])


def _by_fields(words: np.ndarray, bits: int) -> np.ndarray:
    """Return words whose bytes' n-th fields are four neighbouring numbers, for each n."""
    fields, mask = BYTE // bits, np.uint32((1 << bits) - 1)
    found = np.zeros_like(words)
    for place in range(fields * BYTES):
        field, byte = divmod(place, BYTES)
        number = words >> np.uint32(place * bits) & mask
        found |= number << np.uint32(byte * BYTE + field * bits)
    return found


def _panels(stored: np.ndarray, width: int) -> np.ndarray:
    """Return an array's columns in panels, the last of which is filled up with zeros."""
    missing = -stored.shape[-1] % width
    padded = np.pad(stored, [(0, 0)] * (stored.ndim - 1) + [(0, missing)])
    return np.moveaxis(padded.reshape(*stored.shape[:-1], -1, width), -2, 0)
