"""ONNX operators on values: plain numpy, where elements may be symbolic dimensions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np
from onnx import helper, numpy_helper
from tvm import tirx
from tvm.ir import Expr

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.values import (
    FLOATS,
    NotKnownError,
    Value,
    concrete,
    elementwise,
    integers,
    of_elements,
)
from tvmfuse.frontend.symbols import Symbols

Operands = Sequence[Value | None]
Kernel = Callable[[Node, Operands, Symbols], Value | tuple[Value, ...]]


def dtype_name(element_type: int) -> str:
    """Return the numpy name of an ONNX element type."""
    return str(np.dtype(helper.tensor_dtype_to_np_dtype(element_type)).name)


def _identity(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    return _first(operands)


def _cast(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    value, dtype = _first(operands), dtype_name(node.attributes["to"])
    if value.is_concrete:
        raise NotKnownError("a concrete Cast is the reference evaluator's")
    return of_elements((_cast_element(e, dtype) for e in value.elements), value.array.shape, dtype)


def _cast_element(element: Any, dtype: str) -> Any:
    if isinstance(element, Expr):
        if dtype == "bool":
            raise NotKnownError(f"whether {element} is 0 is not known")
        return element
    if dtype in FLOATS:
        return float(element)
    return bool(element) if dtype == "bool" else int(element)


def _concat(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    values = [v for v in operands if v is not None]
    return _moved(np.concatenate([_objects(v) for v in values], node.attributes["axis"]), values[0])


def _gather(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, indices = _first(operands), _concrete(operands, 1)
    return _moved(np.take(data.array, indices, node.attributes.get("axis", 0)), data)


def _slice(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data = _first(operands)
    if len(operands) > 1:
        starts, ends, axes, steps = (_optional(operands, i) for i in range(1, 5))
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
    return _moved(data.array[tuple(places)], data)


def _axes(node: Node, operands: Operands, position: int = 1) -> list[int] | None:
    given = operands[position] if len(operands) > position else None
    if given is not None:
        return integers(given, "axes")
    axes = node.attributes.get("axes")
    return None if axes is None else list(axes)


def _squeeze(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, axes = _first(operands), _axes(node, operands)
    return _moved(np.squeeze(data.array, None if axes is None else tuple(axes)), data)


def _unsqueeze(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, axes = _first(operands), _axes(node, operands)
    return _moved(np.expand_dims(data.array, tuple(axes or ())), data)


def _reshape(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, shape = _first(operands), _concrete(operands, 1).tolist()
    if not node.attributes.get("allowzero", 0):
        shape = [data.array.shape[i] if d == 0 else d for i, d in enumerate(shape)]
    return _moved(data.array.reshape(shape), data)


def _flatten(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, axis = _first(operands), node.attributes.get("axis", 1)
    rows = int(np.prod(data.array.shape[:axis], dtype=np.int64))
    return _moved(data.array.reshape(rows, -1), data)


def _transpose(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data = _first(operands)
    return _moved(np.transpose(data.array, node.attributes.get("perm")), data)


def _expand(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data, shape = _first(operands), _concrete(operands, 1).tolist()
    return _moved(np.broadcast_to(data.array, np.broadcast_shapes(data.array.shape, shape)), data)


def _tile(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    data = _first(operands)
    return _moved(np.tile(data.array, _concrete(operands, 1).tolist()), data)


def _split(node: Node, operands: Operands, _symbols: Symbols) -> tuple[Value, ...]:
    data, axis = _first(operands), node.attributes.get("axis", 0)
    sizes = _optional(operands, 1)
    if sizes is None:
        sizes = node.attributes.get("split")
    if sizes is None:
        parts = len(node.outputs)
        size = -(-data.array.shape[axis] // parts)
        ends = [size * (i + 1) for i in range(parts - 1)]
    else:
        ends = list(np.cumsum(sizes)[:-1])
    return tuple(_moved(part, data) for part in np.split(data.array, ends, axis))


def _constant_of_shape(node: Node, operands: Operands, _symbols: Symbols) -> Value:
    value = node.attributes.get("value")
    fill = np.zeros(1, np.float32) if value is None else numpy_helper.to_array(value)
    return concrete(np.full(_concrete(operands, 0).tolist(), fill.reshape(-1)[0], fill.dtype))


def _range(_node: Node, operands: Operands, _symbols: Symbols) -> Value:
    start, limit, delta = (_concrete(operands, i).item() for i in range(3))
    return concrete(np.arange(start, limit, delta, dtype=_first(operands).array.dtype))


def _where(_node: Node, operands: Operands, symbols: Symbols) -> Value:
    values = [v for v in operands if v is not None]
    return elementwise(_choose, values, values[1].dtype, symbols)


def _choose(condition: Any, yes: Any, no: Any) -> Any:
    return (
        tirx.Select(condition, yes, no)
        if isinstance(condition, Expr)
        else (yes if condition else no)
    )


Binary = Callable[[Any, Any, Symbols], Any]


def _arithmetic(function: Binary) -> Kernel:
    def kernel(_node: Node, operands: Operands, symbols: Symbols) -> Value:
        values = [v for v in operands if v is not None]
        return reduce(lambda a, b: _binary(function, a, b, symbols), values)

    return kernel


def _binary(function: Binary, a: Value, b: Value, symbols: Symbols) -> Value:
    def element(x: Any, y: Any) -> Any:
        x, y = _exact(x, y)
        return function(x, y, symbols)

    return elementwise(element, [a, b], a.dtype, symbols)


def _exact(*elements: Any) -> tuple[Any, ...]:
    """Return floats that are whole numbers as integers, next to an expression.

    Raises:
        NotKnownError: An expression meets a fraction.
    """
    if not any(isinstance(e, Expr) for e in elements):
        return elements
    for element in elements:
        if isinstance(element, float) and not element.is_integer():
            raise NotKnownError(f"{element} meets a symbolic dimension")
    return tuple(int(e) if isinstance(e, float) else e for e in elements)


def _div(_node: Node, operands: Operands, symbols: Symbols) -> Value:
    a, b = (v for v in operands if v is not None)
    return _binary(_divide_floats if a.dtype in FLOATS else _divide_integers, a, b, symbols)


def _divide_integers(a: Any, b: Any, symbols: Symbols) -> Any:
    if isinstance(b, int) and b == 0:
        raise NotKnownError("it divides by 0")
    if symbols.non_negative(a) and symbols.non_negative(b):
        return tirx.floordiv(*_int64(a, b))
    return tirx.truncdiv(*_int64(a, b))


def _divide_floats(a: Any, b: Any, symbols: Symbols) -> Any:
    if not isinstance(a, Expr) and not isinstance(b, Expr):
        return a / b
    if symbols.simplify(tirx.floormod(*_int64(a, b))) != 0:
        raise NotKnownError(f"{a} / {b} may be a fraction")
    return tirx.floordiv(*_int64(a, b))


def _modulo(a: Any, b: Any, _symbols: Symbols) -> Any:
    return tirx.floormod(a, b) if isinstance(a, Expr) or isinstance(b, Expr) else a % b


def _minimum(a: Any, b: Any, _symbols: Symbols) -> Any:
    return tirx.min(a, b) if isinstance(a, Expr) or isinstance(b, Expr) else min(a, b)


def _maximum(a: Any, b: Any, _symbols: Symbols) -> Any:
    return tirx.max(a, b) if isinstance(a, Expr) or isinstance(b, Expr) else max(a, b)


def _predicate(function: Callable[..., Any]) -> Kernel:
    def kernel(_node: Node, operands: Operands, symbols: Symbols) -> Value:
        values = [v for v in operands if v is not None]
        return elementwise(lambda *e: function(*_exact(*e)), values, "bool", symbols)

    return kernel


def _equal(a: Any, b: Any) -> Any:
    return tirx.EQ(*_int64(a, b)) if isinstance(a, Expr) or isinstance(b, Expr) else a == b


def _int64(*elements: Any) -> list[Expr]:
    return [e if isinstance(e, Expr) else tirx.const(e, "int64") for e in elements]


def _logical(on_bools: Callable[..., Any], on_exprs: Callable[..., Any]) -> Callable[..., Any]:
    def function(*elements: Any) -> Any:
        if any(isinstance(e, Expr) for e in elements):
            return on_exprs(
                *(e if isinstance(e, Expr) else tirx.const(e, "bool") for e in elements)
            )
        return on_bools(*elements)

    return function


def _unary(function: Callable[[Any], Any]) -> Kernel:
    def kernel(_node: Node, operands: Operands, symbols: Symbols) -> Value:
        return elementwise(function, [_first(operands)], _first(operands).dtype, symbols)

    return kernel


def _reduction(function: Binary, start: int | None) -> Kernel:
    def kernel(node: Node, operands: Operands, symbols: Symbols) -> Value:
        data, axes = _first(operands), _axes(node, operands)
        if data.array.ndim != 1 or (axes is not None and len(axes) != 1) or axes == []:
            raise NotKnownError("only vectors of symbolic dimensions are reduced")
        elements = data.elements if start is None else [start, *data.elements]
        result = symbols.simplify(reduce(lambda a, b: function(a, b, symbols), elements))
        return of_elements([result], (1,) if node.attributes.get("keepdims", 1) else (), data.dtype)

    return kernel


def _whole(element: Any) -> Any:
    """Floor, Ceil or Round of a dimension, which is a whole number already."""
    if isinstance(element, Expr):
        return element
    raise NotKnownError("a concrete number is the reference evaluator's")


def _numbers_only(_node: Node, _operands: Operands, _symbols: Symbols) -> Value:
    raise NotKnownError("it is no whole number")


def _first(operands: Operands) -> Value:
    if not operands or operands[0] is None:
        raise NotKnownError("its first operand is absent")
    return operands[0]


def _concrete(operands: Operands, position: int) -> np.ndarray:
    array = _optional(operands, position)
    if array is None:
        raise NotKnownError(f"its operand {position} is absent")
    return array


def _optional(operands: Operands, position: int) -> np.ndarray | None:
    value = operands[position] if len(operands) > position else None
    if value is None:
        return None
    if not value.is_concrete:
        raise NotKnownError("it depends on a symbolic dimension")
    return value.array


def _objects(value: Value) -> np.ndarray:
    return value.array.astype(object)


def _moved(array: Any, like: Value) -> Value:
    array = np.asarray(array, object)  # numpy gives the element of a 0-d result
    return of_elements(array.reshape(-1).tolist(), array.shape, like.dtype)


KERNELS: Final[Mapping[str, Kernel]] = {
    "Abs": _unary(lambda a: tirx.max(a, -a) if isinstance(a, Expr) else abs(a)),
    "Add": _arithmetic(lambda a, b, _: a + b),
    "And": _predicate(_logical(lambda a, b: a and b, tirx.all)),
    "Cast": _cast,
    "Ceil": _unary(_whole),
    "Concat": _concat,
    "ConstantOfShape": _constant_of_shape,
    "Div": _div,
    "Equal": _predicate(_equal),
    "Expand": _expand,
    "Flatten": _flatten,
    "Floor": _unary(_whole),
    "Gather": _gather,
    "Greater": _predicate(operator.gt),
    "GreaterOrEqual": _predicate(operator.ge),
    "Identity": _identity,
    "Less": _predicate(operator.lt),
    "LessOrEqual": _predicate(operator.le),
    "Max": _arithmetic(_maximum),
    "Min": _arithmetic(_minimum),
    "Mod": _arithmetic(_modulo),
    "Mul": _arithmetic(lambda a, b, _: a * b),
    "Neg": _unary(operator.neg),
    "Not": _predicate(_logical(operator.not_, tirx.Not)),
    "Or": _predicate(_logical(lambda a, b: a or b, tirx.any)),
    "Pow": _numbers_only,
    "Range": _range,
    "Reciprocal": _numbers_only,
    "ReduceMax": _reduction(_maximum, None),
    "ReduceMin": _reduction(_minimum, None),
    "ReduceProd": _reduction(lambda a, b, _: a * b, 1),
    "ReduceSum": _reduction(lambda a, b, _: a + b, 0),
    "Reshape": _reshape,
    "Round": _unary(_whole),
    "Slice": _slice,
    "Split": _split,
    "Sqrt": _numbers_only,
    "Squeeze": _squeeze,
    "Sub": _arithmetic(lambda a, b, _: a - b),
    "Sum": _arithmetic(lambda a, b, _: a + b),
    "Tile": _tile,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
    "Where": _where,
}
"""Operators of shape arithmetic; what they make of symbolic dimensions, where they can."""

CREATES: Final = frozenset({"ConstantOfShape", "Expand", "Range", "Tile"})
"""Kernels whose result may be much larger than what they read."""
