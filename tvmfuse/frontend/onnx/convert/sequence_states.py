"""Sequences that a loop hands from iteration to iteration: each tensor is a state of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation


@dataclass(frozen=True)
class SequenceStates:
    """How many tensors the states of a loop hold.

    Attributes:
        op: The loop.
        counts: For each state the tensors in its sequence; None for a tensor.
    """

    op: Operation
    counts: Sequence[int | None]

    @staticmethod
    def of(op: Operation, states: Sequence[Expr]) -> SequenceStates:
        """Count what a loop begins with."""
        return SequenceStates(op, [_count(state) for state in states])

    def apart(self, states: Sequence[Expr]) -> list[Expr]:
        """Return the tensors in some states.

        Raises:
            CannotConvertError: A sequence does not hold as many as before the loop.
        """
        made: list[Expr] = []
        for place, (count, state) in enumerate(zip(self.counts, states, strict=True)):
            found = _count(state)
            changes = f"{_said(count)} before an iteration, and {_said(found)} after"
            self.op.require(found == count, f"its state {place} is {changes}")
            made += [state] if count is None else self._elements(state, count)
        return made

    def joined(self, tensors: Sequence[Expr]) -> list[Expr]:
        """Return the states that hold some tensors."""
        left: Iterator[Expr] = iter(tensors)
        return [
            next(left) if count is None else relax.Tuple([next(left) for _ in range(count)])
            for count in self.counts
        ]

    def _elements(self, sequence: Expr, count: int) -> list[Expr]:
        items = [relax.TupleGetItem(sequence, place) for place in range(count)]
        return [self.op.emit(item) for item in items]


def _count(state: Expr) -> int | None:
    return len(state.ty.fields) if isinstance(state.ty, relax.TupleType) else None


def _said(count: int | None) -> str:
    return "a tensor" if count is None else f"a sequence of {count}"
