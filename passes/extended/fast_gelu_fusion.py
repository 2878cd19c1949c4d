"""The gelu that is approximated with tanh becomes one operator."""

from __future__ import annotations

import math
from typing import ClassVar

from tvm import relax
from tvm.ir import Call, Expr

from tvmfuse.passes.gelu_patterns import GeluRule
from tvmfuse.passes.polynomials import Polynomial

SCALE = math.sqrt(2 / math.pi)


class FastGeluFusion(GeluRule):
    """Compute the gelu approximated with tanh in one operator.

    Before::

        t = tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3))
        y = 0.5 * x * (1 + t)            # in any order and grouping, or divided by 2

    After::

        y = gelu_tanh(x)

    The polynomial may be written in any way: ``sqrt(2 / pi) * x * (1 + 0.044715 * x * x)``.

    Pays because other rules know the operator: a bias joins it, and a product ends with it. Where
    these operators stand alone, `FuseOps` makes one kernel of them. Source: Hendrycks and Gimpel,
    "Gaussian Error Linear Units", 2016; ONNX Runtime's FastGeluFusion.
    """

    name = "FastGeluFusion"
    aliases = ("Fast GELU Fusion", "Fast Gelu Fusion")
    function = "relax.tanh"
    inside: ClassVar[Polynomial] = {1: SCALE, 3: SCALE * 0.044715}
    formula = "the tanh of sqrt(2 / pi) * (x + 0.044715 * x ** 3)"

    def activation(self, x: Expr) -> Call:
        return relax.op.nn.gelu_tanh(x)
