"""Casts to the same type disappear."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import dtype_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class CastElimination(RewriteRule[None]):
    """Read the operand of a cast that keeps the dtype.

    Before, with ``x`` in float32::

        y = astype(x, "float32")
        z = f(y)

    After::

        z = f(x)

    Pays because the copy reads and writes the whole tensor.

    Source: ONNX ``Cast``; ONNX Runtime's CastElimination.
    """

    name = "CastElimination"
    aliases = ("Cast Elimination",)

    def pattern(self) -> Pattern:
        x = wildcard()
        return Pattern(is_op("relax.astype")(x), x=x)

    def requires(self, match: Match) -> Conditions[None]:
        yield dtype_of(match.root) == dtype_of(match["x"]), "the dtype stays the same"
        yield match.can_become("x"), "no graph output becomes a graph input or another output"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match["x"]
