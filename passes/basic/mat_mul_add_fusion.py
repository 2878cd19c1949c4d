"""A matrix product and the addition after it become one operator."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.provenance import values_of, with_nodes
from tvmfuse.ir.types import dtype_of, is_float, rank_of, same_shape
from tvmfuse.ops import gemm
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class MatMulAddFusion(RewriteRule[None]):
    """Add the bias where the matrix product is computed.

    Before::

        y = matmul(a, B)                 # a: (..., K), B: (K, N)
        z = y + c                        # c broadcasts to (..., N)

    After::

        z = gemm(a, B, c)

    Pays because the addition reads and writes the whole product once more, while a gemm adds `c`
    with the product still in registers. ONNX Runtime wraps a product of a vector, or of more than
    two dimensions, into two reshapes; `tvmfuse.gemm` takes it as it is.
    """

    name = "MatMulAddFusion"
    aliases = ("MatMul Add Fusion",)
    barrier_at = "matmul"

    def pattern(self) -> Pattern:
        matmul, c = is_op("relax.matmul")(wildcard(), wildcard()), wildcard()
        add = is_op("relax.add")
        return Pattern(add(matmul, c) | add(c, matmul), matmul=matmul, c=c)

    def requires(self, match: Match) -> Conditions[None]:
        matmul = match["matmul"]
        a, b = matmul.args
        yield rank_of(b) == 2, "the right factor is a matrix"
        yield rank_of(a) is not None, "the left factor's rank is known"
        yield is_float(matmul), "the product is a floating-point one"
        yield dtype_of(matmul) == dtype_of(a), "the product has its factors' dtype"
        yield match.num_uses("matmul") == 1, "the sum is the product's only reader"
        yield same_shape(match.root, matmul), "the sum has the product's shape"

    def rewrite(self, match: Match, found: None) -> Expr:
        a, b = match["matmul"].args
        products = values_of(match["matmul"])
        return with_nodes(gemm(a, b, match["c"]), match.nodes, products=products)
