"""Loop and Scan: where the number of iterations is known, they are written out.

What is known of a value is then known in the next iteration, too, so that a condition which counts
is decided here, and a value may change its shape. Other loops are `looping`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import looping
from tvmfuse.frontend.onnx.dims import DTYPES
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.onnx.values import Given, TooManyNodesError
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.ir.types import constant
from tvmfuse.ops import identity

TRUE: Final = np.ones((), "bool")

SHORT: Final = 1_000
"""Nodes of a Scan that is written out. Its states keep their shapes: longer, a loop computes the
same, in a tenth of the time to compile and half of that to run (`docs/decisions/0048-loops.md`)."""


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
        outputs = self.op.context.iteration(self.body, [*first, *self.states, *rest])
        count = len(self.states)
        self.states = outputs[skip : skip + count]
        for made, output in zip(self.made, outputs[skip + count :], strict=True):
            made.append(looping.tensor(output))
        return outputs[0]

    def results(self) -> list[Expr]:
        """Return the last states, and the scan outputs."""
        return [
            *(_fresh(looping.tensor(s)) for s in self.states),
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
    states = [op.given(i) for i in range(2, len(op))]
    scans = len(body.output) - 1 - len(states)
    op.require(scans >= 0, f"its body gives {len(body.output)} values")
    takes = 2 + len(states)
    op.require(
        takes == len(body.input), f"its body takes {len(body.input)} values, and is given {takes}"
    )
    if _is_decided(op, body, states):
        with suppress(TooManyNodesError):
            return _written_out(op, body, states, scans)
    return looping.loop(op, body, states)


def _is_decided(op: Operation, body: onnx.GraphProto, states: Sequence[Given]) -> bool:
    """Whether it is known how often a loop runs, as far as can be told before it is tried."""
    if any(op.has(i) and op.numbers(i) is None for i in (0, 1)):
        return False
    true = looping.as_declared(TRUE, body.input[1])
    counter = looping.as_declared(np.zeros((), "int64"), body.input[0])
    count = _number(op, 0, "its number of iterations")
    # Nothing but a condition that counts makes it shorter.
    too_long = count is not None and not op.context.fits(body, int(count))
    if too_long and looping.goes_on_always(op, body, states):
        return False
    return op.context.decides(body, [counter, true, *states]) is not None


def _written_out(
    op: Operation, body: onnx.GraphProto, states: list[Given], scans: int
) -> list[Expr]:
    """Return the results of a loop of known length.

    Raises:
        TooManyNodesError: It is too long, or a later iteration decides whether it goes on.
    """
    count, goes_on = _number(op, 0, "its number of iterations"), _number(op, 1, "its condition")
    going: Given | None = goes_on
    run = _Run(op, body, states, [[] for _ in range(scans)], [0] * scans, [False] * scans)
    number = 0
    while (count is None or number < int(count)) and (going is None or bool(going)):
        counter = looping.as_declared(np.array(number, "int64"), body.input[0])
        after = run.iterate([counter, looping.as_declared(TRUE, body.input[1])], [], skip=1)
        if not isinstance(after, np.ndarray) or after.size != 1:
            raise TooManyNodesError("whether it goes on shows as the model runs")
        going, number = after, number + 1
    return run.results()


def _number(op: Operation, position: int, what: str) -> np.ndarray | None:
    """Return an operand that is one known number; None where it is absent."""
    numbers = op.numbers(position) if op.has(position) else None
    if numbers is None:
        return None
    op.require(numbers.size == 1, f"{what} is no single number")
    return numbers.reshape(())


def scan(op: Operation) -> list[Expr]:
    """Convert Scan: since opset 9 without, before with a batch."""
    count = op.integer("num_scan_inputs", 0)
    operands = range(1 if op.opset < 9 else 0, len(op))
    given = [op.given(i) for i in operands]
    states, sequences = given[: len(given) - count], given[len(given) - count :]
    body: onnx.GraphProto = op.attribute("body")
    op.require(
        len(given) == len(body.input),
        f"its body takes {len(body.input)} values, and is given {len(given)}",
    )
    if op.opset >= 9:
        return _scanned(op, states, sequences)
    op.require(not op.has(0), "lengths of sequences are not compiled")
    runs = [
        _scanned(op, [_at(op, s, 0, b) for s in states], [_at(op, s, 0, b) for s in sequences])
        for b in range(_batch(op, sequences[0]))
    ]
    op.require(runs, "it has no batch")
    columns = zip(*runs, strict=True)
    return [_batched(op, [op.emit(result) for result in column]) for column in columns]


def _batched(op: Operation, results: Sequence[Expr]) -> Expr:
    each = [op.emit(relax.op.expand_dims(result, [0])) for result in results]
    return relax.op.concat(each, 0) if len(each) > 1 else each[0]


def _scanned(op: Operation, states: list[Given], sequences: Sequence[Given]) -> list[Expr]:
    """Return the results of a Scan, of which a step takes an element of each sequence."""
    scan_ = looping.Scanning.of(op, len(states), sequences)
    lengths = [_shape(s)[axis] for s, axis in zip(sequences, scan_.axes, strict=True)]
    length = lengths[0]
    if all(isinstance(d, int) for d in lengths):
        op.require(len({*lengths}) == 1, f"its sequences have {lengths} steps")
    if isinstance(length, int) and _is_short(op, scan_.body, length):
        return _steps(op, scan_, states, sequences, length)
    return looping.scan(op, scan_, states, sequences)


def _is_short(op: Operation, body: onnx.GraphProto, length: int) -> bool:
    return length * len(body.node) <= SHORT and op.context.fits(body, length)


def _steps(
    op: Operation,
    scan_: looping.Scanning,
    states: list[Given],
    sequences: Sequence[Given],
    length: int,
) -> list[Expr]:
    """Return the results of a Scan of known length, written out."""
    made: list[list[Expr]] = [[] for _ in scan_.output_axes]
    run = _Run(op, scan_.body, states, made, scan_.output_axes, scan_.outputs_backwards)
    for step in range(length):
        elements = [
            _at(op, sequence, axis, length - 1 - step if last_first else step)
            for sequence, axis, last_first in zip(
                sequences, scan_.axes, scan_.backwards, strict=True
            )
        ]
        run.iterate([], elements)
    return run.results()


def _shape(given: Given) -> Sequence[object]:
    return given.shape if isinstance(given, np.ndarray) else require_shape(given)


def _batch(op: Operation, given: Given) -> int:
    size = _shape(given)[0]
    if not isinstance(size, int):
        op.refuse(f"its batch is {size}, and has to be a fixed number")
    return size


def _at(op: Operation, given: Given, axis: int, index: int) -> Given:
    """Return the elements at one index of an axis, which they then no longer have."""
    if isinstance(given, np.ndarray):
        return np.ascontiguousarray(np.take(given, index, axis))
    one = op.emit(relax.op.strided_slice(given, [axis], [index], [index + 1]))
    return op.emit(relax.op.squeeze(one, [axis]))


def _fresh(result: Expr) -> Expr:
    """Return a tensor of its own: a state may be an input, or another result."""
    return identity(result) if isinstance(result.ty, relax.TensorType) else result
