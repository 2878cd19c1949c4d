"""Sequences and optional tensors whose make-up is known: a sequence is a tuple of tensors.

Its length is known, and its elements may have different shapes. One that a loop has made
(`appended`), or of parts of a symbolic axis, is a tensor with an element in each row. An optional
tensor that is there is the tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_slices
from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.elementwise import identity
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import (
    require_axis,
    require_rank,
    require_shape,
)
from tvmfuse.frontend.symbols import Dim, written
from tvmfuse.ir.types import constant


def sequence_construct(op: Operation) -> Expr:
    """Convert SequenceConstruct."""
    return relax.Tuple(op.tensors())


def sequence_empty(op: Operation) -> Expr:
    """Convert SequenceEmpty."""
    del op
    return relax.Tuple([])


def sequence_insert(op: Operation) -> Expr:
    """Convert SequenceInsert."""
    if op.context.is_in_rows(op.node.inputs[0]):
        return _among_rows(op)
    elements = _elements(op)
    elements.insert(_place(op, 2, len(elements), ends=True), op.tensor(1))
    return relax.Tuple(elements)


def sequence_erase(op: Operation) -> Expr:
    """Convert SequenceErase."""
    elements = _elements(op)
    op.require(elements, "its sequence has no elements")
    del elements[_place(op, 1, len(elements)) if op.has(1) else -1]
    return relax.Tuple(elements)


def sequence_at(op: Operation) -> Expr:
    """Convert SequenceAt."""
    if op.context.is_in_rows(op.node.inputs[0]):
        return _row(op)
    elements = _elements(op)
    return elements[_place(op, 1, len(elements))]


def sequence_length(op: Operation) -> Expr:
    """Convert SequenceLength."""
    if op.context.is_in_rows(op.node.inputs[0]):
        return sizes_of(op, require_shape(op.tensor(0))[:1]).reshaped([]).expr
    return constant(np.array(len(_elements(op)), "int64"))


def concat_from_sequence(op: Operation) -> Expr:
    """Convert ConcatFromSequence."""
    along_new = op.flag("new_axis")
    if op.context.is_in_rows(op.node.inputs[0]):
        return _joined(op, along_new=along_new)
    elements = _elements(op)
    op.require(elements, "its sequence has no elements")
    axis = require_axis(op.integer("axis", 0), require_rank(elements[0]) + along_new)
    if along_new:
        elements = [op.emit(relax.op.expand_dims(element, [axis])) for element in elements]
    return relax.op.concat(elements, axis) if len(elements) > 1 else elements[0]


def split_to_sequence(op: Operation) -> Expr:
    """Convert SplitToSequence: into elements of one size that is known, or of the sizes given.

    How many of one size become of a symbolic axis shows as the model runs: they lie in rows, and
    leave no rest.
    """
    x = op.tensor(0)
    axis = require_axis(op.integer("axis", 0), require_rank(x))
    if op.has(1) and op.known(1) is None and require_rank(op.tensor(1)):
        return relax.Tuple([op.emit(part) for part in runtime_slices.split(op, axis)])
    split = op.value(1).array if op.has(1) else np.ones((), "int64")
    keeps = op.has(1) or op.flag("keepdims", default=True)
    if split.ndim:
        sizes = [int(size) for size in op.known_integers(1)]
        op.require(
            op.same(require_shape(x)[axis], sum(sizes)), f"its split {sizes} may not be all of it"
        )
    else:
        length, each = require_shape(x)[axis], int(split)
        op.require(each > 0, f"its split is {each}")
        if not isinstance(length, int):
            return _in_rows(op, axis, each, keeps=keeps)
        sizes = [min(each, length - begin) for begin in range(0, length, each)]
    ends = np.cumsum(sizes).tolist()
    parts = [
        op.emit(relax.op.strided_slice(x, [axis], [end - size], [end]))
        for size, end in zip(sizes, ends, strict=True)
    ]
    return relax.Tuple(
        parts if keeps else [op.emit(relax.op.squeeze(part, [axis])) for part in parts]
    )


def _in_rows(op: Operation, axis: int, each: int, *, keeps: bool) -> Expr:
    """Return the parts of an axis, each of so many elements, in the rows of one tensor."""
    shape = require_shape(op.tensor(0))
    count = op.symbols.quotient(shape[axis], each)
    shape[axis] = op.symbols.simplify(count * each)
    whole = Numbers(op, agree(op, op.tensor(0), shape, sure=False))
    op.in_rows = frozenset({0})
    part = [each] if keeps else []
    parts = whole.reshaped([*shape[:axis], count, *part, *shape[axis + 1 :]])
    rank = len(shape) + len(part)
    return parts.transposed([axis, *(i for i in range(rank) if i != axis)]).expr


def optional(op: Operation) -> Expr:
    """Convert Optional with an element."""
    op.require(op.has(0), "an optional tensor that is absent is not compiled")
    return identity(op)


def optional_get_element(op: Operation) -> Expr:
    """Convert OptionalGetElement: an absent one has been refused before."""
    return identity(op)


def optional_has_element(op: Operation) -> Expr:
    """Convert OptionalHasElement."""
    return constant(np.array(op.has(0)))


def _row(op: Operation) -> Expr:
    """Return one element of a sequence in rows; that there is such a one is checked."""
    rows = Numbers(op, op.tensor(0))
    count = sizes_of(op, require_shape(rows.expr)[:1])
    place = _place_in_rows(op, 1, count, count - 1, "the sequence has such an element")
    return relax.op.take(rows.expr, place.reshaped([]).expr, 0, mode="clip")


def _among_rows(op: Operation) -> Expr:
    """Put an element, of the shape of the others, among those of a sequence in rows.

    Where it goes may show as the model runs; that there is such a place is checked.
    """
    rows, element = Numbers(op, op.tensor(0)), op.tensor(1)
    count, *dims = require_shape(rows.expr)
    own = require_shape(element)
    op.require(
        _may_be_equal(op, own, dims),
        "how long its sequence is shows as the model runs, so what is put into it has to have the "
        f"shape of its elements, [{_listed(dims)}], and has [{_listed(own)}]: fix the length by "
        "dims= where it follows from an input's size",
    )
    row = op.emit(relax.op.expand_dims(agree(op, element, dims), [0]))
    op.in_rows = frozenset({0})
    at_end = relax.op.concat([rows.expr, row], 0)
    if not op.has(2):
        return at_end
    end, places = sizes_of(op, [count]), counting(op, op.symbols.simplify(count + 1))
    place = _place_in_rows(op, 2, end, end, "the sequence has such a place")
    order = (places < place).where(places, places.equals(place).where(end, places - 1))
    return relax.op.take(op.emit(at_end), order.expr, 0, mode="clip")


def _place_in_rows(
    op: Operation, position: int, count: Numbers, last: Numbers, exists: str
) -> Numbers:
    """Return an index of a sequence in rows from its front; that it is no other is checked."""
    place = Numbers(op, op.tensor(position)).reshaped([1]).astype(INT64)
    ensure((place >= -count) & (place <= last), exists)
    return (place < 0).where(place + count, place)


def _may_be_equal(op: Operation, own: Sequence[Dim], dims: Sequence[Dim]) -> bool:
    """Whether each size is the same number as another shape's, or symbolic in both."""
    return len(own) == len(dims) and all(
        isinstance(a, int) == isinstance(b, int) and not op.symbols.differ(a, b)
        for a, b in zip(own, dims, strict=True)
    )


