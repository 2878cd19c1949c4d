"""What evaluating a call takes, in operations: what would take minutes is left to the run.

An operation is an element that numpy reads or writes: about a nanosecond. How many elements follow
from constants is for the importer's limits to say; how often each is read is bounded here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from tvm.ir import Call

from tvmfuse.ir.types import static_shape_of
from tvmfuse.passes.folding.arithmetic import is_integer

#: Operations for each element, where there are more than one: Python computes it, or it is sorted.
FOR_EACH: Final[Mapping[str, int]] = {
    "relax.erf": 128,
    "relax.nn.gelu": 128,
    "relax.argsort": 64,
    "relax.sort": 64,
    "relax.topk": 64,
    "relax.unique": 64,
}

#: The same, of a kernel that was compiled without a schedule.
COMPILED: Final = 1024

#: Operations for each multiply-add of integers, of which numpy has no fast product.
INTEGER_MULTIPLY_ADD: Final = 4

#: Multiply-adds of floats in the time of one operation.
FLOAT_MULTIPLY_ADDS: Final = 8


def operations(call: Call, arrays: Sequence[np.ndarray], *, compiled: bool = False) -> int:
    """Return how many operations it takes to evaluate a call.

    Args:
        call: Its type says the result's shape.
        arrays: Its operands.
        compiled: Whether numpy has no such operator, and TVM makes a kernel.
    """
    name, results = str(call.op.name), math.prod(static_shape_of(call) or ())
    elements = results + sum(array.size for array in arrays)
    if name in ("relax.matmul", "tvmfuse.gemm"):
        return elements + _product(call, arrays[0], results)
    return elements * (COMPILED if compiled else FOR_EACH.get(name, 1))


def _product(call: Call, left: np.ndarray, results: int) -> int:
    transposed = call.op.name == "tvmfuse.gemm" and call.attrs["trans_a"]
    multiply_adds: int = results * left.shape[0 if transposed else -1]
    if is_integer(left):
        return INTEGER_MULTIPLY_ADD * multiply_adds
    return multiply_adds // FLOAT_MULTIPLY_ADDS
