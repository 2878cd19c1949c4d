"""Operators that move the elements of values, or make new ones of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from onnx import helper, numpy_helper
from tvm.ir import Expr

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.value_operands import (
    Kernel,
    Operands,
    axes_of,
    first,
    known,
    known_or_none,
    moved,
    objects,
)
from tvmfuse.frontend.onnx.values import (
    FLOATS,
    NotKnownError,
    Value,
    as_size,
    concrete,
    of_elements,
)
from tvmfuse.frontend.symbols import Symbols


def dtype_name(element_type: int) -> str:
    """Return the numpy name of an ONNX element type."""
    return str(np.dtype(helper.tensor_dtype_to_np_dtype(element_type)).name)


def _identity(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    return first(operands)


def _cast(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    value, dtype = first(operands), dtype_name(node.attributes["to"])
    if value.is_concrete:
        raise NotKnownError("a concrete Cast is the reference evaluator's")
    return of_elements((_cast_element(e, dtype) for e in value.elements), value.array.shape, dtype)


def _cast_element(element: Any, dtype: str) -> Any:
    if isinstance(element, Expr):
        if dtype == "bool":
            raise NotKnownError(f"whether {element} is 0 is not known")
        return as_size(element)
    if dtype in FLOATS:
        return float(element)
    return bool(element) if dtype == "bool" else int(element)


def _concat(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    values = [v for v in operands if v is not None]
    return moved(np.concatenate([objects(v) for v in values], node.attributes["axis"]), values[0])


def _gather(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, indices = first(operands), known(operands, 1)
    return moved(np.take(data.array, indices, node.attributes.get("axis", 0)), data)


def _slice(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data = first(operands)
    if len(operands) > 1:
        starts, ends, axes, steps = (known_or_none(operands, i) for i in range(1, 5))
    else:
        starts, ends, axes, steps = (node.attributes.get(k) for k in ("starts", "ends", "axes", ""))
    if starts is None or ends is None:
        raise NotKnownError("no starts or no ends")
    places = [slice(None)] * data.array.ndim
    for i, axis in enumerate(range(len(starts)) if axes is None else axes):
        step = 1 if steps is None else int(steps[i])
        end: int | None = int(ends[i])
        if step < 0 and end is not None and end < -data.array.shape[axis]:
            end = None  # numpy reads a negative end from the back, ONNX as "before the first"
        places[axis] = slice(int(starts[i]), end, step)
    return moved(data.array[tuple(places)], data)


def _squeeze(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, axes = first(operands), axes_of(node, operands)
    return moved(np.squeeze(data.array, None if axes is None else tuple(axes)), data)


def _unsqueeze(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, axes = first(operands), axes_of(node, operands)
    return moved(np.expand_dims(data.array, tuple(axes or ())), data)


def _reshape(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, shape = first(operands), known(operands, 1).tolist()
    if not node.attributes.get("allowzero", 0):
        shape = [data.array.shape[i] if d == 0 else d for i, d in enumerate(shape)]
    return moved(data.array.reshape(shape), data)


def _flatten(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, axis = first(operands), node.attributes.get("axis", 1)
    rows = int(np.prod(data.array.shape[:axis], dtype=np.int64))
    return moved(data.array.reshape(rows, -1), data)


def _transpose(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data = first(operands)
    return moved(np.transpose(data.array, node.attributes.get("perm")), data)


def _expand(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, shape = first(operands), known(operands, 1).tolist()
    return moved(np.broadcast_to(data.array, np.broadcast_shapes(data.array.shape, shape)), data)


def _tile(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data = first(operands)
    return moved(np.tile(data.array, known(operands, 1).tolist()), data)


def _split(node: Node, operands: Operands, _symbols: Symbols) -> tuple[Value, ...]:
    data, axis = first(operands), node.attributes.get("axis", 0)
    sizes = known_or_none(operands, 1)
    if sizes is None:
        sizes = node.attributes.get("split")
    if sizes is None:
        parts = len(node.outputs)
        size = -(-data.array.shape[axis] // parts)
        ends = [size * (i + 1) for i in range(parts - 1)]
    else:
        ends = list(np.cumsum(sizes)[:-1])
    return tuple(moved(part, data) for part in np.split(data.array, ends, axis))


def _constant_of_shape(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    value = node.attributes.get("value")
    fill = np.zeros(1, np.float32) if value is None else numpy_helper.to_array(value)
    return concrete(np.full(known(operands, 0).tolist(), fill.reshape(-1)[0], fill.dtype))


def _range(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    start, limit, delta = (known(operands, i).item() for i in range(3))
    return concrete(np.arange(start, limit, delta, dtype=first(operands).array.dtype))


def _scatter_elements(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    if node.attributes.get("reduction", b"none") not in (b"none", "none"):
        raise NotKnownError("it computes with what stood there")
    data, indices = first(operands), known(operands, 1)
    updates = operands[2]
    if updates is None:
        raise NotKnownError("its operand 2 is absent")
    result, axis = objects(data), int(node.attributes.get("axis", 0))
    size = result.shape[axis]
    if not ((indices >= -size) & (indices < size)).all():
        raise NotKnownError("an index is out of range")
    np.put_along_axis(result, indices, objects(updates), axis)
    return moved(result, data)


MOVEMENT: Final[Mapping[str, Kernel]] = {
    "Cast": _cast,
    "Concat": _concat,
    "ConstantOfShape": _constant_of_shape,
    "Expand": _expand,
    "Flatten": _flatten,
    "Gather": _gather,
    "Identity": _identity,
    "Range": _range,
    "Reshape": _reshape,
    "ScatterElements": _scatter_elements,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
}

CREATES: Final = frozenset({"ConstantOfShape", "Expand", "Range", "Tile"})
"""Kernels whose result may be much larger than what they read."""
