"""Shapes that are computed while the model runs: each dimension gets a symbol of its own."""

from __future__ import annotations

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.conditions import condition
from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.runtime_numbers import (
    FLOAT64,
    INT64,
    Numbers,
    counting,
    sizes_of,
)
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of


def measured(vector: Numbers, *, of_one: bool = True) -> list[Dim]:
    """Return the elements of a vector, all at least 0, as new symbolic dimensions.

    That they are no more than a tensor may have is checked while the model runs.

    Args:
        vector: Of int64.
        of_one: Whether they are the dimensions of one tensor, or places and sizes in several.
    """
    op = vector.op
    [length] = require_shape(vector.expr)
    if not isinstance(length, int):
        op.refuse(f"how many dimensions it asks for is not fixed: {length}")
    dims = [op.symbols.fresh(f"{op.node.name}_{i}") for i in range(length)]
    if length:
        bounded = _bounded(vector, of_one=of_one)
        op.match(op.emit(relax.op.tensor_to_shape(bounded.expr)), relax.ShapeType(dims))
    op.match(op.emit(relax.op.tensor_to_shape(vector.expr)), relax.ShapeType(dims))
    return list(dims)


def ensure(truths: Numbers, what: str) -> None:
    """End the run with an error unless all of these truth values hold.

    TVM checks nothing but shapes: 1 and their product have to be one dimension. Its error has that
    one's name, of which `failures` makes words.

    Args:
        truths: The values.
        what: Says that they hold; see `condition`.
    """
    op, all_hold = truths.op, truths.all()
    first, second = (Numbers(op, constant(np.array(place))) for place in ([1, 0], [0, 1]))
    both = all_hold * second + first
    one = op.symbols.fresh(condition(op.name, what))
    op.match(op.emit(relax.op.tensor_to_shape(both.expr)), relax.ShapeType([one, one]))


def _bounded(dims: Numbers, *, of_one: bool) -> Numbers:
    """Return dimensions as they are if so many elements are admitted, else zeros.

    The product is one of float64: it never wraps around to a small number. A dimension of 0 hides
    no large one, and one below 0 is too many.
    """
    limit = dims.op.limits.size
    sizes = dims.astype(FLOAT64)
    counted = (sizes >= 0).where(sizes.at_least(1), 2.0 * limit)
    elements = counted.product() if of_one else counted
    return dims * (elements <= limit).astype(INT64)


def dims_of(op: Operation, position: int) -> list[Dim]:
    """Return a shape operand's dimensions, known or measured while the model runs."""
    known = op.known(position)
    if known is not None:
        return known.elements
    return measured(as_int64(op, op.tensor(position)))


def reshape(op: Operation) -> Expr:
    """Reshape to a shape that the model computes; that its elements are as many is checked."""
    x, wanted = op.tensor(0), as_int64(op, op.tensor(1))
    [length] = require_shape(wanted.expr)
    own = require_shape(x)
    if not isinstance(length, int):
        op.refuse(f"to how many dimensions it reshapes is not fixed: {length}")
    if not op.flag("allowzero"):
        kept = sizes_of(op, [*own, *([1] * length)][:length])
        wanted = wanted.equals(0).where(kept, wanted)
    open_ = wanted.equals(-1)
    others = (~open_).where(wanted, 1).product()
    told = (others > 0) & (open_.astype(INT64).sum() <= 1)
    rest = told.where(sizes_of(op, own).product() // others.at_least(1), -1)
    dims = measured(open_.where(rest, wanted))
    flat = op.emit(in_shape(x, [op.symbols.product(own)]))
    return in_shape(agree(op, flat, [op.symbols.product(dims)]), dims)


def expand(op: Operation) -> Expr:
    """Expand to a shape that the model computes.

    A dimension other than 1 keeps its size: ONNX allows nothing else. Whether a symbolic one is 1
    shows as the model runs: then all that is gathered along it is its one element.
    """
    x, asked = op.tensor(0), as_int64(op, op.tensor(1))
    [length] = require_shape(asked.expr)
    if not isinstance(length, int):
        op.refuse(f"to how many dimensions it expands is not fixed: {length}")
    own = require_shape(x)
    rank = max(len(own), length)
    own = [1] * (rank - len(own)) + own
    sizes = sizes_of(op, own)
    if length < rank:
        asked = Numbers(op, relax.op.concat([sizes_of(op, [1] * (rank - length)).expr, asked.expr]))
    dims = measured(sizes.equals(1).where(asked, sizes))
    x = op.emit(in_shape(x, own))
    symbolic = [axis for axis, dim in enumerate(own) if not isinstance(dim, int)]
    if any(not isinstance(dim, int) or dim != 1 for dim in own):
        ensure(
            sizes.equals(1) | asked.equals(1) | asked.equals(sizes),
            "one size is 1 or both are equal",
        )
    for axis in symbolic:
        places = counting(op, dims[axis]) * (sizes[axis] > 1).astype(INT64)
        x = op.emit(relax.op.take(x, places.expr, axis, mode="clip"))
    kept = [o if isinstance(o, int) and o != 1 else d for o, d in zip(own, dims, strict=True)]
    return relax.op.broadcast_to(x, kept)


def range_(op: Operation) -> Expr:
    """Count between bounds that the model computes, as many numbers as onnxruntime does."""
    start, limit, delta = (Numbers(op, in_shape(op.tensor(i), [1])) for i in range(3))
    step = delta.astype(FLOAT64)
    steps = (_span(start, limit) / step).ceil()
    ends = (steps <= op.limits.size) & ~step.equals(0)  # NaN is no number of steps
    [length] = measured(ends.where(steps.at_least(0), 2.0 * op.limits.size).astype(INT64))
    return (counting(op, length).astype(dtype_of(start.expr)) * delta + start).expr


def _span(start: Numbers, limit: Numbers) -> Numbers:
    """Return the difference in float64, also where it wraps as an integer."""
    if is_float_dtype(dtype_of(start.expr)):
        return (limit - start).astype(FLOAT64)
    exact = (limit.astype(INT64) - start.astype(INT64)).astype(FLOAT64)
    rounded = limit.astype(INT64).astype(FLOAT64) - start.astype(INT64).astype(FLOAT64)
    return (rounded.abs() > 2.0**62).where(rounded, exact)


def as_int64(op: Operation, vector: Expr) -> Numbers:
    """Return a vector of integers as one of int64."""
    if require_rank(vector) != 1:
        op.refuse("a shape is a vector")
    return Numbers(op, vector).astype(INT64)
