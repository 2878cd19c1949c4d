"""Zero points are taken from sums of products, not from each number that is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from tvm import relax
from tvm.ir import Expr, GenericConst
from tvm.relax import Var
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, rank_of, static_size
from tvmfuse.ops import conv, gemm
from tvmfuse.ops.gemm import UNKNOWN
from tvmfuse.ops.summed_in import INTEGERS
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.quantized import BYTES, SIGN, as_uint8
from tvmfuse.passes.rewrite import Conditions, RewriteRule

CONV = "tvmfuse.conv"
MATRIX = 2


@dataclass(frozen=True, eq=False)
class Stored:
    """Numbers of a product's first operand as they are stored.

    Attributes:
        bytes: uint8 or int8.
        zero: What is subtracted from each; None where nothing is.
        widened: The variables on the way from the bytes to the operand.
    """

    bytes: Expr
    zero: Expr | None
    widened: tuple[Var, ...]

    @property
    def known_zero(self) -> int | None:
        """The zero point of the bytes once they are uint8; None where it is computed."""
        if self.zero is not None and not isinstance(self.zero, GenericConst):
            return None
        zero = 0 if self.zero is None else int(known_array(self.zero).item())
        return zero + self.moved

    @property
    def moved(self) -> int:
        """How far the zero point moves as the bytes become uint8."""
        return SIGN * (dtype_of(self.bytes) == "int8")


class ZeroPointFolding(RewriteRule[Stored]):
    """Multiply bytes as they are stored, and take the zero point from the sums.

    Before::

        n = conv(astype(q, "int32") - z, W, b)     # or matmul; all in int32

    After::

        n = conv(q, W', b - z * sum(W))            # uint8 by int8, summed in int32; padded with z

    This is what ONNX ConvInteger, MatMulInteger, QLinearConv and QLinearMatMul compute. Pays
    because dot products multiply bytes four times as fast, and bytes are a quarter of the memory; a
    zero point that is found as the model runs, as by DynamicQuantizeLinear, is taken from each sum.
    Integers have the same sums in any order. Source: Jacob et al., "Quantization and Training of
    Neural Networks for Efficient Integer-Arithmetic-Only Inference", CVPR 2018, section 2.3.
    """

    name = "ZeroPointFolding"
    targets = CPU

    def pattern(self) -> Pattern:
        weights = is_const()
        convolution = is_op(CONV)(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(convolution | is_op("relax.matmul")(wildcard(), weights), weights=weights)

    def is_candidate(self, match: Match) -> bool:
        is_summed = dtype_of(match.resolve(match.root)) == dtype_of(match["weights"]) == INTEGERS
        return is_summed and match.fact(_stored) is not None

    def requires(self, match: Match) -> Conditions[Stored]:
        product, stored = match.resolve(match.root), match.fact(_stored)
        assert stored is not None
        one = stored.zero is None or static_size(stored.zero) == 1
        yield one, "the zero point is one number"
        of_conv = op_name(product) == CONV
        yield of_conv or rank_of(match["weights"]) == MATRIX, "the second operand is a matrix"
        fits = np.array_equal(_narrow(match), known_array(match["weights"]))
        yield fits, "the weights are bytes, less a zero point"
        inside = not of_conv or not any(product.attrs["padding"])
        known = stored.known_zero is not None or inside
        yield known, "the zero point is known where the image has a border"
        plain = all(isinstance(bias, GenericConst) for bias in product.args[2:])
        yield plain, "the bias is constant"
        return stored

    def absorbs(self, match: Match, found: Stored) -> tuple[Var, ...]:
        return found.widened

    def rewrite(self, match: Match, found: Stored) -> Expr:
        product, array, zero = match.resolve(match.root), _narrow(match), found.known_zero
        weights, stored, trailing = constant(array), as_uint8(found.bytes), 0
        of_channel = array.astype("int64").sum(
            tuple(range(1, array.ndim)) if op_name(product) == CONV else 0
        )
        addend = np.zeros_like(of_channel) if zero is None else -zero * of_channel
        for bias in product.args[2:]:
            addend = addend + known_array(bias)
        if op_name(product) == CONV:
            said: dict[str, Any] = {
                name: list(product.attrs[name]) for name in ("strides", "padding", "dilation")
            }
            trailing = len(said["strides"])
            bias = constant(addend.astype(INTEGERS))
            sums = conv(
                stored,
                weights,
                bias if addend.any() else None,
                **said,
                groups=int(product.attrs["groups"]),
                pad_value=zero or 0,
            )
        else:
            sums = gemm(stored, weights, zero=UNKNOWN if zero is None else zero)
            if addend.any():
                sums = relax.op.add(sums, constant(addend.astype(INTEGERS)))
        if zero is not None:
            return sums
        assert found.zero is not None
        each = constant(of_channel.astype(INTEGERS).reshape(-1, *[1] * trailing))
        at = found.zero
        if found.moved:
            at = relax.op.add(at, constant(np.array(found.moved, INTEGERS)))
        return relax.op.subtract(sums, relax.op.multiply(at, each))


def _stored(match: Match) -> Stored | None:
    """Return what the first operand is made of; None where it is no bytes less a zero point."""
    way, zero = [match.resolve(match.root).args[0]], None
    if op_name(match.resolve(way[0])) == "relax.subtract":
        inner, zero = match.resolve(way[0]).args
        way.append(inner)
    operand = match.resolve(way[-1])
    if op_name(operand) != "relax.astype" or dtype_of(operand.args[0]) not in BYTES:
        return None
    return Stored(operand.args[0], zero, tuple(v for v in way if isinstance(v, Var)))


def _narrow(match: Match) -> np.ndarray:
    """Return the weights as bytes, or in 16 bits, whether they fit or not."""
    array = known_array(match["weights"])
    limits = np.iinfo("int8")
    fits = limits.min <= array.min(initial=0) and array.max(initial=0) <= limits.max
    return array.astype("int8" if fits else "int16")
