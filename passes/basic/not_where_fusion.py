"""A negated choice becomes the choice the other way round."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class NotWhereFusion(RewriteRule[None]):
    """Swap the alternatives of a choice instead of negating its condition.

    Before::

        z = where(logical_not(c), a, b)

    After::

        z = where(c, b, a)

    Pays because the negated condition is neither written nor read.

    Source: ONNX Runtime's NotWhereFusion.
    """

    name = "NotWhereFusion"
    aliases = ("Not Where Fusion",)
    barrier_at = "negation"

    def pattern(self) -> Pattern:
        condition, a, b = wildcard(), wildcard(), wildcard()
        negation = is_op("relax.logical_not")(condition)
        return Pattern(
            is_op("relax.where")(negation, a, b),
            condition=condition,
            a=a,
            b=b,
            negation=negation,
        )

    def requires(self, match: Match) -> Conditions[None]:
        choices = match.num_uses_by("negation", "relax.where")
        yield match.num_uses("negation") == choices, "only choices read the negation"

    def rewrite(self, match: Match, found: None) -> Expr:
        return relax.op.where(match["condition"], match["b"], match["a"])
