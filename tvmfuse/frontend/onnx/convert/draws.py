"""Random numbers: the same in each run of a compiled model.

What is drawn follows from a key and from each element's place (`tvmfuse.ops.random_bits`). The key
comes from the node's seed; a node without one has a key of its own, from how many tensors the model
has drawn before. ONNX leaves open which numbers come, and so these are none of onnxruntime's, which
goes on from run to run: where each run needs others, they have to be an input of the model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from onnx import TensorProto
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import FLOAT64, Numbers, sizes_of
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import random_bits as tvmfuse_random_bits
from tvmfuse.ops.random_bits import BITS, key_of

FLOAT32: Final = "float32"

DIGITS: Final = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
"""Binary digits: a number from 0 to 1 that has no more is never rounded to 1."""

COUNTED, STATED, STATED_INTEGER = range(3)

Draw = Callable[[Operation, Sequence[Dim], str], Numbers]


def key(op: Operation) -> int:
    """Return the key of a node: equal seeds give equal numbers."""
    seed = op.attribute("seed")
    if seed is None:
        return key_of(op.next_draw(), COUNTED)
    if isinstance(seed, int):
        return key_of(seed % 2**64, STATED_INTEGER)
    return key_of(int(np.float32(seed).view(np.uint32)), STATED)


def uniform(op: Operation, dims: Sequence[Dim], dtype: str) -> Numbers:
    """Draw numbers from 0 to 1, without 1: multiples of as small a power of 2 as `dtype` has.

    Returns:
        Of float32, or of float64 if `dtype` is.
    """
    own = key(op)
    upper, digits = _bits(op, dims, own, upper=True), DIGITS[dtype]
    if dtype != FLOAT64:
        return _shifted(upper, BITS - digits).astype(FLOAT32) * 2.0**-digits
    lower = _shifted(_bits(op, dims, own, upper=False), 2 * BITS - digits)
    whole = upper.astype(FLOAT64) * 2.0 ** (digits - BITS) + lower.astype(FLOAT64)
    return whole * 2.0**-digits


def normal(op: Operation, dims: Sequence[Dim], dtype: str) -> Numbers:
    """Draw from the standard normal distribution.

    Source: Box and Muller, "A note on the generation of random normal deviates", 1958. Radius and
    angle have 31 digits each: no number is beyond 6.67.

    Returns:
        Of float32, or of float64 if `dtype` is.
    """
    own, wide = key(op), FLOAT64 if dtype == FLOAT64 else FLOAT32
    share, turn = (_bits(op, dims, own, upper=half).astype(wide) for half in (True, False))
    radius = (((share + 0.5) * 2.0**-BITS).log() * -2.0).sqrt()
    return radius * (turn * (math.tau * 2.0**-BITS)).cos()


def _bits(op: Operation, dims: Sequence[Dim], own: int, *, upper: bool) -> Numbers:
    drawn = tvmfuse_random_bits(op.symbols.product(dims), own, upper=upper)
    return Numbers(op, drawn).reshaped(dims)


def _shifted(bits: Numbers, places: int) -> Numbers:
    return Numbers(bits.op, relax.op.right_shift(bits.expr, scalar(places, "int32")))


def _between(op: Operation, dims: Sequence[Dim], dtype: str) -> Numbers:
    low, high = op.number("low", 0.0), op.number("high", 1.0)
    return uniform(op, dims, dtype) * (high - low) + low


def _around(op: Operation, dims: Sequence[Dim], dtype: str) -> Numbers:
    return normal(op, dims, dtype) * op.number("scale", 1.0) + op.number("mean", 0.0)


def _stated(draw: Draw) -> Callable[[Operation], Expr]:
    """Return the converter of an operator whose shape is an attribute."""

    def convert(op: Operation) -> Expr:
        dtype = dtype_name(op.integer("dtype", TensorProto.FLOAT))
        return draw(op, op.integers("shape") or [], dtype).astype(dtype).expr

    return convert


def _like(draw: Draw) -> Callable[[Operation], Expr]:
    """Return the converter of an operator whose operand has the shape, and maybe the dtype."""

    def convert(op: Operation) -> Expr:
        x = op.tensor(0)
        stated = op.attribute("dtype")
        dtype = dtype_of(x) if stated is None else dtype_name(stated)
        op.require(is_float_dtype(dtype), f"it draws {dtype}; expected a floating-point type")
        return draw(op, require_shape(x), dtype).astype(dtype).expr

    return convert


random_normal: Final = _stated(_around)
random_normal_like: Final = _like(_around)
random_uniform: Final = _stated(_between)
random_uniform_like: Final = _like(_between)


def bernoulli(op: Operation) -> Expr:
    """Convert Bernoulli: 1 with the probability that the operand has there, or else 0."""
    chance = Numbers(op, op.tensor(0))
    stated, own = op.attribute("dtype"), dtype_of(chance.expr)
    drawn = uniform(op, require_shape(chance.expr), FLOAT64 if own == FLOAT64 else FLOAT32)
    happens = drawn < chance.astype(dtype_of(drawn.expr))
    return happens.astype(own if stated is None else dtype_name(stated)).expr


def multinomial(op: Operation) -> Expr:
    """Convert Multinomial: classes by the logarithms of their weights, (batch, classes).

    A class is the first one at which the weights so far exceed a drawn share of all: one of weight
    0 never is. Computed in float64.
    """
    op.require(require_rank(op.tensor(0)) == 2, "its input is no matrix of rows of classes")
    logarithms = Numbers(op, op.tensor(0)).astype(FLOAT64)
    batch, classes = require_shape(logarithms.expr)
    op.require(not op.symbols.equal(classes, 0), "it draws from no classes")
    count = op.integer("sample_size", 1)
    op.require(count > 0, f"sample_size is {count}; expected 1 or more")
    weights = (logarithms - logarithms.largest(1)).exp()
    until = Numbers(op, relax.op.cumsum(weights.expr, 1))
    share = uniform(op, [batch, count], FLOAT64) * until.largest(1)
    passed = (until.expanded(1) <= share.expanded(2)).astype("int64").sum(2)
    last = sizes_of(op, [classes]) - 1
    return passed.at_most(last).astype(dtype_name(op.integer("dtype", TensorProto.INT32))).expr
