"""Loops whose number of iterations shows as the model runs: one iteration is a function.

States are handed from one iteration to the next, each with its own shape: a dimension that changes
is a symbol of the function's own. The elements of a scan output are rows of a buffer, which has as
many as there are iterations where that is known before they begin; else it begins without rows and
doubles when it is full. The function returns whether it is to run again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import numpy as np
from tvm import relax, tirx
from tvm.ir import Expr, Type
from tvm.relax import Var

from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.provenance import span_of
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops import loop, new_rows, put_row

#: Rows that a buffer has beside twice those before.
MORE_ROWS: Final = 16


@dataclass(frozen=True)
class Iteration:
    """What one iteration computes.

    Attributes:
        goes_on: Whether there is another one, a bool of shape ().
        states: The next ones.
        elements: One of each scan output.
    """

    goes_on: Numbers
    states: Sequence[Expr]
    elements: Sequence[Expr]


Iterate: TypeAlias = Callable[[Numbers, Sequence[Expr]], Iteration]
"""Emits an iteration: given its number, int64 of shape (), and the states."""


@dataclass(frozen=True)
class Repeated:
    """What a loop has computed in the end.

    Attributes:
        count: How many iterations there were, int64 of shape ().
        states: The last ones.
        rows: For each scan output a buffer of shape (at least `count`, ...).
    """

    count: Numbers
    states: Sequence[Expr]
    rows: Sequence[Expr]


def repeated(
    op: Operation,
    goes_on: Numbers,
    states: Sequence[Expr],
    iterate: Iterate,
    most: Dim | None = None,
) -> Repeated:
    """Emit a loop.

    Args:
        op: For whose sake.
        goes_on: Whether there is a first iteration, a bool of shape ().
        states: What it begins with.
        iterate: Called as often as it takes to know which dimensions change.
        most: How many iterations there are at most; None where that is not known.

    Raises:
        CannotConvertError: A state changes its rank or its dtype.
    """
    loop_ = _Loop(op, states, iterate, most)
    while not loop_.converted():
        pass
    return loop_.run(goes_on)


class _Loop:
    """A loop on its way.

    Attributes:
        dims: Of each state, as an iteration finds it.
        changing: The axes of each state that change.
        around: The sizes that are known where the loop stands.
    """

    def __init__(
        self, op: Operation, states: Sequence[Expr], iterate: Iterate, most: Dim | None
    ) -> None:
        self.op = op
        self.initial = states
        self.iterate = iterate
        self.most = most
        self.dims = [require_shape(state) for state in states]
        self.changing: list[set[int]] = [set() for _ in states]
        self.around = {str(symbol.name) for symbol in op.symbols.all}

    def converted(self) -> bool:
        """Emit the function; return whether what it returns fits what it takes."""
        self.goes_on = Var("goes_on", relax.TensorType([], "bool"))
        self.number = Var("number", relax.TensorType([], INT64))
        self.states = [
            Var(f"state{place}", relax.TensorType(dims, dtype_of(state)))
            for place, (state, dims) in enumerate(zip(self.initial, self.dims, strict=True))
        ]
        self.buffers: list[Var] = []
        self.results: list[Expr] = []
        self.params = [self.goes_on, self.number, *self.states]
        self.function, self.captured = self.op.context.emitter.function(
            "loop_body", self.params, self._emitted
        )
        made = [self._changes(place, state) for place, state in enumerate(self.results)]
        return not any(made)

    def _emitted(self) -> list[Expr]:
        """Emit one iteration; return what it hands to the next."""
        number = Numbers(self.op, self.number)
        made = self.iterate(number, self.states)
        self.results = [*made.states]
        rows = [self._put(place, element) for place, element in enumerate(made.elements)]
        self.params += self.buffers
        return [made.goes_on.expr, (number + 1).expr, *made.states, *rows]

    def _changes(self, place: int, result: Expr) -> bool:
        """Give a symbol to each dimension that a state changes; return whether there is a new one.

        Raises:
            CannotConvertError: It changes something else.
        """
        before, op = self.states[place], self.op
        tensor = isinstance(result.ty, relax.TensorType)
        same = tensor and str(_of_rank(before)) == str(_of_rank(result))
        op.require(
            same, f"its state {place} is {before.ty} before an iteration, and {result.ty} after"
        )
        new = [
            axis
            for axis, (a, b) in enumerate(zip(self.dims[place], require_shape(result), strict=True))
            if axis not in self.changing[place] and not op.symbols.equal(a, b)
        ]
        for axis in new:
            self.dims[place][axis] = op.symbols.fresh(f"{op.node.name}_state{place}_{axis}")
        self.changing[place].update(new)
        return bool(new)

    def _put(self, place: int, element: Expr) -> Expr:
        """Put an element behind those that a buffer holds; return the buffer."""
        op = self.op
        op.require(isinstance(element.ty, relax.TensorType), f"its output {place} is a sequence")
        dims = require_shape(element)
        if self.most is not None and all(map(self._is_around, [self.most, *dims])):
            buffer = Var(f"rows{place}", relax.TensorType([self.most, *dims], dtype_of(element)))
            self.buffers.append(buffer)
            row = op.emit(relax.op.expand_dims(element, [0]))
            return op.emit(put_row(row, self.number, buffer))
        capacity = op.symbols.fresh(f"{op.node.name}_rows")
        held = [d if self._is_around(d) else op.symbols.fresh(f"{op.node.name}_of") for d in dims]
        buffer = Var(f"rows{place}", relax.TensorType([capacity, *held], dtype_of(element)))
        self.buffers.append(buffer)
        rows = buffer if all(map(self._is_around, dims)) else self._fitted(buffer, dims)
        full = sizes_of(op, [capacity]).reshaped([]).equals(Numbers(op, self.number))
        block = op.context.emitter.block
        grown = block(partial(self._grown, rows))
        room = op.emit(relax.If(full.expr, grown, block(lambda: [rows]), span=span_of([op.name])))
        row = op.emit(relax.op.expand_dims(element, [0]))
        return op.emit(put_row(row, self.number, room))

    def _fitted(self, buffer: Var, dims: Sequence[Dim]) -> Expr:
        """Return a buffer for rows of sizes that show inside; all but the first are of one size."""
        op = self.op
        capacity, *held = require_shape(buffer)
        same = sizes_of(op, held).equals(sizes_of(op, dims))
        ensure(same | Numbers(op, self.number).equals(0), "all iterations give the same sizes")
        return op.emit(in_shape(buffer, [capacity, *dims]))

    def _grown(self, buffer: Expr) -> list[Expr]:
        capacity, *dims = require_shape(buffer)
        more = relax.op.zeros([capacity + MORE_ROWS, *dims], dtype_of(buffer))
        return [self.op.emit(relax.op.concat([buffer, self.op.emit(more)], 0))]

    def _is_around(self, dim: Dim) -> bool:
        if isinstance(dim, int):
            return True
        return {str(symbol.name) for symbol in tirx.analysis.undefined_vars(dim)} <= self.around

    def run(self, goes_on: Numbers) -> Repeated:
        """Emit the loop where it stands."""
        op = self.op
        first = constant(np.zeros((), INT64))
        carried = [goes_on.expr, first, *self.initial, *map(self._begun, self.buffers)]
        types = [self.goes_on.ty, self.number.ty, *map(self._type, range(len(self.states)))]
        types += [b.ty if self._is_whole(b) else _of_rank(b) for b in self.buffers]
        result = op.emit(loop(self.function, carried, self.captured, relax.TupleType(types)))
        _, number, *rest = [
            op.emit(relax.TupleGetItem(result, place)) for place in range(len(types))
        ]
        count = len(self.states)
        states = [self._last(place, state) for place, state in enumerate(rest[:count])]
        rows = [self._rows(*pair) for pair in zip(self.buffers, rest[count:], strict=True)]
        return Repeated(Numbers(op, number), states, rows)

    def _is_whole(self, buffer: Expr) -> bool:
        """Whether a buffer has its rows from the beginning."""
        return all(map(self._is_around, require_shape(buffer)))

    def _begun(self, buffer: Var) -> Expr:
        """Return what a buffer is at first: without rows, or with all of them."""
        if self._is_whole(buffer):
            return self.op.emit(new_rows(require_shape(buffer), dtype_of(buffer)))
        dims = [d if self._is_around(d) else 0 for d in require_shape(buffer)]
        if all(isinstance(d, int) for d in dims):
            return constant(np.zeros(dims, dtype_of(buffer)))
        return self.op.emit(relax.op.zeros(dims, dtype_of(buffer)))

    def _type(self, place: int) -> Type:
        return _of_rank(self.states[place]) if self.changing[place] else self.states[place].ty

    def _last(self, place: int, state: Expr) -> Expr:
        """Return a state with those of its dimensions that do not change."""
        changing = self.changing[place]
        if not changing:
            return state
        found = enumerate(zip(require_shape(state), self.dims[place], strict=True))
        dims = [own if axis in changing else known for axis, (own, known) in found]
        return self.op.emit(in_shape(state, dims))

    def _rows(self, before: Var, buffer: Expr) -> Expr:
        """Return a buffer whose rows have the shape that they have in each iteration."""
        pairs = zip(require_shape(buffer), require_shape(before), strict=True)
        dims = [known if self._is_around(known) else own for own, known in pairs]
        return self.op.emit(in_shape(buffer, dims))


def _of_rank(tensor: Expr) -> Type:
    return relax.TensorType(dtype=dtype_of(tensor), ndim=require_rank(tensor))
