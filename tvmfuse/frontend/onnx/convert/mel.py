"""MelWeightMatrix: from the bins of a spectrum to bands that are evenly wide on the mel scale."""

from __future__ import annotations

import math
from typing import Final

from onnx import TensorProto
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import (
    FLOAT64,
    INT64,
    Numbers,
    counting,
    sizes_of,
)
from tvmfuse.frontend.onnx.convert.runtime_shapes import measured
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.symbols import Dim

MEL: Final = 2595 / math.log(10)
"""Mels are this times log(1 + hertz / CORNER)."""

CORNER: Final = 700.0


def mel_weight_matrix(op: Operation) -> Expr:
    """Convert MelWeightMatrix: triangles, each from the middle of the band before to the next's.

    Computed in float64. Every operand may be fed.
    """
    length, count = (_size(op, position) for position in (1, 0))
    rate, lowest, highest = (
        Numbers(op, op.tensor(i)).reshaped([1]).astype(FLOAT64) for i in (2, 3, 4)
    )
    [bins] = measured(length // 2 + 1) if op.known(1) is None else [_half(op, op.dims(1)[0])]
    [bands] = measured(count) if op.known(0) is None else op.dims(0)
    first, last = (((edge / CORNER) + 1).log() * MEL for edge in (lowest, highest))
    step = (last - first) / (count + 2).astype(FLOAT64)

    def edge(number: Numbers) -> Numbers:
        mels = number.astype(FLOAT64) * step + first
        hertz = ((mels / MEL).exp() - 1) * CORNER
        return ((length + 1).astype(FLOAT64) * hertz / rate).floor().expanded(0)

    numbers = counting(op, bands)
    left, middle, right = (edge(numbers + i) for i in range(3))
    place = counting(op, bins).astype(FLOAT64).expanded(1)
    rising = (left <= place).where((place - left) / (middle - left), 0)
    falling = (place < right).where((right - place) / (right - middle), 0)
    side = (place < middle).where(rising, falling)
    weights = place.equals(middle).where(Numbers(op, scalar(1, FLOAT64)), side)
    return weights.astype(dtype_name(op.integer("output_datatype", TensorProto.FLOAT))).expr


def _size(op: Operation, position: int) -> Numbers:
    """Return a count as a vector of one number."""
    if op.known(position) is not None:
        return sizes_of(op, op.dims(position))
    return Numbers(op, op.tensor(position)).reshaped([1]).astype(INT64)


def _half(op: Operation, length: Dim) -> Dim:
    half: Dim = op.symbols.simplify(length // 2 + 1)
    return half
