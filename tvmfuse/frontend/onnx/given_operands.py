"""The context of an operation whose operands are handed over, and not found in a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

import onnx
from tvm.ir import Expr

from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.onnx.graph import Graph
from tvmfuse.frontend.onnx.values import Given, NotKnownError, Value
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.ir.types import constant


class GivenOperands:
    """The context of a node that stands alone; see `operation.Context`.

    Args:
        emitter: Where the node is computed.
        operands: Name -> a tensor, or numbers that are known.
    """

    def __init__(self, emitter: Emitter, operands: Mapping[str, Expr | Value]) -> None:
        self.emitter = emitter
        self._operands = operands

    def tensor(self, name: str) -> Expr:
        """Return an operand as a variable or a constant."""
        operand = self._operands[name]
        if not isinstance(operand, Value):
            return operand
        if not operand.is_concrete:
            raise CannotConvertError("its operand is a symbolic dimension, and no tensor")
        return constant(operand.array)

    def value(self, name: str) -> Value:
        """Return an operand's numbers."""
        operand = self._operands[name]
        if not isinstance(operand, Value):
            raise NotKnownError("it is a tensor")
        return operand

    def narrow(self, _name: str) -> None:
        """Return that no operand lies in bytes: nobody gives one that does."""

    def is_in_rows(self, _name: str) -> bool:
        """Return that no operand is a sequence."""
        return False

    def is_read(self, _name: str) -> bool:
        """Whether a result is read: those that are wanted are."""
        return True

    def graph_of(self, _branch: onnx.GraphProto) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def inlined(self, _graph: Graph) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def chosen(self, *_choice: object) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def fits(self, _body: onnx.GraphProto, _count: int) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def decides(self, _body: onnx.GraphProto, _given: Sequence[Given]) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def iteration(self, _body: onnx.GraphProto, _given: Sequence[Given]) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def repeated(self, _body: onnx.GraphProto, _given: Sequence[Expr]) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")
