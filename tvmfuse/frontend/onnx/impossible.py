"""Nodes that ONNX does not have: on operands of types, ranks or sizes that none takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference

from tvmfuse.frontend.onnx.evaluate import TypeOf
from tvmfuse.frontend.onnx.graph import Node, branches_of
from tvmfuse.frontend.onnx.result_sizes import READ
from tvmfuse.frontend.onnx.values import NotKnownError, Value
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim

Shape = Sequence[Dim]


def _differ_in_rank(*shapes: Shape) -> bool:
    return len({*map(len, shapes)}) > 1


def _points_elsewhere(x: Shape, indices: Shape, updates: Shape) -> bool:
    """Whether no index of `x` leaves as many dimensions as the updates have behind the indices'."""
    count = len(indices) - 1 + len(x) - len(updates)
    stated = indices[-1] if indices else 0
    return not 0 <= count <= len(x) or (isinstance(stated, int) and stated != count)


#: Operator -> whether its operands' ranks break a rule that ONNX's inference does not look at.
_UNTOLD: Final[Mapping[str, Callable[..., bool]]] = {
    "GatherElements": _differ_in_rank,
    "Scatter": _differ_in_rank,
    "ScatterElements": _differ_in_rank,
    "ScatterND": _points_elsewhere,
}


def is_impossible(node: Node, type_of: TypeOf, value_of: Callable[[str], Value]) -> bool:
    """Whether ONNX's own inference, or a rule beside it, says that a node never runs.

    Args:
        node: Where nothing is said of its operands, the answer is no.
        type_of: Gives an operand's shape and dtype; raises NotKnownError where there is none.
        value_of: Gives its numbers, likewise.
    """
    if any(branches_of(node.proto)):
        return False
    try:
        types = {name: type_of(name) for name in node.inputs if name}
        if node.op in _UNTOLD and _UNTOLD[node.op](*(types[name][0] for name in node.inputs)):
            return True
        graph = helper.make_graph(
            [node.proto],
            "node",
            [
                helper.make_tensor_value_info(
                    name,
                    helper.np_dtype_to_tensor_dtype(np.dtype(dtype)),
                    [dim if isinstance(dim, int) else None for dim in dims],
                )
                for name, (dims, dtype) in types.items()
            ],
            [onnx.ValueInfoProto(name=o) for o in node.outputs if o],
        )
    except Exception:  # another failure, a dtype that ONNX lacks: nothing is said
        return False
    for name in types:
        with suppress(NotKnownError, CannotConvertError):
            value = value_of(name)
            if value.is_concrete and value.array.size <= READ:
                graph.initializer.append(numpy_helper.from_array(value.array, name))
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid(node.proto.domain, node.opset)]
    )
    try:
        shape_inference.infer_shapes(model, strict_mode=True)
    except shape_inference.InferenceError:
        return True
    return False
