"""A relu disappears into the clip after it."""

from __future__ import annotations

import math

import numpy as np
from tvm import relax, tirx
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard
from tvm.tirx import FloatImm, IntImm

from tvmfuse.ir.types import array_of, constant
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class FuseReluClip(RewriteRule[None]):
    """Clip at zero instead of taking a relu before the clip.

    Before::

        y = clip(relu(x), low, high)
        z = maximum(relu(x), c)     # a Clip whose upper bound comes at run time begins like this

    After::

        y = clip(x, max(low, 0), high)
        z = maximum(x, max(c, 0))

    Pays because the activation is read and written once less. Where ``high < 0``, every number
    becomes `high`, before and after; NaN stays NaN.

    Source: ONNX ``Relu``, ``Clip``; ONNX Runtime's FuseReluClip.
    """

    name = "FuseReluClip"
    aliases = ("Relu Clip Fusion",)
    barrier_at = "relu"

    def pattern(self) -> Pattern:
        x, low, high = wildcard(), wildcard(), wildcard()
        relu, maximum = is_op("relax.nn.relu")(x), is_op("relax.maximum")
        clip = is_op("relax.clip")(relu, low, high)
        return Pattern(
            clip | maximum(relu, low) | maximum(low, relu), x=x, low=low, high=high, relu=relu
        )

    def requires(self, match: Match) -> Conditions[None]:
        if "high" in match:
            bounds = [match["low"], match["high"]]
            known = all(isinstance(b, FloatImm | IntImm) for b in bounds)
            yield known, "the bounds are known before the model runs"
            yield not any(math.isnan(b.value) for b in bounds), "the bounds are numbers"
        else:
            constant = array_of(match["low"]) is not None
            yield constant, "the lower bound is known before the model runs"
        yield match.num_uses("relu") == 1, "the clip is the relu's only reader"

    def rewrite(self, match: Match, found: None) -> Expr:
        if "high" in match:
            return relax.op.clip(match["x"], _raised(match["low"], match["high"]), match["high"])
        low = array_of(match["low"])
        assert low is not None
        return relax.op.maximum(match["x"], constant(np.maximum(low, low.dtype.type(0))))


def _raised(low: Expr, high: Expr) -> Expr:
    """Return the lower bound of the clip alone.

    Never above `high`, where it was not before: whether the lower or the upper bound wins where
    they cross is the lowering's choice, and this way it does not matter.
    """
    raised = max(low.value, min(0, high.value))
    return low if raised == low.value else tirx.const(raised, low.ty)
