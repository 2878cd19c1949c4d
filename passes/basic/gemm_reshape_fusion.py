"""A matrix product takes its operand's leading dimensions as they are."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import rank_of, same_dims, shape_of
from tvmfuse.ops import gemm
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class GemmReshapeFusion(RewriteRule[None]):
    """Reshape a product's result instead of its operand.

    Before::

        y = gemm(reshape(x, (B * S, K)), W, c)   # x: (B, S, K)

    After::

        y = reshape(gemm(x, W, c), (B * S, N))

    Pays because most such results are reshaped back: both reshapes then go, and what follows, a
    residual sum or an activation, becomes a part of the product's kernel. ONNX's Gemm takes only
    matrices, so that exporters write these reshapes; `tvmfuse.gemm` takes leading dimensions.
    """

    name = "GemmReshapeFusion"
    aliases = ("Gemm Reshape Fusion",)

    def pattern(self) -> Pattern:
        x = wildcard()
        flat = is_op("relax.reshape")(x, wildcard())
        product = is_op("tvmfuse.gemm")(flat, wildcard(), varg_default_wildcard=True)
        return Pattern(product, x=x, flat=flat, product=product)

    def is_candidate(self, match: Match) -> bool:
        return (rank_of(match["x"]) or 0) > 2 and not match["product"].attrs["trans_a"]

    def requires(self, match: Match) -> Conditions[None]:
        columns = [(shape_of(e) or (None,))[-1:] for e in (match["x"], match["flat"])]
        yield same_dims(*columns), "the reshape leaves the columns as they are"
        addend = match["product"].args[2:]
        leading = [(shape_of(c) or (None, None))[:-1] for c in addend]
        alike = all(d == 1 for dims in leading for d in dims)
        yield alike, "the product adds the same to each row"

    def rewrite(self, match: Match, found: None) -> Expr:
        product = match["product"]
        said = {name: product.attrs[name] for name in ("trans_b", "alpha", "beta")}
        whole = gemm(match["x"], *product.args[1:], **said)
        return in_shape(whole, shape_of(product) or ())
