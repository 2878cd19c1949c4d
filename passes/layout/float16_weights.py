"""Weights in float16 where a model multiplies float32."""

from __future__ import annotations

import numpy as np
from tvm.ir import Call, Expr, GenericConst
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, numbers_of, rank_of
from tvmfuse.ops import gemm
from tvmfuse.passes.bfloat16_products import CONV, GEMM, MATMUL, MATRIX
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.nchwc.layer_of import layer_of
from tvmfuse.passes.nchwc.winograd_costs import SIZES, best_size
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule
from tvmfuse.target.machine import AVX2, Machine


class Float16Weights(RewriteRule[None]):
    """Store the weights of products in float16, and multiply and add up in float32.

    Before::

        y = gemm(x, W, b)        # or matmul(x, W), or conv(x, W, b), all of float32

    After::

        y = gemm(x, W', b)       # W' in float16

    Pays because weights take half the memory: one row times a matrix, as in each step of a decoder,
    takes as long as the matrix takes to come, and a vector of it is converted by one instruction.
    Nothing else is rounded. It is off until a caller asks for it, ``precision="f16"``, because
    float16 holds 11 bits of a number. Source: Micikevicius et al., "Mixed Precision Training",
    ICLR 2018.
    """

    name = "Float16Weights"
    default = False
    targets = CPU
    note = "weights are of float16: outputs keep about three decimal digits"

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> Float16Weights:
        """Return the pass that asks this machine for its instructions."""
        return Float16Weights(machine)

    def pattern(self) -> Pattern:
        weights = wildcard()
        matmul = is_op(MATMUL)(wildcard(), weights)
        conv, product = (
            is_op(name)(wildcard(), weights, varg_default_wildcard=True) for name in (CONV, GEMM)
        )
        return Pattern(matmul | conv | product, weights=weights)

    def is_candidate(self, match: Match) -> bool:
        product = match.resolve(match.root)
        return {dtype_of(x) for x in (product, *product.args[:2])} == {"float32"}

    def requires(self, match: Match) -> Conditions[None]:
        product, weights = match.resolve(match.root), match["weights"]
        yield self._machine.converts_float16, "the machine converts vectors of float16"
        yield isinstance(weights, GenericConst), "the product is with constant weights"
        if op_name(product) == CONV:
            yield int(product.attrs["groups"]) == 1, "the convolution has one group"
            layer = layer_of(product, self._machine)
            m = None if layer is None else best_size(layer, self._machine)
            yield m in (None, SIZES[0]), "Winograd's algorithm takes no larger tiles in float32"
        else:
            yield rank_of(weights) == MATRIX, "the weights are a matrix"
        yield _are_held(weights, _outputs(product)), "float16 holds 11 bits of the largest weights"

    def rewrite(self, match: Match, found: None) -> Expr:
        del found
        product = match.resolve(match.root)
        x, weights, *bias = product.args
        narrowed = constant(known_array(weights).astype("float16"))
        if op_name(product) == MATMUL:
            return gemm(x, narrowed)
        return Call(product.op, [x, narrowed, *bias], attrs=product.attrs)


def _outputs(product: Call) -> int:
    """Return the dimension of the weights that counts what is computed."""
    by_rows = op_name(product) == CONV or (op_name(product) == GEMM and product.attrs["trans_b"])
    return 0 if by_rows else 1


def _are_held(weights: Expr, outputs: int) -> bool:
    """Whether each output's weights err by no more than 2^-11 of their largest.

    Those of float16 end at 65,504, and have fewer bits below 2^-14. Of weights that follow from
    parameters none is known.
    """
    numbers = numbers_of(weights)
    if numbers is None or not numbers.size:
        return True
    with np.errstate(over="ignore", invalid="ignore"):
        errors = np.abs(numbers.astype("float16").astype("float32") - numbers)
        axes = tuple(d for d in range(numbers.ndim) if d != outputs)
        return bool((errors.max(axes) <= np.abs(numbers).max(axes) * np.float32(2**-11)).all())
