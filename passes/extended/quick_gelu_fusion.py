"""A product with a sigmoid of itself becomes one operator."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import same_shape
from tvmfuse.ops import quick_gelu
from tvmfuse.passes.gelu_patterns import ALONE, Argument
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class QuickGeluFusion(RewriteRule[Argument]):
    """Compute quick gelu, or silu, in one operator.

    Before::

        y = x * sigmoid(1.702 * x)       # or another constant; or divided by one
        z = x * sigmoid(x)

    After::

        y = quick_gelu(x, alpha=1.702)
        z = silu(x)

    Pays because other rules know the operators: a product or a convolution ends with them. Where
    these operators stand alone, `FuseOps` makes one kernel of them. Source: Hendrycks and Gimpel,
    "Gaussian Error Linear Units", 2016; ONNX Runtime's QuickGeluFusion.
    """

    name = "QuickGeluFusion"
    aliases = ("Quick GELU Fusion",)
    barrier_at = "gate"

    def pattern(self) -> Pattern:
        x, argument, multiply = wildcard(), wildcard(), is_op("relax.multiply")
        gate = is_op("relax.sigmoid")(argument)
        return Pattern(multiply(x, gate) | multiply(gate, x), x=x, argument=argument, gate=gate)

    def is_candidate(self, match: Match) -> bool:
        return match.fact(Argument.of).polynomial is not None

    def requires(self, match: Match) -> Conditions[Argument]:
        found = match.fact(Argument.of)
        linear = found.polynomial is not None and found.polynomial.keys() == {1}
        yield linear, "the sigmoid is of x times a constant"
        alpha = _alpha(found)
        yield math.isfinite(alpha) and alpha != 0, "the constant is finite and not 0"
        yield same_shape(match.root, match["x"]), "no constant adds an axis"
        yield found.is_alone(match), ALONE
        return found

    def absorbs(self, match: Match, found: Argument) -> Iterable[Var]:
        del match
        return found.num_uses

    def rewrite(self, match: Match, found: Argument) -> Expr:
        x, alpha = match["x"], _alpha(found)
        activation = relax.op.nn.silu(x) if alpha == 1 else quick_gelu(x, alpha=alpha)
        return found.named(activation, match)


def _alpha(argument: Argument) -> float:
    """Return what `x` is multiplied by in a linear argument."""
    return (argument.polynomial or {}).get(1, 0.0)
