"""Ranking, counting and running totals along an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_axes, runtime_shapes, runtime_slices
from tvmfuse.frontend.onnx.convert.broadcast import with_dim
from tvmfuse.frontend.onnx.convert.indexing import size_tensor
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.operation import Operation, is_empty, scalar
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops import bit_cast


def top_k(op: Operation) -> Sequence[Expr]:
    """Convert TopK. Results are sorted, also where the node does not ask."""
    x = op.tensor(0)
    axis = require_axis(op.integer("axis", -1), require_rank(x))
    size = require_shape(x)[axis]
    if op.opset >= 10 and op.known(1) is None:
        return _first(op, x, axis, runtime_slices.counted(op, op.tensor(1), size))
    asked = op.dims(1) if op.opset >= 10 else [op.integer("k", 1)]
    op.require(len(asked) == 1, f"its number of elements is {asked}; expected one")
    [k] = asked
    if isinstance(k, int):
        fits = k <= size if isinstance(size, int) else True
        op.require(k >= 0 and fits, f"the {k} largest of {size} elements")
    if not op.symbols.require_non_negative(k):
        runtime_shapes.ensure(sizes_of(op, [k]) >= 0, "it takes no less than nothing")
    if not op.same(size, op.symbols.larger(size, k)):
        return _first(op, x, axis, runtime_slices.counted(op, sizes_of(op, [k]).expr, size))
    return _ranked(op, x, k, axis) if isinstance(k, int) and k else _first(op, x, axis, [k])


def _first(op: Operation, x: Expr, axis: int, count: Sequence[Dim]) -> Sequence[Expr]:
    """Rank all elements along an axis, and take so many, which are there."""
    return [
        relax.op.strided_slice(part, [axis], [0], count, assume_inbound=True)
        for part in _ranked(op, x, -1, axis)
    ]


def _ranked(op: Operation, x: Expr, k: int, axis: int) -> Sequence[Expr]:
    """Return the first elements along an axis and their places, -1 for all of them."""
    shape = require_shape(x)
    if is_empty(shape) or k == 0:
        taken = [*shape[:axis], shape[axis] if k < 0 else k, *shape[axis + 1 :]]
        return [op.emit(relax.op.zeros(taken, dtype)) for dtype in (dtype_of(x), "int64")]
    largest = op.flag("largest", default=True)
    unsigned = dtype_of(x) == "uint64"
    x = _turned(op, x, "int64") if unsigned else x
    found = op.emit(relax.op.topk(x, k, axis, ret_type="both", largest=largest, dtype="int64"))
    values, places = (op.emit(relax.TupleGetItem(found, i)) for i in range(2))
    return [_turned(op, values, "uint64") if unsigned else values, places]


def _turned(op: Operation, x: Expr, dtype: str) -> Expr:
    """Return numbers of 64 bits in the same order, with a sign or without: the first bit tells."""
    bits = op.emit(bit_cast(x, "int64"))
    turned = op.emit(relax.op.bitwise_xor(bits, scalar(-(2**63), "int64")))
    return op.emit(bit_cast(turned, dtype))


def argument(function: Callable[..., Expr]) -> Callable[[Operation], Expr]:
    """Return the converter of ArgMax or ArgMin; of equal elements the first one counts."""

    def convert(op: Operation) -> Expr:
        x = op.tensor(0)
        axis = require_axis(op.integer("axis", 0), require_rank(x))
        size = require_shape(x)[axis]
        op.same(size, op.symbols.larger(size, 1))  # of no elements, none is the largest
        keepdims = op.flag("keepdims", default=True)
        if not op.flag("select_last_index"):
            return function(x, axis, keepdims)
        from_back = op.emit(function(op.emit(relax.op.flip(x, axis)), axis, keepdims))
        count = size_tensor(op, size, "int64")
        last = op.emit(relax.op.subtract(count, scalar(1, "int64")))
        return relax.op.subtract(last, from_back)

    return convert


def cumulative(function: Callable[..., Expr]) -> Callable[[Operation], Expr]:
    """Return the converter of CumSum or CumProd."""

    def convert(op: Operation) -> Expr:
        if op.known(1) is None:
            return runtime_axes.along(op, 1, lambda x, axis: total(op, x, axis))
        x = op.tensor(0)
        return total(op, x, require_axis(op.known_integers(1)[0], require_rank(x)))

    def total(op: Operation, x: Expr, axis: int) -> Expr:
        exclusive = op.flag("exclusive")
        if not op.flag("reverse"):
            return function(x, axis, exclusive=exclusive)
        found = op.emit(function(op.emit(relax.op.flip(x, axis)), axis, exclusive=exclusive))
        return relax.op.flip(found, axis)

    return convert


def one_hot(op: Operation) -> Expr:
    """Convert OneHot: where a position equals the index. An index out of range marks nothing."""
    indices, values = op.tensor(0), with_dim(op, op.tensor(2), 0, 2)
    depth, rank = _depth(op), require_rank(indices)
    axis = require_axis(op.integer("axis", -1), rank + 1)
    wide = op.emit(relax.op.astype(indices, "int64"))
    negative = op.emit(relax.op.less(wide, scalar(0, "int64")))
    wrapped = op.emit(relax.op.add(wide, size_tensor(op, depth, "int64")))
    index = op.emit(relax.op.expand_dims(op.emit(relax.op.where(negative, wrapped, wide)), [axis]))
    op.makes("the range", [depth], "int64")
    shape = [depth if i == axis else 1 for i in range(rank + 1)]
    hit = op.emit(relax.op.equal(index, _counting(op, depth, shape)))
    off, on = (op.emit(relax.op.strided_slice(values, [0], [i], [i + 1])) for i in range(2))
    return relax.op.where(hit, on, off)


def _depth(op: Operation) -> Dim:
    """Return how many classes there are: a number or a vector of one, of any type."""
    if op.known(1) is not None:
        return op.known_integers(1)[0]
    fed = Numbers(op, in_shape(op.tensor(1), [1]))
    [depth] = runtime_shapes.measured(fed.astype("int64"))
    return depth


def _counting(op: Operation, count: Dim, shape: Sequence[Dim]) -> Expr:
    """Return the numbers below one, in this shape."""
    if isinstance(count, int):
        return constant(np.arange(count).reshape(shape))
    return op.emit(in_shape(counting(op, count).expr, shape))


def eye_like(op: Operation) -> Expr:
    """Convert EyeLike: ones on the k-th diagonal."""
    x = op.tensor(0)
    op.require(require_rank(x) == 2, "its input is no matrix")
    rows, columns = require_shape(x)
    said, k = op.attribute("dtype"), op.integer("k", 0)
    dtype = dtype_of(x) if said is None else dtype_name(said)
    if isinstance(rows, int) and isinstance(columns, int):
        op.makes("the diagonal", [rows, columns], "float64")
        return constant(np.eye(rows, columns, k).astype(dtype))
    row, column = counting(op, rows).expanded(1), counting(op, columns)
    return (row + k).equals(column).astype(dtype).expr
