"""Sums of products: matrix products, convolutions, and whatever else has their form.

``out[s...] = sum over k... of a[...] * b[...]``
"""

from __future__ import annotations

from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr, TensorLoad

from tvmfuse.schedules.combiners import sum_term
from tvmfuse.schedules.expressions import loads, variables
from tvmfuse.schedules.kernels import Axis, Stage


@dataclass(frozen=True, eq=False)
class Contraction:
    """A stage that sums up products of two operands.

    Attributes:
        stage: The stage.
        operands: The two factors; each loads something.
    """

    stage: Stage
    operands: tuple[Expr, Expr]

    def uses(self, operand: Expr, axis: Axis) -> bool:
        """Return whether an operand is another one at another value of an axis."""
        return axis.var in variables(operand)

    @property
    def windows(self) -> list[TensorLoad]:
        """The loads that slide along an axis of the output, as a convolution's do."""
        spatial = {a.var for a in self.stage.spatial}
        summed = {a.var for a in self.stage.reduction}
        found = []
        for load in loads(*self.operands):
            for index in load.indices:
                used = variables(index)
                if used & summed and used & spatial:
                    found.append(load)
        return found


def contraction(stage: Stage) -> Contraction | None:
    """Read a stage as a sum of products; None where it is none."""
    term = sum_term(stage)
    while isinstance(term, tirx.Cast):
        term = term.value
    if not isinstance(term, tirx.Mul) or not loads(term.a) or not loads(term.b):
        return None
    return Contraction(stage, (term.a, term.b))
