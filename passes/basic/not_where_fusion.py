"""A negated choice becomes the choice the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule


class NotWhereFusion(RewriteRule):
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
    keeps_apart = "negation"

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

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        choices = match.readers_by("negation", "relax.where")
        yield match.readers("negation") == choices, "only choices read the negation"

    def rewrite(self, match: Match) -> Expr:
        return relax.op.where(match["condition"], match["b"], match["a"])
