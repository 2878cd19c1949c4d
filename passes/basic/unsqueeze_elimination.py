"""A constant gets its new axes here."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import array_of, constant, static_shape_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class UnsqueezeElimination(RewriteRule[None]):
    """Store a constant with the axes that `expand_dims` would give it.

    Before, with a constant ``c`` of shape (n,)::

        y = expand_dims(c, axis=[0, 2])

    After, with ``c`` of shape (1, n, 1)::

        y = c

    Pays because passes that ask for a constant see one, and a kernel that only copies is gone.

    Source: ONNX ``Unsqueeze``; ONNX Runtime's UnsqueezeElimination.
    """

    name = "UnsqueezeElimination"
    aliases = ("Unsqueeze Elimination",)

    def pattern(self) -> Pattern:
        data = wildcard()
        return Pattern(is_op("relax.expand_dims")(data), data=data)

    def requires(self, match: Match) -> Conditions[None]:
        yield array_of(match["data"]) is not None, "the operand is a constant"
        yield not match.returns_root(), "the result is no graph output"

    def rewrite(self, match: Match, found: None) -> Expr:
        data, shape = array_of(match["data"]), static_shape_of(match.root)
        assert data is not None
        assert shape is not None
        return constant(data.reshape(shape))
