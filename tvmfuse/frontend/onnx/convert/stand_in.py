"""Operators that mean what an ONNX operator means: they are converted as that one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import onnx
from onnx import helper
from tvm.ir import Expr

from tvmfuse.frontend.onnx.given_operands import GivenOperands
from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.values import Value

Converter = Callable[[Operation], Expr | Sequence[Expr | None]]

OPSET: Final = 22
"""The version of ONNX's operators that is meant."""


def same_as(convert: Converter, operator: str = "", *, opset: int = OPSET) -> Converter:
    """Return the converter of an operator that is ONNX's, but for its domain.

    Args:
        convert: ONNX's converter.
        operator: ONNX's name, where it is another one.
        opset: The version of it.
    """

    def converted(op: Operation) -> Expr | Sequence[Expr | None]:
        proto = onnx.NodeProto()
        proto.CopyFrom(op.node.proto)
        proto.domain, proto.op_type = "", operator or proto.op_type
        inner = Operation(Node(op.name, opset, proto), op.context)
        result = convert(inner)
        op.result_type = inner.result_type
        return result

    return converted


def computed_by(
    op: Operation,
    convert: Converter,
    operator: str,
    *operands: Expr | Value | None,
    opset: int = OPSET,
    **attributes: Any,
) -> Expr:
    """Return the only result of an ONNX operator; see `all_computed_by`."""
    [result] = all_computed_by(op, convert, operator, *operands, count=1, opset=opset, **attributes)
    assert result is not None
    return result


def all_computed_by(
    op: Operation,
    convert: Converter,
    operator: str,
    *operands: Expr | Value | None,
    count: int,
    opset: int = OPSET,
    **attributes: Any,
) -> list[Expr | None]:
    """Return the results of an ONNX operator, emitted for an operation.

    Args:
        op: For whose sake.
        convert: ONNX's converter.
        operator: ONNX's name.
        operands: Tensors, or numbers that are known; None where one is absent.
        count: How many results are wanted, the first ones.
        opset: The version of it.
        attributes: ONNX's.
    """
    given = {str(place): value for place, value in enumerate(operands) if value is not None}
    names = ["" if value is None else str(place) for place, value in enumerate(operands)]
    results = [f"result {place}" for place in range(count)]
    proto = helper.make_node(operator, names, results, op.name, **attributes)
    context = GivenOperands(op.context.emitter, given)
    converted = convert(Operation(Node(op.name, opset, proto), context))
    made = [converted] if isinstance(converted, Expr) else converted
    return [None if expr is None else op.emit(expr) for expr in made[:count]]
