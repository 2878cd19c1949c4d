"""Operators that differ from ONNX's in what they may leave out."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import indexing
from tvmfuse.frontend.onnx.convert.delegated import delegated
from tvmfuse.frontend.onnx.convert.stand_in import all_computed_by, computed_by
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.values import Value, concrete
from tvmfuse.ir.types import dtype_of


def unique(op: Operation) -> list[Expr | None]:
    """Convert Unique, whose numbers stay in order, and which has no places of first ones."""
    numbers, _, places, counts = all_computed_by(
        op, delegated(), "Unique", op.tensor(0), count=4, sorted=0
    )
    return [numbers, places, counts]


def range_(op: Operation) -> Expr:
    """Convert Range, which counts by 1 where the node does not say."""
    operands: list[Expr | Value] = [op.known(i) or op.tensor(i) for i in range(2)]
    if op.has(2):
        operands.append(op.known(2) or op.tensor(2))
    else:
        first = operands[0]
        dtype = first.dtype if isinstance(first, Value) else dtype_of(first)
        operands.append(concrete(np.ones((), dtype)))
    return computed_by(op, indexing.range_, "Range", *operands)
