"""Identities disappear."""

from __future__ import annotations

from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

IDENTITY = "tvmfuse.identity"


class EliminateIdentity(RewriteRule[None]):
    """Read an identity's operand instead of the identity.

    Before::

        y = identity(x)
        z = f(y)

    After::

        z = f(x)

    Pays because the copy reads and writes the whole tensor, and hides `x` from other passes.
    Each output of the graph stays a tensor of its own.

    Source: ONNX ``Identity``; ONNX Runtime's EliminateIdentity.
    """

    name = "EliminateIdentity"
    aliases = ("Identity Elimination",)

    def pattern(self) -> Pattern:
        x = wildcard()
        return Pattern(is_op(IDENTITY)(x), x=x)

    def requires(self, match: Match) -> Conditions[None]:
        yield match.can_become("x"), "no graph output becomes a graph input or another output"
        alone = match.num_uses_by("x", IDENTITY) == 1
        yield alone or not match.returns_root(), "a graph output is its operand's only identity"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match["x"]
