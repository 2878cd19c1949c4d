"""A layer norm that is written out becomes one operator."""

from __future__ import annotations

from collections.abc import Iterable

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.norms.norm_patterns import NormMatch, axes_of, norm
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class LayerNormFusion(RewriteRule[NormMatch]):
    """Normalize rows with one operator.

    Before::

        d = x - mean(x, axes)
        y = d / sqrt(mean(d * d, axes) + epsilon) * gamma + beta

    After::

        y = layer_norm(x, gamma, beta, axes, epsilon)

    Squares may be powers, the quotient a product with a reciprocal, a reciprocal root or a power of
    -0.5; `gamma` and `beta` may be absent; `d` may be computed twice. In float16 and bfloat16 `x`
    may be cast to float32 before and the quotient back after it: the operator computes so itself,
    and rounds its result once.

    Pays because one kernel computes row by row what is else computed in nine. Source: Ba, Kiros and
    Hinton, "Layer Normalization", 2016; exporters write it so up to opset 16.
    """

    name = "LayerNormFusion"
    aliases = ("Layer Normalization Fusion", "LayerNormFusionL1", "LayerNormFusionL2")

    def pattern(self) -> Pattern:
        subtract, averaged, wide = is_op("relax.subtract"), is_op("relax.mean"), wildcard()
        center, center_again = averaged(wide), averaged(wide)
        return norm(
            subtract(wide, center_again),
            subtract(wide, center),
            shifts=True,
            wide=wide,
            center=center,
            center_again=center_again,
        )

    def is_candidate(self, match: Match) -> bool:
        return match.fact(_norm).ends_here()

    def requires(self, match: Match) -> Conditions[NormMatch]:
        axes = axes_of(match["mean"])
        centers = match["center"], match["center_again"]
        yield all(axes_of(c) == axes for c in centers), "the means are over the same dimensions"
        kept = all(bool(c.attrs.keepdims) for c in centers)
        yield kept, "the means keep their dimensions"
        found = match.fact(_norm)
        yield from found.requires()
        yield _read_inside_only(match), "nobody else reads the mean or what it leaves"
        return found

    def absorbs(self, match: Match, found: NormMatch) -> Iterable[Var]:
        del match
        return found.looked_through()

    def rewrite(self, match: Match, found: NormMatch) -> Expr:
        return relax.op.nn.layer_norm(
            found.operand,
            found.parameter("gamma", 1),
            found.parameter("beta", 0),
            found.axes,
            found.epsilon,
        )


def _norm(match: Match) -> NormMatch:
    return NormMatch.of(match, "wide")


def _read_inside_only(match: Match) -> bool:
    """Whether means and differences are read by the norm alone, be they computed twice or not."""
    squared = 1 if "two" in match else 2
    differences = match.var("x"), match.var("again")
    centers = match.var("center"), match.var("center_again")
    if differences[0].same_as(differences[1]):
        return match.num_uses(differences[0]) == squared + 1 and match.num_uses(centers[0]) == 1
    expected = [2] if centers[0].same_as(centers[1]) else [1, 1]
    counted = [match.num_uses(c) for c in centers[: len(expected)]]
    return (
        match.num_uses(differences[0]) == 1
        and match.num_uses(differences[1]) == squared
        and (counted == expected)
    )
