"""Systems of linear equations, as skl2onnx writes those of a Gaussian process."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.matrix import product
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.ir.types import constant


def solve(op: Operation) -> Expr:
    """Convert Solve: what a known matrix makes the right-hand sides of, scipy.linalg.solve's.

    The inverse is computed here, in double precision, and the model multiplies by it. `lower` says
    which half of a symmetric matrix counts, and both do.
    """
    matrix, right = op.numbers(0), op.tensor(1)
    if matrix is None:
        op.refuse("its matrix is computed as the model runs; expected a constant, as skl2onnx has")
    shape = list(matrix.shape)
    square = len(shape) == 2 and shape[0] == shape[1]
    op.require(square, f"the shape of its matrix is {shape}; expected a square")
    require_rank_of(op, 1, right, 1, 2)
    op.makes("the inverse", shape, "float64")
    wide = matrix.astype(np.float64)
    try:
        inverse = np.linalg.inv(wide.T if op.flag("transposed") else wide)
    except np.linalg.LinAlgError:
        op.refuse("its matrix has no inverse")
    return product(op, constant(inverse.astype(matrix.dtype)), right)
