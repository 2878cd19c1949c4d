"""Two negations after each other are none."""

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes import Conditions, Match, Pattern, RewriteRule


class DoubleNegation(RewriteRule[None]):
    """Leave out a negation of a negation.

    Before::

        y = negative(negative(x))

    After::

        y = x
    """

    name = "DoubleNegation"
    phase = "basic"
    after = "NoopElimination"

    def pattern(self) -> Pattern:
        x = wildcard()
        return Pattern(is_op("relax.negative")(is_op("relax.negative")(x)), x=x)

    def requires(self, match: Match) -> Conditions[None]:
        yield match.can_become("x"), "the graph would return its own input"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match.var("x")
