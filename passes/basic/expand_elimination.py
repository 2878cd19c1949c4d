"""Broadcasts to the same shape disappear."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import same_shape
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class ExpandElimination(RewriteRule[None]):
    """Read the operand of a broadcast that keeps the shape.

    Before, with ``x`` of shape (n, c)::

        y = broadcast_to(x, (n, c))
        z = f(y)

    After::

        z = f(x)

    Pays because the copy reads and writes the whole tensor.

    Source: ONNX ``Expand``; ONNX Runtime's ExpandElimination.
    """

    name = "ExpandElimination"
    aliases = ("Expand Elimination",)

    def pattern(self) -> Pattern:
        x = wildcard()
        return Pattern(is_op("relax.broadcast_to")(x, wildcard()), x=x)

    def requires(self, match: Match) -> Conditions[None]:
        yield same_shape(match.root, match["x"]), "the shape stays the same"
        yield match.can_become("x"), "no graph output becomes a graph input or another output"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match["x"]
