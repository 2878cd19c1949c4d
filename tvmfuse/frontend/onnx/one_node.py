"""ONNX's converters for other front ends: one operator at a time, without a graph of ONNX's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from onnx import helper
from tvm.ir import Expr

from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.onnx.convert.table import CONVERTERS
from tvmfuse.frontend.onnx.given_operands import GivenOperands
from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.values import Value, concrete
from tvmfuse.frontend.refusals import CannotConvertError

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
    converted = CONVERTERS[operator](Operation(node, GivenOperands(emitter, given)))
    made = [converted] if isinstance(converted, Expr) else converted
    return [None if e is None else emitter.emit(e, [name]) for e in made]
