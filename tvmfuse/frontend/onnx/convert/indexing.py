"""Operators that pick elements by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.indices import indices_of
from tvmfuse.frontend.onnx.convert import runtime_shapes, runtime_slices
from tvmfuse.frontend.onnx.convert.delegated import delegated
from tvmfuse.frontend.onnx.operation import Operation, is_empty, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim, Symbols, terms
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of

LONGEST_STEP: Final = 2**48
"""Elements that no axis has: a Slice by more takes what one by as many takes."""

MOST_TERMS: Final = 128
"""In all bounds of a Slice. Its kernel has them in each of its indices: of 250, LLVM takes 8 s."""

_non_zero = delegated()


def slice_(op: Operation) -> Expr:
    """Convert Slice: bounds are attributes before opset 10, then operands."""
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    if op.opset < 10:
        starts, ends = op.integers("starts") or [], op.integers("ends") or []
        axes, steps = op.integers("axes"), None
    else:
        if any(op.has(i) and op.known(i) is None for i in (3, 4)):
            return runtime_slices.picked(op)
        axes = op.known_integers(3) if op.has(3) else None
        steps = _steps(op.known_integers(4)) if op.has(4) else None
        count = _count(op) if axes is None else len(axes)
        axes = list(range(count)) if axes is None else axes
        if op.known(1) is None or op.known(2) is None:
            if steps is not None and min(steps, default=1) < 0:
                return runtime_slices.picked(op)
            places = [require_axis(a, rank) for a in axes]
            return runtime_slices.slice_(op, places, steps or [1] * count)
        starts, ends = op.dims(1), op.dims(2)
    axes = [require_axis(a, rank) for a in (range(len(starts)) if axes is None else axes)]
    steps = [1] * len(axes) if steps is None else steps
    op.require(0 not in steps, "a step of 0")
    op.require(len(set(axes)) == len(axes), f"of its axes {axes} one stands there twice")
    shape = require_shape(x)
    bounds = [
        clamped(op.symbols, *each)
        for each in zip(starts, ends, steps, (shape[a] for a in axes), strict=True)
    ]
    if sum(terms(bound) for pair in bounds for bound in pair) > MOST_TERMS:
        forward = min(steps) > 0
        return runtime_slices.slice_(op, axes, steps) if forward else runtime_slices.picked(op)
    sizes = [shape[a] for a in axes]
    fixed = all(isinstance(d, int) for d in (*sizes, *(b for pair in bounds for b in pair)))
    if not fixed:
        for place, (axis, step) in enumerate(zip(axes, steps, strict=True)):
            if step < 0:
                # TVM divides sizes by the step, and symbols by no negative number.
                x = op.emit(relax.op.flip(x, axis))
                bounds[place] = _mirrored(op.symbols, *bounds[place], shape[axis])
        steps = [abs(s) for s in steps]
    begins, stops = [b for b, _ in bounds], [e for _, e in bounds]
    if fixed:
        # relax.strided_slice counts an end of -1 from the back, too.
        stops = [e - size if e == -1 else e for e, size in zip(stops, sizes, strict=True)]
    return relax.op.strided_slice(x, axes, begins, stops, steps, assume_inbound=not fixed)


def _steps(steps: Sequence[int] | None) -> list[int] | None:
    """Return steps that take the same elements, and with which no index wraps around."""
    return None if steps is None else [min(max(s, -LONGEST_STEP), LONGEST_STEP) for s in steps]


def _mirrored(symbols: Symbols, first: Dim, end: Dim, size: Dim) -> tuple[Dim, Dim]:
    """Return the bounds of a slice with a negative step as they are when the axis is flipped."""
    start, stop = symbols.simplify(size - 1 - first), symbols.simplify(size - 1 - end)
    return start, symbols.larger(start, stop)


def _count(op: Operation) -> int:
    """Return how many axes are sliced."""
    starts = op.known(1)
    if starts is not None:
        return starts.array.size
    [count] = require_static_shape(op.tensor(1), "its starts")
    return count


def clamped(symbols: Symbols, start: Dim, end: Dim, step: int, size: Dim) -> tuple[Dim, Dim]:
    """Return the first element and the end of an ONNX slice of `size` elements.

    Positions count from the back where they are negative; what lies outside is clamped. With a
    negative step the end may be -1: one before the first element.
    """
    if step > 0:
        first, last = _clamp(symbols, start, 0, size, size), _clamp(symbols, end, 0, size, size)
        return first, symbols.larger(first, last)
    first, last = (_clamp(symbols, d, low, size - 1, size) for d, low in ((start, 0), (end, -1)))
    return first, symbols.smaller(first, last)


def _clamp(symbols: Symbols, place: Dim, low: Dim, high: Dim, size: Dim) -> Dim:
    if isinstance(place, int):
        if place >= 2**31 - 1:
            return high
        if place <= -(2**31) + 1:
            return low
        place = place + size if place < 0 else place
    elif not symbols.non_negative(place):
        place = tirx.Select(place < 0, place + size, place)
    return symbols.smaller(symbols.larger(place, low), high)


def non_zero(op: Operation) -> Expr:
    """Convert NonZero."""
    x = op.tensor(0)
    if is_empty(require_shape(x)):
        return relax.op.zeros([require_rank(x), 0], "int64")
    return _non_zero(op)  # which says how many axes there are


def gather(op: Operation) -> Expr:
    """Convert Gather to `take`, which wraps around what is out of range: it takes some element."""
    x = op.tensor(0)
    axis = require_axis(op.integer("axis", 0), require_rank(x))
    size = require_shape(x)[axis]
    if size == 0:
        return _of_none(op, x, axis)
    found = indices_of(op, op.tensor(1), [size])
    if not found.are_in_range:
        op.same(size, op.symbols.larger(size, 1))
    return relax.op.take(x, found.tensor, axis, mode="wrap")


def _of_none(op: Operation, x: Expr, axis: int) -> Expr:
    """Gather of an axis that has no elements: there is no index, or the run says which one."""
    indices = indices_of(op, op.tensor(1), [0], may_be_fed=False).tensor
    shape, dims = require_shape(x), require_shape(indices)
    like = op.emit(relax.op.astype(indices, dtype_of(x)))  # so that they are looked at
    beside = op.emit(in_shape(like, [*dims, *[1] * (len(shape) - axis - 1)]))
    return relax.op.broadcast_to(beside, [*shape[:axis], *dims, *shape[axis + 1 :]])


def size_tensor(op: Operation, size: Dim, dtype: str) -> Expr:
    """Return a dimension as a 0-d tensor."""
    if isinstance(size, int):
        return scalar(size, dtype)
    vector = op.emit(relax.op.shape_to_tensor(relax.ShapeExpr([size])))
    number = op.emit(in_shape(vector, []))
    return number if dtype == "int64" else op.emit(relax.op.astype(number, dtype))


def range_(op: Operation) -> Expr:
    """Convert Range."""
    if any(op.known(i) is None for i in range(3)):
        return runtime_shapes.range_(op)
    start, limit, delta = (op.value(i) for i in range(3))
    if all(v.is_concrete for v in (start, limit, delta)):
        first, end, step = (v.array.item() for v in (start, limit, delta))
        return constant(_arange(op, first, end, step, start.dtype))
    numbers = [v.elements[0] for v in (start, limit, delta)]
    if start.dtype in ("int32", "int64"):
        return _counted(op, numbers, start.dtype)
    if not all(float(n).is_integer() for n in numbers if isinstance(n, (int, float))):
        return runtime_shapes.range_(op)
    whole = [int(n) if isinstance(n, float) else n for n in numbers]
    return relax.op.astype(op.emit(_counted(op, whole, "int64")), start.dtype)


def _counted(op: Operation, numbers: Sequence[Dim], dtype: str) -> Expr:
    """Return whole numbers from one on up to another, of which one is symbolic at least."""
    first, end, step = numbers
    op.require(not isinstance(step, int) or step, "its step is 0")
    if isinstance(step, int) and step == 1:
        return relax.op.arange(first, op.symbols.larger(first, end), 1, dtype)
    if _is_positive(op, step):
        span, width = end - first, step
    elif _is_positive(op, -step):
        span, width = first - end, -step
    else:
        return runtime_shapes.range_(op)
    count = op.symbols.quotient(op.symbols.larger(span, 0) + width - 1, width)
    steps = op.emit(relax.op.arange(0, count, 1, dtype))
    passed = op.emit(relax.op.multiply(steps, size_tensor(op, op.symbols.simplify(step), dtype)))
    return relax.op.add(passed, size_tensor(op, op.symbols.simplify(first), dtype))


def _is_positive(op: Operation, size: Dim) -> bool:
    """Whether a size is at least 1, or known not to be negative, and 0 is refused as it runs."""
    symbols = op.symbols
    return symbols.at_most(1, size) or (
        symbols.non_negative(size) and symbols.require_non_negative(size - 1)
    )


def _arange(op: Operation, start: float, limit: float, delta: float, dtype: str) -> np.ndarray:
    op.require(delta, "its step is 0")
    steps = np.ceil((limit - start) / delta)
    op.require(np.isfinite(steps), f"it counts from {start} to {limit} by {delta}")
    count = max(int(steps), 0)
    op.makes("the range", [count], dtype)
    return (np.arange(count) * delta + start).astype(dtype)
