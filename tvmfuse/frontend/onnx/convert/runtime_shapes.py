"""Shapes that are computed while the model runs: each dimension gets a symbol of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import constant, dtype_of

INT64, FLOAT64 = "int64", "float64"


def measured(op: Operation, vector: Expr) -> list[Dim]:
    """Return the elements of a vector, all at least 0, as new symbolic dimensions.

    That they are no more than a tensor may have is checked while the model runs.
    """
    [length] = require_shape(vector)
    if not isinstance(length, int):
        op.refuse(f"how many dimensions it asks for is not fixed: {length}")
    dims = [op.symbols.fresh(f"{op.node.name}_{i}") for i in range(length)]
    asked = _int64(op, vector)
    if length:
        op.match(op.emit(relax.op.tensor_to_shape(_bounded(op, asked))), relax.ShapeType(dims))
    op.match(op.emit(relax.op.tensor_to_shape(asked)), relax.ShapeType(dims))
    return list(dims)


def _bounded(op: Operation, dims: Expr) -> Expr:
    """Return dimensions as they are if so many elements are admitted, else zeros.

    The product is one of float64: it never wraps around to a small number. A dimension of 0 hides
    no large one, and one below 0 is too many.
    """
    sizes = op.emit(relax.op.astype(dims, FLOAT64))
    negative = op.emit(relax.op.less(sizes, scalar(0, FLOAT64)))
    least = op.emit(relax.op.maximum(sizes, scalar(1, FLOAT64)))
    counted = op.emit(relax.op.where(negative, scalar(2.0 * op.limits.size, FLOAT64), least))
    elements = op.emit(relax.op.prod(counted, None))
    fits = op.emit(relax.op.less_equal(elements, scalar(op.limits.size, FLOAT64)))
    return op.emit(relax.op.multiply(dims, op.emit(relax.op.astype(fits, INT64))))


def dims_of(op: Operation, position: int) -> list[Dim]:
    """Return a shape operand's dimensions, known or measured while the model runs."""
    known = op.known(position)
    if known is not None:
        return known.elements
    zero = scalar(0, INT64)
    vector = _int64(op, op.tensor(position))
    return measured(op, op.emit(relax.op.maximum(vector, zero)))


def reshape(op: Operation) -> Expr:
    """Reshape to a shape that the model computes; that its elements are as many is checked."""
    x, wanted = op.tensor(0), _int64(op, op.tensor(1))
    [length] = require_shape(wanted)
    own = require_shape(x)
    if not isinstance(length, int):
        op.refuse(f"to how many dimensions it reshapes is not fixed: {length}")
    if not op.flag("allowzero"):
        kept = _vector(op, [*own, *([1] * length)][:length])
        wanted = _replaced(op, wanted, 0, kept)
    total = (
        op.emit(relax.op.prod(_vector(op, own), None, keepdims=False)) if own else scalar(1, INT64)
    )
    others = op.emit(relax.op.prod(_replaced(op, wanted, -1, scalar(1, INT64)), None))
    divisor = op.emit(relax.op.maximum(others, scalar(1, INT64)))
    rest = op.emit(relax.op.floor_divide(total, divisor))
    dims = measured(op, _replaced(op, wanted, -1, rest))
    flat = op.emit(relax.op.reshape(x, [op.symbols.product(own)]))
    checked = op.match(flat, relax.TensorType([op.symbols.product(dims)], dtype_of(x)))
    return relax.op.reshape(checked, dims)


def expanded_shape(op: Operation) -> list[Dim]:
    """Return what Expand broadcasts to if the model computes it.

    A dimension other than 1 keeps its size: ONNX allows nothing else.
    """
    own, asked = require_shape(op.tensor(0)), dims_of(op, 1)
    rank = max(len(own), len(asked))
    own, asked = ([1] * (rank - len(d)) + list(d) for d in (own, asked))
    for dim in own:
        op.require(
            isinstance(dim, int), f"it expands the symbolic dimension {dim} by a size that is"
        )
    return [a if o == 1 else o for o, a in zip(own, asked, strict=True)]


