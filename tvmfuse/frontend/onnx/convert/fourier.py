"""Discrete Fourier transforms, as products with matrices of cosines and sines."""

from __future__ import annotations

import math
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, with_dim
from tvmfuse.frontend.onnx.convert.fourier_factors import factors, in_two_steps
from tvmfuse.frontend.onnx.convert.runtime_axes import FedAxes, fed_axes
from tvmfuse.frontend.onnx.convert.runtime_numbers import (
    FLOAT64,
    INT64,
    Numbers,
    counting,
    sizes_of,
)
from tvmfuse.frontend.onnx.convert.runtime_shapes import dims_of, ensure, measured
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of

PARTS: Final = (1, 2)
"""Numbers of an element: the last axis holds a real one, or the parts of a complex one."""


def dft(op: Operation) -> Expr:
    """Convert DFT: along one axis, which may be fed, of a length that may be."""
    x = _parts(op, onesided=op.flag("onesided"))
    shape = require_shape(x)
    rank = len(shape)
    if op.opset >= 20 and op.has(2) and op.known(2) is None:
        sizes, axes = sizes_of(op, shape[:-1]), _fed_axis(op, rank)
        found = _along(op, x, *axes.around(sizes))
        _, count, _, results = require_shape(found.expr)
        dims = measured(axes.mask.where(sizes_of(op, [count] * (rank - 1)), sizes))
        return found.reshaped([*dims, results]).expr
    axis = _axis(op, rank)
    head, size, tail = shape[:axis], shape[axis], shape[axis + 1 : -1]
    found = _along(op, x, op.symbols.product(head), size, op.symbols.product(tail))
    _, count, _, results = require_shape(found.expr)
    return found.reshaped([*head, count, *tail, results]).expr


def _parts(op: Operation, *, onesided: bool) -> Expr:
    """Return the operand; where only a run tells of how many parts its numbers are, of two.

    Half of a spectrum has two parts, and what has such a half one: those are constrained to that.
    """
    x, shape = op.tensor(0), require_shape(op.tensor(0))
    parts = shape[-1]
    op.require(len(shape) > 1, "it has no axis beside that of the parts")
    if isinstance(parts, int):
        op.require(parts in PARTS, f"its last axis has {parts} parts, not 1 or 2")
        return x
    if onesided:
        return with_dim(op, x, -1, 2 if op.flag("inverse") else 1)
    told = sizes_of(op, [parts])
    ensure((told >= 1) & (told <= 2), "its last axis has 1 or 2 parts")
    zeros = op.emit(relax.op.zeros(relax.ShapeExpr([*shape[:-1], 1]), dtype_of(x)))
    both, axis = op.emit(relax.op.concat([x, zeros], -1)), [len(shape) - 1]
    return op.emit(relax.op.strided_slice(both, axis, [0], [2], assume_inbound=True))


def _along(op: Operation, x: Expr, head: Dim, size: Dim, tail: Dim) -> Numbers:
    inverse, onesided = op.flag("inverse"), op.flag("onesided")
    length = _length(op, size, folded=inverse and onesided)
    view = Numbers(op, x).reshaped([head, size, tail, require_shape(x)[-1]])
    return transformed(view, length, inverse=inverse, onesided=onesided)


def _fed_axis(op: Operation, rank: int) -> FedAxes:
    """Return the axis among those before the parts, which count where it does from the back."""
    axis = Numbers(op, op.tensor(2)).reshaped([1]).astype(INT64)
    return fed_axes(op, (axis < 0).where(axis + rank, axis).expr, rank - 1)


def _axis(op: Operation, rank: int) -> int:
    if op.opset < 20:
        axis = op.integer("axis", 1)
    else:
        axis = int(op.value(2).array.item()) if op.has(2) else -2
    place = require_axis(axis, rank)
    op.require(place < rank - 1, f"axis {axis} is that of the parts")
    return place


def _length(op: Operation, size: Dim, *, folded: bool) -> Dim:
    """Return of how many elements the transform is: as said, or as the axis has.

    Args:
        op: Its operand 1 may say it.
        size: Of the axis.
        folded: Whether the axis has only those of a spectrum that are not mirrored.
    """
    if op.has(1):
        [length] = (
            op.dims(1)
            if op.known(1) is not None
            else measured(Numbers(op, op.tensor(1)).reshaped([1]).astype(INT64))
        )
    else:
        length = op.symbols.simplify((size - 1) * 2) if folded else size
    op.require(not isinstance(length, int) or length > 0, f"its length is {length}")
    return length


