"""A product with a sigmoid of itself becomes one operator."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import same_shape
from tvmfuse.ops import quick_gelu
from tvmfuse.passes.gelu_patterns import ALONE, alone, named, read
from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule


class QuickGeluFusion(RewriteRule):
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
    keeps_apart = "gate"

    def pattern(self) -> Pattern:
        x, argument, multiply = wildcard(), wildcard(), is_op("relax.multiply")
        gate = is_op("relax.sigmoid")(argument)
        return Pattern(multiply(x, gate) | multiply(gate, x), x=x, argument=argument, gate=gate)

    def concerns(self, match: Match) -> bool:
        return read(match)[0] is not None

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        found, _ = read(match)
        linear = found is not None and found.keys() == {1}
        yield linear, "the sigmoid is of x times a constant"
        alpha = found[1] if found else 0.0
        yield math.isfinite(alpha) and alpha != 0, "the constant is finite and not 0"
        yield same_shape(match.root, match["x"]), "no constant adds an axis"
        yield alone(match), ALONE

    def consumes(self, match: Match) -> Iterator[Var]:
        yield from read(match)[1].reads

    def rewrite(self, match: Match) -> Expr:
        found, _ = read(match)
        alpha = found[1] if found else 1.0
        x = match["x"]
        return named(relax.op.nn.silu(x) if alpha == 1 else quick_gelu(x, alpha=alpha), match)