def tile(op: Operation) -> Expr:
    """Tile as often as the model computes."""
    x, shape, repeats = op.tensor(0), require_shape(op.tensor(0)), dims_of(op, 1)
    op.require(len(repeats) == len(shape), "it has not one number for each dimension")
    places = list(range(0, 2 * len(shape), 2))
    apart = op.emit(relax.op.expand_dims(x, places))
    pairs = [d for pair in zip(repeats, shape, strict=True) for d in pair]
    repeated = op.emit(relax.op.broadcast_to(apart, pairs))
    return relax.op.reshape(repeated, [r * d for r, d in zip(repeats, shape, strict=True)])


def range_(op: Operation) -> Expr:
    """Count between bounds that the model computes, as many numbers as onnxruntime does."""
    start, limit, delta = (op.emit(relax.op.reshape(op.tensor(i), [1])) for i in range(3))
    dtype = dtype_of(start)
    span, zero = _span(op, start, limit), scalar(0, FLOAT64)
    step = op.emit(relax.op.astype(delta, FLOAT64))
    steps = op.emit(relax.op.ceil(op.emit(relax.op.divide(span, step))))
    few = op.emit(relax.op.less_equal(steps, scalar(op.limits.size, FLOAT64)))  # NaN is not
    ends = op.emit(relax.op.logical_and(few, op.emit(relax.op.not_equal(step, zero))))
    count = op.emit(relax.op.maximum(steps, zero))
    bounded = op.emit(relax.op.where(ends, count, scalar(2.0 * op.limits.size, FLOAT64)))
    [length] = measured(op, op.emit(relax.op.astype(bounded, INT64)))
    places = op.emit(relax.op.arange(0, length, 1, INT64))
    walked = op.emit(relax.op.multiply(op.emit(relax.op.astype(places, dtype)), delta))
    return relax.op.add(walked, start)


def _span(op: Operation, start: Expr, limit: Expr) -> Expr:
    """Return the difference in float64, also where it wraps as an integer."""
    if is_float_dtype(dtype_of(start)):
        return op.emit(relax.op.astype(op.emit(relax.op.subtract(limit, start)), FLOAT64))
    whole = [op.emit(relax.op.astype(e, INT64)) for e in (limit, start)]
    exact = op.emit(relax.op.astype(op.emit(relax.op.subtract(*whole)), FLOAT64))
    rounded = op.emit(relax.op.subtract(*(op.emit(relax.op.astype(e, FLOAT64)) for e in whole)))
    wraps = op.emit(relax.op.greater(op.emit(relax.op.abs(rounded)), scalar(2.0**62, FLOAT64)))
    return op.emit(relax.op.where(wraps, rounded, exact))


def slice_(op: Operation, axes: Sequence[int], steps: Sequence[int]) -> Expr:
    """Slice between bounds that the model computes."""
    x = op.tensor(0)
    op.require(all(s > 0 for s in steps), "steps below 0 between bounds that the model computes")
    sizes = _vector(op, [require_shape(x)[a] for a in axes])
    first = _clamped(op, op.tensor(1), sizes)
    last = op.emit(relax.op.maximum(first, _clamped(op, op.tensor(2), sizes)))
    begins, ends = measured(op, first), measured(op, last)
    return relax.op.strided_slice(x, axes, begins, ends, steps, assume_inbound=True)


def _clamped(op: Operation, places: Expr, sizes: Expr) -> Expr:
    places = _int64(op, places)
    negative = op.emit(relax.op.less(places, scalar(0, INT64)))
    wrapped = op.emit(relax.op.where(negative, op.emit(relax.op.add(places, sizes)), places))
    low = op.emit(relax.op.maximum(wrapped, scalar(0, INT64)))
    return op.emit(relax.op.minimum(low, sizes))


def _replaced(op: Operation, vector: Expr, number: int, by: Expr) -> Expr:
    same = op.emit(relax.op.equal(vector, scalar(number, INT64)))
    return op.emit(relax.op.where(same, by, vector))


def _vector(op: Operation, dims: Sequence[Dim]) -> Expr:
    if all(isinstance(d, int) for d in dims):
        return constant(np.array(dims, INT64))
    return op.emit(relax.op.shape_to_tensor(relax.ShapeExpr(list(dims))))


def _int64(op: Operation, vector: Expr) -> Expr:
    if require_rank(vector) != 1:
        op.refuse("a shape is a vector")
    return vector if dtype_of(vector) == INT64 else op.emit(relax.op.astype(vector, INT64))