def transformed(x: Numbers, length: Dim, *, inverse: bool, onesided: bool) -> Numbers:
    """Return the transform along the second axis.

    Args:
        x: Shape (head, size, tail, parts). What is beyond `length` does not count, what is missing
            is zero.
        length: Of the transform.
        inverse: Whether back from a spectrum, which divides by the length.
        onesided: Forward: half of the spectrum, which says all of a real signal. Back: the real
            signal of such a half.
    """
    op, dtype = x.op, dtype_of(x.expr)
    head, size, tail, parts = require_shape(x.expr)
    op.require(not onesided or inverse == (parts == 2), "onesided is of real signals")
    half = op.symbols.simplify(op.symbols.quotient(length, 2) + 1)
    results: Dim = half if onesided and not inverse else length
    real = onesided and inverse
    lines = x.transposed([0, 2, 1, 3]).reshaped(
        [op.symbols.product([head, tail]), op.symbols.product([size, parts])]
    )
    if isinstance(length, int) and size == length and isinstance(results, int) and not real:
        two = factors(length, int(parts))
        if two is not None:
            found = in_two_steps(lines, *two, int(parts), results=results, inverse=inverse)
            return found.reshaped([head, tail, results, 2]).transposed([0, 2, 1, 3])
    matrix = _matrix(op, [size, results], length, inverse=inverse, folded=real)
    cosine, sine = matrix
    if not inverse:
        sine = -sine
    # A complex factor (c, s) takes (a, b) to (a c - b s, a s + b c).
    rows = [cosine] if real else [cosine, sine]
    columns = [rows] if parts == 1 else [rows, [-sine] if real else [-sine, cosine]]
    stacked = [_stacked(row, 2) for row in columns]
    weights = _stacked(stacked, 1)  # (size, parts, results, parts of the result)
    made = len(rows)
    flat = weights.reshaped(
        [op.symbols.product([size, parts]), op.symbols.product([results, made])]
    ).astype(dtype)
    return lines.times(flat).reshaped([head, tail, results, made]).transposed([0, 2, 1, 3])


def _matrix(
    op: Operation, shape: list[Dim], length: Dim, *, inverse: bool, folded: bool
) -> tuple[Numbers, Numbers]:
    """Return cosines and sines of float64 for each element and each result."""
    places, results = counting(op, shape[0]).expanded(1), counting(op, shape[1]).expanded(0)
    count = sizes_of(op, [length])
    angle = ((places * results) % count.at_least(1)).astype(FLOAT64)
    angle = angle * (2 * math.pi) / count.astype(FLOAT64)
    share = (places < count).astype(FLOAT64)
    if folded:
        # All but the first one and the middle one stand for their mirror images, too.
        alone = places.equals(0) | (places * 2).equals(count)
        share = (places * 2 <= count).where(alone.where(share, 2), 0)
    if inverse:
        share = share / count.astype(FLOAT64)
    return angle.cos() * share, angle.sin() * share


def _stacked(parts: list[Numbers], axis: int) -> Numbers:
    op = parts[0].op
    return Numbers(op, relax.op.concat([part.expanded(axis).expr for part in parts], axis))


def stft(op: Operation) -> Expr:
    """Convert STFT: transforms of frames, each of them times a window."""
    op.require(require_rank(op.tensor(0)) == 3, "its signal is of three dimensions")
    onesided = op.flag("onesided", default=True)
    x = Numbers(op, _parts(op, onesided=onesided))
    batch, size, parts = require_shape(x.expr)
    [step] = dims_of(op, 1) if op.known(1) is not None else _measured(op, 1)
    window = Numbers(op, op.tensor(2)) if op.has(2) else None
    if op.has(3):
        [length] = op.dims(3) if op.known(3) is not None else _measured(op, 3)
    elif window is not None:
        [length] = require_shape(window.expr)
    else:
        op.refuse("it has neither a window nor a frame length")
    positive = (sizes_of(op, [step]) > 0) & (sizes_of(op, [length]) > 0)
    ensure(positive, "its step and its frame are 1 or more")
    reach = sizes_of(op, [size]) - sizes_of(op, [length])
    ensure(reach >= 0, "the signal has a whole frame")
    [count] = measured(reach // sizes_of(op, [step]).at_least(1) + 1)
    starts = (counting(op, count) * sizes_of(op, [step])).expanded(1)
    places = starts + counting(op, length).expanded(0)
    frames = Numbers(op, relax.op.take(x.expr, places.expr, 1, mode="clip"))
    if window is not None:
        frames = frames * Numbers(op, agree(op, window.expr, [length])).expanded(1)
    view = frames.reshaped([op.symbols.product([batch, count]), length, 1, parts])
    found = transformed(view, length, inverse=False, onesided=onesided)
    _, results, _, made = require_shape(found.expr)
    return found.reshaped([batch, count, results, made]).expr


def _measured(op: Operation, position: int) -> list[Dim]:
    return measured(Numbers(op, op.tensor(position)).reshaped([1]).astype(INT64))
