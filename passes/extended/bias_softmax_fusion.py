"""A softmax reads the two terms of a sum, not the sum."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import is_float, rank_of, same_shape
from tvmfuse.ops import bias_softmax
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class BiasSoftmaxFusion(RewriteRule[None]):
    """Add where the softmax reads.

    Before::

        s = x + b                # b broadcasts to x, or x to b
        y = softmax(s)

    After::

        y = bias_softmax(x, b)

    Pays because the sum is neither written nor read. `FuseOps` fuses nothing to a softmax; here it
    fuses what the terms are computed by, too. Source: ONNX Runtime's BiasSoftmaxFusion, which asks
    for a bias that broadcasts over leading dimensions, or over inner ones.
    """

    name = "BiasSoftmaxFusion"
    aliases = ("Bias Softmax Fusion",)

    def pattern(self) -> Pattern:
        x, bias = wildcard(), wildcard()
        total = is_op("relax.add")(x, bias)
        return Pattern(is_op("relax.nn.softmax")(total), x=x, bias=bias, total=total)

    def requires(self, match: Match) -> Conditions[None]:
        yield is_float(match.root), "the numbers are floats"
        yield match.num_uses("total") == 1, "the softmax is the sum's only reader"
        whole = any(same_shape(match[name], match["total"]) for name in ("x", "bias"))
        yield whole, "one term has the sum's shape"

    def rewrite(self, match: Match, found: None) -> Expr:
        x, bias = match["x"], match["bias"]
        if not same_shape(x, match["total"]):
            x, bias = bias, x
        axis = int(match.resolve(match.root).attrs.axis) % (rank_of(x) or 1)
        return bias_softmax(x, bias, axis=axis)
