"""MatMulBnb4: a product with a matrix of 4 bits, whose 16 numbers are bitsandbytes' FP4 or NF4.

Source: T. Dettmers et al., QLoRA, 2023 (NF4: quantiles of the normal distribution); the tables and
the order of nibbles are those of onnxruntime's operator.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import with_dim
from tvmfuse.frontend.onnx.convert.matrix import product
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.ir.types import array_of, constant, dtype_of

_HALF: Final = (0.0, 5.208333333e-03, 2 / 3, 1.0, 1 / 3, 0.5, 1 / 6, 0.25)

#: By `quant_type`, what each value of a nibble stands for.
TABLES: Final = {
    0: (*_HALF, *(-number for number in _HALF)),
    1: (
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453,
        -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
        0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
        0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ),
}  # fmt: skip


def matmul_bnb4(op: Operation) -> Expr:
    """Convert MatMulBnb4 of a constant matrix: it is multiplied as floats."""
    depth, columns = op.integer("K", 0), op.integer("N", 0)
    block, kind = op.integer("block_size", 0), op.integer("quant_type", 0)
    op.require(min(depth, columns, block) > 0, "its K, N and block_size are to be positive")
    op.require(kind in TABLES, f"quant_type is {kind}; expected 0 (FP4) or 1 (NF4)")
    op.require(op.integer("transB", 1) == 1, "transB is 0; expected the rows of what is transposed")
    packed, largest = array_of(op.tensor(1)), array_of(op.tensor(2))
    if packed is None or largest is None:
        op.refuse("its matrix is computed")
    count = depth * columns
    op.require(
        packed.size == -(-count // 2) and largest.size == -(-count // block),
        f"its matrix of {depth} x {columns} has {packed.size} bytes and {largest.size} scales",
    )
    nibbles = np.stack([packed.reshape(-1) >> 4, packed.reshape(-1) & 15], -1).reshape(-1)[:count]
    scales = np.repeat(largest.reshape(-1), block)[:count]
    numbers = np.array(TABLES[kind], "float32")[nibbles] * scales.astype("float32")
    a = with_dim(op, op.tensor(0), -1, depth)
    matrix = numbers.astype(dtype_of(a)).reshape(columns, depth)
    return product(op, a, op.emit(relax.op.permute_dims(constant(matrix), [1, 0])))
