"""Dropouts disappear: in inference they hand their input on."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class EliminateDropout(RewriteRule[None]):
    """Read a dropout's operand instead of the dropout.

    Before::

        y = dropout(x, ratio, training=False)
        z = f(y)

    After::

        z = f(x)

    Pays because the copy reads and writes the whole tensor, and hides `x` from other passes.
    In training mode it draws random numbers and stays.

    Source: ONNX ``Dropout``; ONNX Runtime's EliminateDropout.
    """

    name = "EliminateDropout"
    aliases = ("Dropout Elimination",)

    def pattern(self) -> Pattern:
        x = wildcard()
        dropout = is_op("tvmfuse.dropout")(x)
        return Pattern(dropout, x=x, dropout=dropout)

    def requires(self, match: Match) -> Conditions[None]:
        yield not match["dropout"].attrs["training"], "the dropout is in inference mode"
        yield not match.returns_root(), "the result is no graph output"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match["x"]
