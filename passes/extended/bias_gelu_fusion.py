"""A bias joins the gelu that reads the sum."""

from __future__ import annotations

from collections.abc import Iterator

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import rank_of, same_dims, same_shape, shape_of
from tvmfuse.ops import bias_gelu
from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule


class BiasGeluFusion(RewriteRule):
    """Add a bias and apply gelu in one operator.

    Before::

        s = x + b                        # or b + x; x: (..., N), b: (N,)
        y = gelu(s)                      # exact, or approximated with tanh

    After::

        y = bias_gelu(x, b)

    A product's bias stays its own: `MatMulAddFusion` has made a gemm of both, which `FuseOps`
    fuses with the gelu, so that the same one kernel computes all three.

    Pays because the sum is neither written nor read; `FuseOps` makes the same kernel, too, where
    it runs. Source: ONNX Runtime's BiasGeluFusion, which loses its bias to the product as well.
    """

    name = "BiasGeluFusion"
    aliases = ("BiasGelu Fusion", "Bias GELU Fusion")
    keeps_apart = "total"

    def pattern(self) -> Pattern:
        x, bias, add = wildcard(), wildcard(), is_op("relax.add")
        total = add(x, bias)
        gelu, tanh = (is_op(f"relax.nn.{n}")(total) for n in ("gelu", "gelu_tanh"))
        return Pattern(gelu | tanh, x=x, bias=bias, total=total, tanh=tanh)

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        x, bias = _operands(match)
        yield rank_of(bias) == 1, "the bias has one axis"
        yield same_shape(x, match.root), "the sum has the other operand's shape"
        as_long = same_dims(shape_of(bias), (shape_of(x) or ())[-1:])
        yield as_long, "the bias is as long as the last axis"
        yield op_name(match.resolve(x)) != "relax.matmul", "a product keeps its bias"
        yield match.readers("total") == 1, "nobody else reads the sum"

    def rewrite(self, match: Match) -> Expr:
        return bias_gelu(*_operands(match), approximate="tanh" in match)


def _operands(match: Match) -> tuple[Expr, Expr]:
    """Return what the bias is added to, and the bias: the operand of lower rank."""
    a, b = match["x"], match["bias"]
    return (b, a) if (rank_of(a) or 0) < (rank_of(b) or 0) else (a, b)
