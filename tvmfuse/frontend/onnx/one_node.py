"""ONNX's converters for other front ends: one operator at a time, without a graph of ONNX's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np
import onnx
from onnx import helper
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.onnx.convert.table import CONVERTERS
from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.values import NotKnownError, Value, concrete
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.ir.types import constant

#: The version of ONNX's operators that is meant where nothing else is said.
OPSET: Final = 22


def convert_one(
    emitter: Emitter,
    name: str,
    operator: str,
    operands: Sequence[Expr | np.ndarray | Value | None],
    *,
    results: int = 1,
    opset: int = OPSET,
    **attributes: Any,
) -> list[Expr | None]:
    """Emit what an ONNX operator computes, as the ONNX front end would.

    All passes match it, and what it asks of sizes is noted.

    Args:
        emitter: Where to.
        name: The operation's in its own model; errors and reports call it so.
        operator: ONNX's name.
        operands: Tensors; numbers that are known, as arrays or values; None where one is absent.
        results: How many results are wanted.
        opset: The version of the operator.
        attributes: ONNX's.

    Returns:
        The results, bound; None where the converter makes none.

    Raises:
        CannotConvertError: It cannot be compiled, and why.
    """
    if operator not in CONVERTERS:
        raise CannotConvertError(f"tvmfuse has no converter for ONNX's {operator}")
    given = {
        f"{name}:{place}": concrete(value) if isinstance(value, np.ndarray) else value
        for place, value in enumerate(operands)
        if value is not None
    }
    names = ["" if value is None else f"{name}:{place}" for place, value in enumerate(operands)]
    wanted = [f"{name}.{place}" for place in range(results)]
    node = Node(name, opset, helper.make_node(operator, names, wanted, name, **attributes))
    converted = CONVERTERS[operator](Operation(node, _Operands(emitter, given)))
    made = [converted] if isinstance(converted, Expr) else converted
    return [None if e is None else emitter.emit(e, [name]) for e in made]


class _Operands:
    """The context of a node that stands alone; see `operation.Context`."""

    def __init__(self, emitter: Emitter, operands: dict[str, Expr | Value]) -> None:
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

    def is_read(self, _name: str) -> bool:
        """Whether a result is read: those that are wanted are."""
        return True

    def inlined(self, _branch: onnx.GraphProto) -> NoReturn:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")

    def block(self, _branch: onnx.GraphProto) -> relax.SeqExpr:
        """Refuse a graph inside the node."""
        raise CannotConvertError("an operator that holds graphs does not stand alone")
