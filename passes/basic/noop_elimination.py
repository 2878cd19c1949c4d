"""Adding zero and multiplying by one disappear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import array_of, same_shape
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

NEUTRAL: Final[Mapping[str, int]] = {
    "relax.add": 0,
    "relax.subtract": 0,
    "relax.multiply": 1,
    "relax.divide": 1,
}


class NoopElimination(RewriteRule[None]):
    """Read the operand of an operation that changes nothing.

    Before::

        y = x + 0     # or 0 + x, x - 0, x * 1, 1 * x, x / 1
        z = f(y)

    After::

        z = f(x)

    Pays because the operation reads and writes the whole tensor. The constant has any shape that
    broadcasts to that of `x`. As in ONNX Runtime, ``-0.0 + 0.0``, which is 0.0, stays -0.0: the
    two are equal.

    Source: ONNX Runtime's NoopElimination.
    """

    name = "NoopElimination"
    aliases = ("Noop Elimination",)

    def pattern(self) -> Pattern:
        x, constant = wildcard(), is_const()
        add, multiply = is_op("relax.add"), is_op("relax.multiply")
        return Pattern(
            add(x, constant)
            | add(constant, x)
            | multiply(x, constant)
            | multiply(constant, x)
            | is_op("relax.subtract")(x, constant)
            | is_op("relax.divide")(x, constant),
            x=x,
            constant=constant,
        )

    def is_candidate(self, match: Match) -> bool:
        neutral = NEUTRAL[str(op_name(match.resolve(match.root)))]
        array = array_of(match["constant"])
        assert array is not None
        # The first element decides nearly always, and cheaply.
        return bool(np.all(array.flat[:1] == neutral) and np.all(array == neutral))

    def requires(self, match: Match) -> Conditions[None]:
        yield same_shape(match.root, match["x"]), "the constant does not broadcast the operand"
        yield match.can_become("x"), "no graph output becomes a graph input or another output"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match["x"]
