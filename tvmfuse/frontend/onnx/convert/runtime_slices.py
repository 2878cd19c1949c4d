"""Parts of tensors between bounds that the model computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import with_dim
from tvmfuse.frontend.onnx.convert.runtime_axes import fed_axes
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import as_int64, ensure, measured
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_axis, require_shape
from tvmfuse.frontend.symbols import Dim


def slice_(op: Operation, axes: Sequence[int], steps: Sequence[int]) -> Expr:
    """Slice along known axes by known steps, all above 0."""
    x = op.tensor(0)
    sizes = sizes_of(op, [require_shape(x)[a] for a in axes])
    first, end = (
        _wrapped(as_int64(op, op.tensor(i)), sizes).at_least(0).at_most(sizes) for i in (1, 2)
    )
    begins, ends = (measured(e, of_one=False) for e in (first, end.at_least(first)))
    return relax.op.strided_slice(x, axes, begins, ends, steps, assume_inbound=True)


def picked(op: Operation) -> Expr:
    """Slice along axes and by steps that the model computes: each axis is gathered."""
    x, slices = op.tensor(0), _slices(op)
    counts = measured(slices.count, of_one=False)
    for i, (axis, count) in enumerate(zip(slices.axes, counts, strict=True)):
        places = counting(op, count) * slices.step[i] + slices.begin[i]
        x = op.emit(relax.op.take(x, places.expr, axis, mode="clip"))
    return x


@dataclass(frozen=True)
class _Slices:
    """What is taken along some axes: vectors of int64, with a number for each of them."""

    axes: Sequence[int]
    begin: Numbers
    step: Numbers
    count: Numbers


def _slices(op: Operation) -> _Slices:
    """Return what is taken: along the axes that are named, or along all where they are fed."""
    shape = require_shape(op.tensor(0))
    start, end = (as_int64(op, op.tensor(i)) for i in (1, 2))
    step = as_int64(op, op.tensor(4)) if op.has(4) else start * 0 + 1
    if op.has(3) and op.known(3) is None:
        fed, axes = fed_axes(op, op.tensor(3), len(shape)), list(range(len(shape)))
        sizes = sizes_of(op, shape)
        start, end = fed.spread(start, sizes * 0), fed.spread(end, sizes)
        step = fed.spread(step, sizes * 0 + 1)
    else:
        [count] = require_shape(start.expr)
        listed = op.known_integers(3) if op.has(3) else range(_fixed(op, count))
        axes = [require_axis(a, len(shape)) for a in listed]
        sizes = sizes_of(op, [shape[a] for a in axes])
    ensure(~step.equals(0), "no step is zero")
    # A step leads no further than just out of the tensor, so that nothing wraps around.
    step = step.at_least(-(sizes + 1)).at_most(sizes + 1)
    # From the back it begins at the last element, and may end one before the first.
    back = (step < 0).astype(INT64)
    begin = _wrapped(start, sizes).at_least(0).at_most(sizes - back)
    stop = _wrapped(end, sizes).at_least(-back).at_most(sizes - back)
    length = (step < 0).where(begin - stop, stop - begin)
    stride = step.abs().at_least(1)
    return _Slices(axes, begin, step, ((length + stride - 1) // stride).at_least(0))


def split(op: Operation, axis: int) -> list[Expr]:
    """Split into parts of sizes that are symbolic, or that the model computes.

    That none is less than nothing and that they fill the axis is checked.
    """
    if op.known(1) is None:
        sizes = measured(as_int64(op, op.tensor(1)), of_one=False)
    else:
        sizes = op.dims(1)
        unsure = [size for size in sizes if not op.symbols.require_non_negative(size)]
        if unsure:
            ensure(sizes_of(op, unsure) >= 0, "no part is less than nothing")
    ends: list[Dim] = [0]
    for size in sizes:
        ends.append(op.symbols.simplify(ends[-1] + size))
    x = with_dim(op, op.tensor(0), axis, ends[-1])
    return [
        relax.op.strided_slice(x, [axis], [begin], [end], assume_inbound=True)
        for begin, end in pairwise(ends)
    ]


def counted(op: Operation, count: Expr, size: Dim) -> list[Dim]:
    """Return how many elements are taken of so many: a vector's numbers, which are no more."""
    asked = as_int64(op, count)
    ensure(asked <= sizes_of(op, [size]), "it takes no more than there are")
    return measured(asked)


def _fixed(op: Operation, count: Dim) -> int:
    if not isinstance(count, int):
        op.refuse(f"how many axes it slices is not fixed: {count}")
    return count


def _wrapped(places: Numbers, sizes: Numbers) -> Numbers:
    """Return places that count from the front."""
    return (places < 0).where(places + sizes, places)
