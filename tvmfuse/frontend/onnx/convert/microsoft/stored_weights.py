"""Operators whose weights are stored in bytes, and that compute in float32: DynamicQuantizeLSTM.

onnxruntime also rounds what is multiplied with these weights, each time, to 256 steps between its
smallest and its largest number. Here it stays float32: what is computed is what the stored weights
mean, and differs from onnxruntime's numbers by that rounding.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.microsoft.signature import require_rank_of
from tvmfuse.frontend.onnx.convert.recurrent import lstm
from tvmfuse.frontend.onnx.convert.stand_in import all_computed_by
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.types import array_of, constant, dtype_of

#: The attributes that ONNX's LSTM has, too.
LSTM: Final = (
    "activation_alpha", "activation_beta", "activations", "clip", "direction", "hidden_size",
    "input_forget",
)  # fmt: skip

OUTPUTS: Final = 3


def dynamic_quantize_lstm(op: Operation) -> list[Expr | None]:
    """Convert DynamicQuantizeLSTM: weights (D, I, 4 H) and (D, H, 4 H) of int8 or uint8."""
    w, r = (_weights(op, *positions) for positions in ((1, 8, 9), (2, 10, 11)))
    others = [op.optional(position) for position in range(3, 8)]
    said = {name: op.attribute(name) for name in LSTM if name in op.node.attributes}
    return all_computed_by(op, lstm, "LSTM", op.tensor(0), w, r, *others, count=OUTPUTS, **said)


def _weights(op: Operation, stored: int, scale: int, zero: int) -> Expr:
    """Return weights of float32 with their gates first, as ONNX has them."""
    whole = op.tensor(stored)
    require_rank_of(op, stored, whole, 3)
    columns = require_shape(whole)[2]
    factor, offset = (_of_columns(op, position, columns) for position in (scale, zero))
    return op.emit(relax.op.permute_dims(real(op, whole, factor, offset), [0, 2, 1]))


def _of_columns(op: Operation, position: int, columns: object) -> Expr:
    """Return parameters (D,) or (D, 4 H) as they broadcast to the weights."""
    op.require(op.has(position), f"its operand {position} is absent")
    given = op.tensor(position)
    rank = require_rank(given)
    op.require(rank in (1, 2), f"its operand {position} has rank {rank}, not 1 or 2")
    if rank == 1:
        return _expanded(op, given, [1, 2])
    directions = require_shape(given)[0]
    return _expanded(op, agree(op, given, [directions, columns]), [1])


def _expanded(op: Operation, given: Expr, axes: list[int]) -> Expr:
    known = array_of(given)
    if known is not None:
        return constant(np.expand_dims(known, axes))
    return op.emit(relax.op.expand_dims(given, axes))


def real(op: Operation, stored: Expr, scale: Expr, zero: Expr) -> Expr:
    """Return (stored - zero) * scale, in the scale's dtype; constants stay such."""
    dtype = dtype_of(scale)
    arrays = [array_of(expr) for expr in (stored, scale, zero)]
    if all(array is not None for array in arrays):
        numbers, factor, offset = (np.asarray(array).astype(dtype) for array in arrays)
        return constant((numbers - offset) * factor)
    wide, offset = (op.emit(relax.op.astype(expr, dtype)) for expr in (stored, zero))
    return op.emit(relax.op.multiply(op.emit(relax.op.subtract(wide, offset)), scale))
