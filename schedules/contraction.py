"""Sums of products: matrix products, convolutions, and whatever else has their form.

``out[s...] = sum over k... of a[...] * b[...]``
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad

from tvmfuse.schedules.combiners import sum_term
from tvmfuse.schedules.expressions import cost, loads, variables
from tvmfuse.schedules.kernels import Axis, Stage

#: Operations for an element from which on it is better computed once than in each tile.
COSTLY: Final = 4


@dataclass(frozen=True, eq=False)
class Operand:
    """One factor of a sum of products.

    Attributes:
        factor: As it is multiplied.
        load: The element that it is, be it cast; None where it is computed from some.
        stored_dtype: The type that the element has in memory; the factor's where there is none.
        compute_dtype: The type that it is multiplied in.
    """

    factor: Expr
    load: TensorLoad | None
    stored_dtype: str
    compute_dtype: str

    @classmethod
    def of(cls, factor: Expr) -> Operand:
        """Read a factor, through casts."""
        inner = factor
        while isinstance(inner, tirx.Cast):
            inner = inner.value
        load = inner if isinstance(inner, TensorLoad) else None
        stored = factor if load is None else load
        return cls(factor, load, str(stored.ty.dtype), str(factor.ty.dtype))

    @cached_property
    def costly(self) -> bool:
        """Whether an element costs much more to compute than to load, as one of few bits does."""
        return self.load is None and cost(self.factor) >= COSTLY

    def uses(self, axis: Axis) -> bool:
        """Return whether it is another element at another value of an axis."""
        return axis.var in variables(self.factor)


@dataclass(frozen=True, eq=False)
class Contraction:
    """A stage that sums up products of two operands.

    Attributes:
        stage: The stage.
        operands: The two factors; each loads something.
    """

    stage: Stage
    operands: tuple[Operand, Operand]

    @property
    def windows(self) -> list[TensorLoad]:
        """The loads that slide along an axis of the output, as a convolution's do."""
        spatial = {a.var for a in self.stage.spatial}
        summed = {a.var for a in self.stage.reduction}
        found = []
        for load in loads(*(operand.factor for operand in self.operands)):
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
    return Contraction(stage, (Operand.of(term.a), Operand.of(term.b)))
