"""Loop and Scan whose number of iterations shows as the model runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.appended import appended
from tvmfuse.frontend.onnx.convert.broadcast import with_dim
from tvmfuse.frontend.onnx.convert.repeated import Iteration, repeated
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import measured
from tvmfuse.frontend.onnx.convert.sequence_states import SequenceStates
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.values import Given
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import constant


def tensor(given: Given) -> Expr:
    """Return what is given as a tensor."""
    return constant(given) if isinstance(given, np.ndarray) else given


def as_declared(number: np.ndarray, declared: onnx.ValueInfoProto) -> np.ndarray:
    """Return a number as a body declares it: a scalar, or a vector of one element."""
    return number.reshape([1] * len(declared.type.tensor_type.shape.dim))


def loop(op: Operation, body: onnx.GraphProto, states: Sequence[Given]) -> list[Expr]:
    """Convert Loop; a sequence that it only appends to is returned in rows."""
    for position in range(2, len(op)):
        op.require(
            not op.context.is_in_rows(op.node.inputs[position]),
            f"its state {position - 2} is a sequence whose length shows as the model runs",
        )
    kept = appended(body, states)
    body, states = kept.body, kept.states
    first = [*map(tensor, states)]
    held = SequenceStates.of(op, first)
    count = _one(op, 0, "its number of iterations").astype(INT64) if op.has(0) else None
    goes_on = (
        _one(op, 1, "its condition") if op.has(1) else Numbers(op, constant(np.ones((), bool)))
    )
    most: Dim | None = None
    if count is not None:
        goes_on = goes_on & (count > 0)
        if len(body.output) > 1 + len(states) and goes_on_always(op, body, states):
            [most] = measured((goes_on.astype(INT64) * count).reshaped([1]))

    def iterate(number: Numbers, carried: Sequence[Expr]) -> Iteration:
        rank = len(body.input[0].type.tensor_type.shape.dim)
        true = constant(as_declared(np.ones((), bool), body.input[1]))
        place = number.reshaped([1] * rank) if rank else number
        outputs = op.context.repeated(body, [place.expr, true, *held.joined(carried)])
        after = _scalar(op, outputs[0])
        if count is not None:
            after = after & (number + 1 < count)
        after_it = held.apart(outputs[1 : 1 + len(states)])
        return Iteration(after, after_it, outputs[1 + len(states) :])

    done = repeated(op, goes_on, held.apart(first), iterate, most)
    results = held.joined(done.states)
    if not done.rows:
        return results
    [steps] = measured(done.count.reshaped([1])) if most is None else [most]
    stacks = [_stacked(op, rows, steps) for rows in done.rows]
    own = len(stacks) - len(kept.places)
    for place, rows in zip(kept.places, stacks[own:], strict=True):
        results.insert(place, rows)
    op.in_rows = frozenset(kept.places)
    return [*results, *stacks[:own]]


def _one(op: Operation, position: int, what: str) -> Numbers:
    """Return an operand that is one number."""
    number = op.tensor(position)
    single = all(isinstance(d, int) and d == 1 for d in require_shape(number))
    op.require(single, f"{what} is no single number")
    return _scalar(op, number)


def _scalar(op: Operation, number: Expr) -> Numbers:
    """Return one number in the shape ()."""
    numbers = Numbers(op, number)
    return numbers.reshaped([]) if require_rank(number) else numbers


def goes_on_always(op: Operation, body: onnx.GraphProto, states: Sequence[Given]) -> bool:
    """Whether it is the number of iterations alone that ends a loop."""
    true = as_declared(np.ones((), bool), body.input[1])
    counter = as_declared(np.zeros((), "int64"), body.input[0])
    return op.context.decides(body, [tensor(counter), true, *map(tensor, states)]) or False


@dataclass(frozen=True)
class Scanning:
    """How a Scan goes through its sequences.

    Attributes:
        body: What it does in a step.
        axes: Of each sequence, along which it is read.
        backwards: Whether it is read from its end.
        output_axes: Of each scan output, along which it is written.
        outputs_backwards: Whether it is written from its end.
    """

    body: onnx.GraphProto
    axes: Sequence[int]
    backwards: Sequence[bool]
    output_axes: Sequence[int]
    outputs_backwards: Sequence[bool]

    @staticmethod
    def of(op: Operation, states: int, sequences: Sequence[Given]) -> Scanning:
        """Read the attributes."""
        body: onnx.GraphProto = op.attribute("body")
        scans, count = len(body.output) - states, len(sequences)
        op.require(count and scans >= 0, f"it has {count} sequences, and its body {scans} outputs")
        axes = op.integers("scan_input_axes") or [0] * count
        directions = "scan_input_directions" if op.opset >= 9 else "directions"
        return Scanning(
            body,
            [require_axis(a, _rank(s)) for a, s in zip(axes, sequences, strict=True)],
            [bool(d) for d in op.integers(directions) or [0] * count],
            op.integers("scan_output_axes") or [0] * scans,
            [bool(d) for d in op.integers("scan_output_directions") or [0] * scans],
        )


def scan(
    op: Operation, scanning: Scanning, states: Sequence[Given], sequences: Sequence[Given]
) -> list[Expr]:
    """Convert Scan; that its sequences are of one length is checked."""
    read = [*map(tensor, sequences)]
    steps = require_shape(read[0])[scanning.axes[0]]
    read = [with_dim(op, s, axis, steps) for s, axis in zip(read, scanning.axes, strict=True)]
    count = sizes_of(op, [steps]).reshaped([])

    def iterate(number: Numbers, carried: Sequence[Expr]) -> Iteration:
        along = zip(read, scanning.axes, scanning.backwards, strict=True)
        elements = [
            _element(op, sequence, axis, count - number - 1 if backwards else number)
            for sequence, axis, backwards in along
        ]
        outputs = op.context.repeated(scanning.body, [*carried, *elements])
        return Iteration(number + 1 < count, outputs[: len(states)], outputs[len(states) :])

    done = repeated(op, count > 0, [*map(tensor, states)], iterate, steps)
    stacks = [
        _stacked(op, rows, steps, axis, backwards=backwards)
        for rows, axis, backwards in zip(
            done.rows, scanning.output_axes, scanning.outputs_backwards, strict=True
        )
    ]
    return [*done.states, *stacks]


def _element(op: Operation, sequence: Expr, axis: int, place: Numbers) -> Expr:
    return op.emit(relax.op.take(sequence, place.expr, axis, mode="clip"))


def _stacked(
    op: Operation, rows: Expr, steps: Dim, axis: int = 0, *, backwards: bool = False
) -> Expr:
    """Return a scan output: the rows that were written, along an axis."""
    rank, made = require_rank(rows), rows
    if not op.symbols.equal(require_shape(rows)[0], steps):
        made = op.emit(relax.op.strided_slice(rows, [0], [0], [steps], assume_inbound=True))
    if backwards:
        made = op.emit(relax.op.flip(made, 0))
    axis = require_axis(axis, rank)
    order = [*range(1, axis + 1), 0, *range(axis + 1, rank)]
    return relax.op.permute_dims(made, order) if axis else made


def _rank(given: Given) -> int:
    return given.ndim if isinstance(given, np.ndarray) else require_rank(given)
