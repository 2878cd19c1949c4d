"""The exact gelu, written with erf, becomes one operator."""

from __future__ import annotations

import math
from typing import ClassVar

from tvm import relax
from tvm.ir import Call, Expr

from tvmfuse.passes.gelu_patterns import GeluRule
from tvmfuse.passes.polynomials import Polynomial


class GeluFusion(GeluRule):
    """Compute the exact gelu in one operator.

    Before::

        e = erf(x / sqrt(2))             # or x * sqrt(1 / 2)
        y = x * (1 + e) * 0.5            # in any order and grouping, or divided by 2

    After::

        y = gelu(x)

    Pays because other rules know the operator: a bias joins it, a tanh may take its place, and a
    product ends with it. Where these operators stand alone, `FuseOps` makes one kernel of them.
    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016; ONNX Runtime's GeluFusion,
    which takes no product with the reciprocal of sqrt(2).
    """

    name = "GeluFusion"
    aliases = ("GeluFusionL1", "GeluFusionL2")
    function = "relax.erf"
    inside: ClassVar[Polynomial] = {1: math.sqrt(0.5)}
    formula = "the erf of x / sqrt(2)"

    def activation(self, x: Expr) -> Call:
        return relax.op.nn.gelu(x)
