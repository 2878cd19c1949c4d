"""Which values hold elements of `narrow_types`: their tensors hold bytes, and do not say so.

A node that would compute with these bytes as numbers is refused: what is known of a value is never
lost on the way.
"""

from __future__ import annotations

from typing import Final

from onnx import helper

from tvmfuse.arrays import numpy_dtype
from tvmfuse.frontend.onnx.graph import Graph
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.narrow_types import STORAGE

NUMBERS: Final = {
    int(helper.np_dtype_to_tensor_dtype(numpy_dtype(dtype))): dtype for dtype in STORAGE
}
"""ONNX's number of such a type -> its name."""

MOVES: Final = frozenset({"Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"})
"""Operators that look at no element: results hold what their first operand holds."""


def narrow_inputs(graph: Graph) -> dict[str, str]:
    """Return the inputs of a graph that hold such elements, and which."""
    elements = {value.name: value.type.tensor_type.elem_type for value in graph.inputs}
    return {name: NUMBERS[kind] for name, kind in elements.items() if kind in NUMBERS}


def narrow_result(op: Operation) -> str | None:
    """Return what the results of a converted node hold, where that is such a type.

    Raises:
        CannotConvertError: It reads such elements, and is no operator that knows them.
    """
    if op.result_type is not None:
        return op.result_type if op.result_type in STORAGE else None
    read = {name: op.context.narrow(name) for name in op.node.inputs if name}
    found = [dtype for dtype in read.values() if dtype is not None]
    if not found:
        return None
    if op.node.op not in MOVES:
        raise CannotConvertError(
            f"it reads {found[0]}, with which Cast, CastLike, QuantizeLinear and DequantizeLinear "
            "compute: cast it to float32 before"
        )
    return read[op.node.inputs[0]]
