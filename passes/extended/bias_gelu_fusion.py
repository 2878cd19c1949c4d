"""A bias joins the gelu that reads the sum."""

from __future__ import annotations

from dataclasses import dataclass

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import rank_of, same_dims, same_shape, shape_of
from tvmfuse.ops import bias_gelu
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


@dataclass(frozen=True)
class Terms:
    """What the bias is added to, and the bias: the operand of lower rank."""

    x: Expr
    bias: Expr


class BiasGeluFusion(RewriteRule[Terms]):
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
    barrier_at = "total"

    def pattern(self) -> Pattern:
        x, bias, add = wildcard(), wildcard(), is_op("relax.add")
        total = add(x, bias)
        gelu, tanh = (is_op(f"relax.nn.{n}")(total) for n in ("gelu", "gelu_tanh"))
        return Pattern(gelu | tanh, x=x, bias=bias, total=total, tanh=tanh)

    def requires(self, match: Match) -> Conditions[Terms]:
        terms = _terms(match)
        x, bias = terms.x, terms.bias
        yield rank_of(bias) == 1, "the bias has one axis"
        yield same_shape(x, match.root), "the sum has the other operand's shape"
        as_long = same_dims(shape_of(bias), (shape_of(x) or ())[-1:])
        yield as_long, "the bias is as long as the last axis"
        yield op_name(match.resolve(x)) != "relax.matmul", "a product keeps its bias"
        yield match.num_uses("total") == 1, "nobody else reads the sum"
        return terms

    def rewrite(self, match: Match, found: Terms) -> Expr:
        return bias_gelu(found.x, found.bias, approximate="tanh" in match)


def _terms(match: Match) -> Terms:
    a, b = match["x"], match["bias"]
    return Terms(b, a) if (rank_of(a) or 0) < (rank_of(b) or 0) else Terms(a, b)
