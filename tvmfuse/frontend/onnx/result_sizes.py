"""How large the results of a node on known operands get: asked before it is evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference

from tvmfuse.frontend.gate import SYMBOLIC_BITS, Gate
from tvmfuse.frontend.onnx.graph import Node, bits_of
from tvmfuse.frontend.onnx.operands import SIZE_OPERANDS
from tvmfuse.frontend.onnx.values import NotKnownError, Value

READ: Final = 128
"""Elements. What shape inference reads of an operand, such as a shape, is not longer."""

COUNTED: Final = frozenset({"Compress", "NonZero", "StringSplit", "Unique"})
"""Operators whose result is as long as the numbers say: for each element one row at most."""


SPLITS: Final = frozenset({"Split"})
"""Operators whose sizes are those of their results, and not one for each dimension."""


def ask_for_results(gate: Gate, node: Node, operands: Sequence[Value | None]) -> None:
    """Ask for what a node is going to return.

    Args:
        gate: Is asked.
        node: Of operands that are all known.
        operands: Their values; None where an optional one is absent.

    Raises:
        LimitExceededError: It is more than the limits admit.
        NotKnownError: Nobody can tell how much it is, or the operands are none for this node.
    """
    for position, value in enumerate(operands):
        if value is not None:
            ask_for_sizes(gate, node, position, value)
    symbolic = any(value is not None and not value.is_concrete for value in operands)
    for name, dims, bits in _results(node, operands):
        gate.constant(f"{name!r} of {node}", dims, SYMBOLIC_BITS if symbolic else bits)


def ask_for_sizes(gate: Gate, node: Node, position: int, value: Value) -> None:
    """Ask for the sizes, counts and distances that an operand states, if it is such an operand."""
    if position not in SIZE_OPERANDS.get(node.op, ()):
        return
    if node.op not in SPLITS:
        gate.rank(str(node), -(-value.array.size // (2 if node.op == "Pad" else 1)))
    for element in value.elements:
        if isinstance(element, int | float):
            gate.size(str(node), f"operand {position} ({node.inputs[position]!r})", element)


def model_of(node: Node, operands: Sequence[Value | None]) -> onnx.ModelProto:
    """Return a model of this one node; short operands are there with their numbers, too."""
    given = {i: v for i, v in zip(node.inputs, operands, strict=True) if i and v is not None}
    graph = helper.make_graph(
        [node.proto],
        "value",
        [helper.make_tensor_value_info(i, _element(v), v.array.shape) for i, v in given.items()],
        [onnx.ValueInfoProto(name=o) for o in node.outputs if o],
        [
            numpy_helper.from_array(v.array, i)
            for i, v in given.items()
            if v.is_concrete and v.array.size <= READ
        ],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid(node.proto.domain, node.opset)]
    )


def _element(value: Value) -> int:
    dtype = value.array.dtype if value.is_concrete else np.dtype(value.dtype)
    return int(helper.np_dtype_to_tensor_dtype(dtype))


def _results(
    node: Node, operands: Sequence[Value | None]
) -> Iterator[tuple[str, Sequence[int], int]]:
    """Yield each result's name, shape and bits of an element."""
    try:
        inferred = shape_inference.infer_shapes(model_of(node, operands)).graph
    except Exception as error:  # whatever onnx's C++ raises: these operands are none for this node
        raise NotKnownError(f"{node.op} is not defined on them: {error}") from error
    shapes = [value.array.shape for value in operands if value is not None]
    for output in inferred.output:
        tensor = output.type.tensor_type
        dims = [d.dim_value for d in tensor.shape.dim if d.HasField("dim_value")]
        if tensor.HasField("shape") and len(dims) == len(tensor.shape.dim):
            yield output.name, dims, bits_of(tensor.elem_type)
        elif node.op in COUNTED:
            yield output.name, [sum(max(1, len(s)) * int(np.prod(s)) for s in shapes)], 64
        else:
            raise NotKnownError(f"how large {output.name!r} of {node.op} gets is not known")
