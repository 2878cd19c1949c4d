"""Operators that differ from ONNX's in what they may leave out."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import indexing
from tvmfuse.frontend.onnx.convert.stand_in import computed_by
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.values import Value, concrete
from tvmfuse.ir.types import dtype_of


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
