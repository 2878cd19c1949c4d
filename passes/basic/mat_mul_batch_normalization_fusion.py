"""An inference batch norm disappears into the matrix product before it."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_op, is_tuple_get_item, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, rank_of
from tvmfuse.ops import gemm
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.per_channel import (
    Folded,
    affine_of,
    all_finite,
    are_constant,
    bias_of,
    is_affine,
)
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class MatMulBatchNormalizationFusion(RewriteRule[Folded]):
    """Scale the columns of a constant matrix instead of the product's.

    Before::

        y = matmul(a, B)                 # or gemm(a, B, c)
        z = batch_norm(y, gamma, beta, mean, var)[0]

    After, with ``s = gamma / sqrt(var + epsilon)`` for each column::

        z = gemm(a, B * s, (c - mean) * s + beta)

    Pays because the batch norm reads and writes the whole product once more, while the new
    constants are computed here, at compile time.
    """

    name = "MatMul_BatchNormalization_Fusion"
    aliases = ("MatMul BatchNorm Fusion", "MatMul BN Fusion", "Gemm BN Fusion")
    barrier_at = "product"

    def pattern(self) -> Pattern:
        a, b = wildcard(), wildcard()
        product = is_op("relax.matmul")(a, b) | is_op("tvmfuse.gemm")(
            a, b, varg_default_wildcard=True
        )
        parameters = [wildcard() for _ in range(4)]
        norm = is_op("relax.nn.batch_norm")(product, *parameters)
        return Pattern(is_tuple_get_item(norm, 0), product=product, norm=norm)

    def requires(self, match: Match) -> Conditions[Folded]:
        product, norm = match["product"], match["norm"]
        yield from is_affine(norm, match.num_uses("norm"))
        a, b, *c = product.args
        yield are_constant([b]), "the right factor is constant"
        yield are_constant(c), "what the gemm adds is constant"
        yield rank_of(b) == 2, "the right factor is a matrix"
        rank = rank_of(product)
        runs_over_columns = rank is not None and norm.attrs.axis % rank == rank - 1
        yield runs_over_columns, "the batch norm runs over the product's columns"
        yield dtype_of(product) == dtype_of(a), "the product has its factors' dtype"
        yield match.num_uses("product") == 1, "the batch norm is the product's only reader"
        folded = _folded(product, norm)
        yield all_finite(*folded.arrays), "the scaled weights are finite"
        return folded

    def rewrite(self, match: Match, found: Folded) -> Expr:
        product = match["product"]
        b, c = map(constant, found.arrays)
        attrs = {} if op_name(product) == "relax.matmul" else {**product.attrs, "beta": 1.0}
        return gemm(product.args[0], b, c, **attrs)


@np.errstate(over="ignore", invalid="ignore")
def _folded(product: Expr, norm: Expr) -> Folded:
    """Return the scaled matrix and the new addend."""
    scale, shift = affine_of(norm)
    b, c, attrs = known_array(product.args[1]), bias_of(product), product.attrs
    is_gemm = op_name(product) == "tvmfuse.gemm"
    by_column = scale[:, np.newaxis] if is_gemm and attrs["trans_b"] else scale
    beta = attrs["beta"] if is_gemm else 1.0
    bias = (beta * c * scale + shift).astype(b.dtype)
    return Folded((b * by_column).astype(b.dtype), bias)
