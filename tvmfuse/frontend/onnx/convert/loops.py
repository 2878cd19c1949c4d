"""Loop and Scan whose number of iterations is known: their iterations, one after the other.

What is known of a value is known in the next iteration, too, so that a condition which counts is
decided here, and a value may change its shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.dims import DTYPES
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.onnx.values import Given
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.ir.types import constant
from tvmfuse.ops import identity


@dataclass
class _Run:
    """A loop on its way.

    Attributes:
        op: The node.
        body: The graph inside it.
        states: What is handed from iteration to iteration.
        made: What the iterations have given so far, by scan output.
        axes: Along which a scan output's elements lie.
        backwards: Whether a scan output's last element comes first.
    """

    op: Operation
    body: onnx.GraphProto
    states: list[Given]
    made: list[list[Expr]]
    axes: Sequence[int]
    backwards: Sequence[bool]

    def iterate(self, first: Sequence[Given], rest: Sequence[Given], *, skip: int = 0) -> Given:
        """Add an iteration; return the first output of its body.

        Args:
            first: Inputs of the body before the states.
            rest: Those after them.
            skip: Outputs of the body before the states.
        """
        given = [*first, *self.states, *rest]
        self.op.require(
            len(given) == len(self.body.input),
            f"its body takes {len(self.body.input)} values, and is given {len(given)}",
        )
        outputs = self.op.context.iteration(self.body, given)
        count = len(self.states)
        self.states = outputs[skip : skip + count]
        for made, output in zip(self.made, outputs[skip + count :], strict=True):
            made.append(_tensor(output))
        return outputs[0]

    def results(self) -> list[Expr]:
        """Return the last states, and the scan outputs."""
        return [
            *(_fresh(_tensor(s)) for s in self.states),
            *map(self._stacked, range(len(self.made))),
        ]

    def _stacked(self, place: int) -> Expr:
        parts, op = self.made[place], self.op
        if not parts:
            return self._nothing(place)
        axis = require_axis(self.axes[place], require_rank(parts[0]) + 1)
        ordered = parts[::-1] if self.backwards[place] else parts
        each = [op.emit(relax.op.expand_dims(part, [axis])) for part in ordered]
        return relax.op.concat(each, axis) if len(each) > 1 else _fresh(each[0])

    def _nothing(self, place: int) -> Expr:
        """Return a scan output of no elements, as the body declares it."""
        declared = self.body.output[len(self.body.output) - len(self.made) + place]
        ty = declared.type.tensor_type
        dims = [d.dim_value for d in ty.shape.dim]
        known = ty.HasField("shape") and all(d.HasField("dim_value") for d in ty.shape.dim)
        dtype = dtype_name(ty.elem_type)
        self.op.require(
            known and dtype in DTYPES,
            f"it has no iterations, and the type of {declared.name!r} is not declared",
        )
        axis = require_axis(self.axes[place], len(dims) + 1)
        return constant(np.zeros([*dims[:axis], 0, *dims[axis:]], dtype))


def loop(op: Operation) -> list[Expr]:
    """Convert Loop."""
    body: onnx.GraphProto = op.attribute("body")
    count = _number(op, 0, "its number of iterations")
    goes_on: Given | None = _number(op, 1, "its condition")
    states = [op.given(i) for i in range(2, len(op))]
    scans = len(body.output) - 1 - len(states)
    op.require(scans >= 0, f"its body gives {len(body.output)} values")
    run = _Run(op, body, states, [[] for _ in range(scans)], [0] * scans, [False] * scans)
    number = 0
    while (count is None or number < int(count)) and (goes_on is None or bool(goes_on)):
        counter = _shaped(np.array(number, "int64"), body.input[0])
        condition = _shaped(np.ones((), "bool"), body.input[1])
        after = run.iterate([counter, condition], [], skip=1)
        op.require(
            isinstance(after, np.ndarray) and after.size == 1,
            "whether it goes on depends on what the model is fed, which is not compiled",
        )
        goes_on, number = after, number + 1
    return run.results()


def _number(op: Operation, position: int, what: str) -> np.ndarray | None:
    """Return an operand that has to be one known number; None where it is absent."""
    if not op.has(position):
        return None
    numbers = op.numbers(position)
    if numbers is None:
        op.refuse(f"{what} depends on what the model is fed, which is not compiled")
    op.require(numbers.size == 1, f"{what} is no single number")
    return numbers.reshape(())


def _shaped(number: np.ndarray, declared: onnx.ValueInfoProto) -> np.ndarray:
    """Return a number as a body declares it: a scalar, or a vector of one element."""
    return number.reshape([1] * len(declared.type.tensor_type.shape.dim))


def scan(op: Operation) -> list[Expr]:
    """Convert Scan: since opset 9 without, before with a batch."""
    count = op.integer("num_scan_inputs", 0)
    operands = range(1 if op.opset < 9 else 0, len(op))
    given = [op.given(i) for i in operands]
    states, sequences = given[: len(given) - count], given[len(given) - count :]
    if op.opset >= 9:
        return _scanned(op, states, sequences).results()
    op.require(not op.has(0), "lengths of sequences are not compiled")
    runs = [
        _scanned(op, [_at(op, s, 0, b) for s in states], [_at(op, s, 0, b) for s in sequences])
        for b in range(_length(op, sequences[0], 0, "its batch"))
    ]
    op.require(runs, "it has no batch")
    columns = zip(*(run.results() for run in runs), strict=True)
    return [_batched(op, [op.emit(result) for result in column]) for column in columns]


def _batched(op: Operation, results: Sequence[Expr]) -> Expr:
    each = [op.emit(relax.op.expand_dims(result, [0])) for result in results]
    return relax.op.concat(each, 0) if len(each) > 1 else each[0]


def _scanned(op: Operation, states: list[Given], sequences: Sequence[Given]) -> _Run:
    """Return a Scan, of which a step takes an element of each sequence."""
    body: onnx.GraphProto = op.attribute("body")
    scans = len(body.output) - len(states)
    given = op.integers("scan_input_axes") or [0] * len(sequences)
    axes = [require_axis(a, _rank(s)) for a, s in zip(given, sequences, strict=True)]
    directions = "scan_input_directions" if op.opset >= 9 else "directions"
    backwards = op.integers(directions) or [0] * len(sequences)
    lengths = [
        _length(op, s, axis, "its number of steps") for s, axis in zip(sequences, axes, strict=True)
    ]
    op.require(len({*lengths}) == 1, f"its sequences have {lengths} steps")
    run = _Run(
        op,
        body,
        states,
        [[] for _ in range(scans)],
        op.integers("scan_output_axes") or [0] * scans,
        [bool(d) for d in op.integers("scan_output_directions") or [0] * scans],
    )
    for step in range(lengths[0]):
        elements = [
            _at(op, sequence, axis, lengths[0] - 1 - step if last_first else step)
            for sequence, axis, last_first in zip(sequences, axes, backwards, strict=True)
        ]
        run.iterate([], elements)
    return run


def _rank(given: Given) -> int:
    return given.ndim if isinstance(given, np.ndarray) else require_rank(given)


def _length(op: Operation, given: Given, axis: int, what: str) -> int:
    length = given.shape[axis] if isinstance(given, np.ndarray) else require_shape(given)[axis]
    if not isinstance(length, int):
        op.refuse(f"{what} is {length}, and has to be a fixed number: loops are not compiled")
    return length


def _at(op: Operation, given: Given, axis: int, index: int) -> Given:
    """Return the elements at one index of an axis, which they then no longer have."""
    if isinstance(given, np.ndarray):
        return np.ascontiguousarray(np.take(given, index, axis))
    one = op.emit(relax.op.strided_slice(given, [axis], [index], [index + 1]))
    return op.emit(relax.op.squeeze(one, [axis]))


def _tensor(given: Given) -> Expr:
    return constant(given) if isinstance(given, np.ndarray) else given


def _fresh(result: Expr) -> Expr:
    """Return a tensor of its own: a state may be an input, or another result."""
    return identity(result) if isinstance(result.ty, relax.TensorType) else result