def _listed(dims: Sequence[Dim]) -> str:
    return ", ".join(map(written, dims))


def _joined(op: Operation, *, along_new: bool) -> Expr:
    """Join the rows along an axis of their own, or along one that they have."""
    rows = Numbers(op, op.tensor(0))
    count, *dims = require_shape(rows.expr)
    axis = require_axis(op.integer("axis", 0), len(dims) + along_new)
    moved = rows.transposed([*range(1, axis + 1), 0, *range(axis + 1, len(dims) + 1)])
    if along_new:
        return moved.expr
    joined = op.symbols.product([count, dims[axis]])
    return moved.reshaped([*dims[:axis], joined, *dims[axis + 1 :]]).expr


def _elements(op: Operation) -> list[Expr]:
    op.require(
        not op.context.is_in_rows(op.node.inputs[0]),
        "how long its sequence is shows as the model runs",
    )
    sequence = op.tensor(0)
    op.require(isinstance(sequence.ty, relax.TupleType), "its operand is no sequence")
    count = len(sequence.ty.fields)
    return [op.emit(relax.TupleGetItem(sequence, place)) for place in range(count)]


def _place(op: Operation, position: int, length: int, *, ends: bool = False) -> int:
    """Return an index of a sequence from its front; that of its end where none is given."""
    if not op.has(position):
        return length
    numbers = op.numbers(position)
    if numbers is None or numbers.size != 1:
        op.refuse(f"its operand {position} depends on what the model is fed")
    place = int(numbers.item())
    op.require(
        -length <= place < length + ends, f"its index is {place}, and its sequence has {length}"
    )
    return place + length if place < 0 else place
