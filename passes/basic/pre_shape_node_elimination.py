"""A shape is read before the cast, not after it."""

from __future__ import annotations

from collections.abc import Iterator

from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule

SHAPES = ("relax.shape_of", "relax.size")


class PreShapeNodeElimination(RewriteRule):
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

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        shapes = sum(match.readers_by("cast", name) for name in SHAPES)
        yield match.readers("cast") == shapes, "the cast is read for its shape only"

    def rewrite(self, match: Match) -> Expr:
        return Call(match.resolve(match.root).op, [match["x"]])
