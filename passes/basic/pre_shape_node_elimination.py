"""A shape is read before the cast, not after it."""

from __future__ import annotations

from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

SHAPES = ("relax.shape_of", "relax.size")


class PreShapeNodeElimination(RewriteRule[None]):
    """Ask a cast's operand for its shape, where nobody asks the cast for anything else.

    Before::

        y = astype(x, dtype)
        s = shape_of(y)     # or size(y)

    After::

        s = shape_of(x)

    Pays because a tensor is converted only to be measured.

    Source: ONNX Runtime's PreShapeNodeElimination.
    """

    name = "PreShapeNodeElimination"
    aliases = ("Pre Shape Node Elimination",)

    def pattern(self) -> Pattern:
        x = wildcard()
        cast = is_op("relax.astype")(x)
        shape, size = (is_op(name)(cast) for name in SHAPES)
        return Pattern(shape | size, x=x, cast=cast)

    def requires(self, match: Match) -> Conditions[None]:
        shapes = sum(match.num_uses_by("cast", name) for name in SHAPES)
        yield match.num_uses("cast") == shapes, "the cast is read for its shape only"

    def rewrite(self, match: Match, found: None) -> Expr:
        return Call(match.resolve(match.root).op, [match["x"]])
