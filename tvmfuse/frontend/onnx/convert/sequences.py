"""Sequences and optional tensors whose make-up is known: a sequence is a tuple of tensors.

Its length is known, and its elements may have different shapes. An optional tensor that is there is
the tensor.
"""

from __future__ import annotations

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import (
    require_axis,
    require_rank,
    require_shape,
    require_static_shape,
)
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
    elements = _elements(op)
    elements.insert(_place(op, 2, len(elements), ends=True), op.tensor(1))
    return relax.Tuple(elements)


def sequence_erase(op: Operation) -> Expr:
    """Convert SequenceErase."""
    elements = _elements(op)
    del elements[_place(op, 1, len(elements))]
    return relax.Tuple(elements)


def sequence_at(op: Operation) -> Expr:
    """Convert SequenceAt."""
    elements = _elements(op)
    return elements[_place(op, 1, len(elements))]


def sequence_length(op: Operation) -> Expr:
    """Convert SequenceLength."""
    return constant(np.array(len(_elements(op)), "int64"))


def concat_from_sequence(op: Operation) -> Expr:
    """Convert ConcatFromSequence."""
    elements, along_new = _elements(op), op.flag("new_axis")
    op.require(elements, "its sequence has no elements")
    axis = require_axis(op.integer("axis", 0), require_rank(elements[0]) + along_new)
    if along_new:
        elements = [op.emit(relax.op.expand_dims(element, [axis])) for element in elements]
    return relax.op.concat(elements, axis) if len(elements) > 1 else elements[0]


def split_to_sequence(op: Operation) -> Expr:
    """Convert SplitToSequence: into elements of one size, or of the sizes given."""
    x = op.tensor(0)
    axis = require_axis(op.integer("axis", 0), require_rank(x))
    split = op.value(1).array if op.has(1) else np.ones((), "int64")
    keeps = op.has(1) or op.flag("keepdims", default=True)
    if split.ndim:
        sizes = [int(size) for size in op.known_integers(1)]
        op.require(
            op.same(require_shape(x)[axis], sum(sizes)), f"its split {sizes} may not be all of it"
        )
    else:
        [length] = require_static_shape(x, "what it splits", [axis])
        each = int(split)
        op.require(each > 0, f"its split is {each}")
        sizes = [min(each, length - begin) for begin in range(0, length, each)]
    ends = np.cumsum(sizes).tolist()
    parts = [
        op.emit(relax.op.strided_slice(x, [axis], [end - size], [end]))
        for size, end in zip(sizes, ends, strict=True)
    ]
    return relax.Tuple(
        parts if keeps else [op.emit(relax.op.squeeze(part, [axis])) for part in parts]
    )


def optional(op: Operation) -> Expr:
    """Convert Optional with an element."""
    op.require(op.has(0), "an optional tensor that is absent is not compiled")
    return op.tensor(0)


def optional_get_element(op: Operation) -> Expr:
    """Convert OptionalGetElement: an absent one has been refused before."""
    return op.tensor(0)


def optional_has_element(op: Operation) -> Expr:
    """Convert OptionalHasElement."""
    return constant(np.array(op.has(0)))


def _elements(op: Operation) -> list[Expr]:
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
