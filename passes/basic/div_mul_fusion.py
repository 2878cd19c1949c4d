"""Multiplying by a reciprocal becomes a division."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.types import is_float, rank_of, scalar_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class DivMulFusion(RewriteRule[None]):
    """Divide by `x` instead of multiplying by ``1 / x``.

    Before::

        r = 1 / x
        z = r * y     # or y * r

    After::

        z = y / x

    Pays because the reciprocal is neither written nor read. The quotient is rounded once instead
    of twice, and is finite where only ``1 / x`` would overflow.

    Source: ONNX Runtime's DivMulFusion, which also does it to integers, where it is wrong.
    """

    name = "DivMulFusion"
    aliases = ("Div Mul Fusion",)
    barrier_at = "reciprocal"

    def pattern(self) -> Pattern:
        one, x, y, multiply = is_const(), wildcard(), wildcard(), is_op("relax.multiply")
        reciprocal = is_op("relax.divide")(one, x)
        return Pattern(
            multiply(reciprocal, y) | multiply(y, reciprocal),
            one=one,
            x=x,
            y=y,
            reciprocal=reciprocal,
        )

    def requires(self, match: Match) -> Conditions[None]:
        yield scalar_of(match["one"]) == 1, "the numerator is 1"
        yield is_float(match.root), "the numbers are floats"
        rank = max(rank_of(match["x"]) or 0, rank_of(match["y"]) or 0)
        yield (rank_of(match["one"]) or 0) <= rank, "the numerator adds no axis"
        yield match.num_uses("reciprocal") == 1, "the product is the reciprocal's only reader"

    def rewrite(self, match: Match, found: None) -> Expr:
        return relax.op.divide(match["y"], match["x"])
