"""A product reads the matrices that are transposed for it as they lie in memory."""

from __future__ import annotations

from typing import Final

from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import dtype_of, is_float, rank_of, shape_of
from tvmfuse.ops import batch_matmul, gemm
from tvmfuse.ops.traits import Kind, operators
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

PRODUCTS: Final = operators(lambda traits: traits.kind is Kind.MATRIX_PRODUCT)
SIDES: Final = ("trans_a", "trans_b")


class MatmulTransposeFusion(RewriteRule[None]):
    """Multiply by matrices that are transposed without storing them so.

    Before::

        t = permute_dims(b, [..., n - 1, n - 2])     # of either factor; matrices or batches of them
        y = matmul(a, t)                             # or gemm

    After::

        y = gemm(a, b, trans_b=True)                 # where `b` is one matrix
        y = batch_matmul(a, b, trans_b=True)

    Pays because a transpose reads and writes the whole tensor, in steps that no cache likes; a
    product copies what it multiplies next in the order that it needs. A transpose that somebody
    else reads would stay, so that nothing would be gained; several products may read it. Source:
    ONNX Runtime's MatmulTransposeFusion, and its FusedMatMul.
    """

    name = "MatmulTransposeFusion"
    aliases = ("MatMul Transpose Fusion",)

    def pattern(self) -> Pattern:
        transpose, other = is_op("relax.permute_dims")(wildcard()), wildcard()
        matmul, gemm = is_op("relax.matmul"), is_op("tvmfuse.gemm")
        batches = is_op("tvmfuse.batch_matmul")
        left = gemm(transpose, other, varg_default_wildcard=True)
        right = gemm(other, transpose, varg_default_wildcard=True)
        plain = matmul(transpose, other) | matmul(other, transpose)
        return Pattern(
            plain | left | right | batches(transpose, other) | batches(other, transpose),
            transpose=transpose,
        )

    def requires(self, match: Match) -> Conditions[None]:
        yield _swaps(match["transpose"]), "the transpose swaps the last two axes, and only those"
        readers = [match.value(r) for r in match.users(match.var("transpose"))]
        only = all(r is not None and op_name(r) in PRODUCTS for r in readers)
        yield only, "only products read the transpose"
        products = [r for r in readers if r is not None]
        yield all(is_float(p) for p in products), "the products are floating-point ones"
        same = all(dtype_of(p) == dtype_of(match["transpose"]) for p in products)
        yield same, "the products have their factors' dtype"
        known = all(shape_of(e) is not None for p in products for e in (p, *p.args))
        yield known, "the shapes are known"
        matrices = all((rank_of(e) or 0) > 1 for p in products for e in p.args[:2])
        yield matrices, "both factors are matrices, or batches of them"
        yield all(_takes(p, match) for p in products), "a gemm's left factor is one matrix"

    def rewrite(self, match: Match, found: None) -> Expr:
        product = match.resolve(match.root)
        operands = list(product.args)
        side = _sides(product, match)[0]
        operands[side] = match["transpose"].args[0]
        if op_name(product) != "relax.matmul":
            said = {**product.attrs, SIDES[side]: not product.attrs[SIDES[side]]}
            return Call(product.op, operands, attrs=said)
        a, b = operands
        of_one = rank_of(b) == 2 and (side == 1 or rank_of(a) == 2)
        return (gemm if of_one else batch_matmul)(a, b, **{SIDES[side]: True})


def _swaps(transpose: Expr) -> bool:
    """Whether a permutation swaps the last two axes only; without axes it reverses all."""
    rank, axes = rank_of(transpose) or 0, transpose.attrs.axes
    if axes is None:
        return rank == 2
    *rest, last, first = range(rank)
    return rank > 1 and [int(a) % rank for a in axes] == [*rest, first, last]


def _sides(product: Expr, match: Match) -> list[int]:
    """Return which factors of a product the transpose is."""
    transpose = match["transpose"]
    return [i for i, a in enumerate(product.args[:2]) if match.resolve(a).same_as(transpose)]


def _takes(product: Expr, match: Match) -> bool:
    """Whether an operator can read the factors that the transpose is in the other order."""
    is_gemm = op_name(product) == "tvmfuse.gemm"
    return not is_gemm or 0 not in _sides(product, match) or rank_of(product.args[0]) == 2
