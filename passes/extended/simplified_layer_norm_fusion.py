"""An RMS norm that is written out becomes one operator."""

from __future__ import annotations

from collections.abc import Iterable

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import wildcard

from tvmfuse.passes.norms.norm_patterns import NormMatch, norm
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class SimplifiedLayerNormFusion(RewriteRule[NormMatch]):
    """Divide rows by the root of their mean square with one operator.

    Before::

        y = x / sqrt(mean(x * x, axes) + epsilon) * gamma

    After::

        y = rms_norm(x, gamma, axes, epsilon)

    In the writings of `LayerNormFusion`, whose operands this pass leaves alone: those of T5, Llama
    and ONNX's own RMSNormalization among them.

    Pays because one kernel computes row by row what is else computed in six. Source: Zhang and
    Sennrich, "Root Mean Square Layer Normalization", NeurIPS 2019.
    """

    name = "SimplifiedLayerNormFusion"
    aliases = ("Simplified Layer Normalization Fusion",)

    def pattern(self) -> Pattern:
        x = wildcard()
        return norm(x, x, shifts=False)

    def is_candidate(self, match: Match) -> bool:
        return match.fact(_norm).ends_here(shifts=False)

    def requires(self, match: Match) -> Conditions[NormMatch]:
        found = match.fact(_norm)
        yield from found.requires()
        return found

    def absorbs(self, match: Match, found: NormMatch) -> Iterable[Var]:
        del match
        return found.looked_through()

    def rewrite(self, match: Match, found: NormMatch) -> Expr:
        gamma = found.parameter("gamma", 1)
        return relax.op.nn.rms_norm(found.operand, gamma, found.axes, found.epsilon)


def _norm(match: Match) -> NormMatch:
    return NormMatch.of(match, "x")
