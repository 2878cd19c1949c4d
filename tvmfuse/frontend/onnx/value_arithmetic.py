"""Arithmetic on values, whose elements may be symbolic dimensions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.value_operands import Kernel, Operands, axes_of, first
from tvmfuse.frontend.onnx.values import FLOATS, NotKnownError, Value, elementwise, of_elements
from tvmfuse.frontend.symbols import Symbols


def _where(_node: Node, operands: Operands, symbols: Symbols) -> Value:
    values = [v for v in operands if v is not None]
    return elementwise(_choose, values, values[1].dtype, symbols)


def _choose(condition: Any, yes: Any, no: Any) -> Any:
    if not isinstance(condition, Expr):
        return yes if condition else no
    if isinstance(yes, bool) or isinstance(no, bool):
        raise NotKnownError("a symbolic dimension decides between conditions")
    return tirx.Select(condition, *_int64(*_exact(condition, yes, no)[1:]))


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


def _div(node: Node, operands: Operands, symbols: Symbols) -> Value:
    a, b = (v for v in operands if v is not None)
    divide = _divide_floats if a.dtype in FLOATS else _divide_integers
    return _binary(_by_no_zero(divide, node), a, b, symbols)


def _mod(node: Node, operands: Operands, symbols: Symbols) -> Value:
    a, b = (v for v in operands if v is not None)
    rest = _truncated_rest if node.attributes.get("fmod", 0) else _rest
    return _binary(_by_no_zero(rest, node), a, b, symbols)


def _by_no_zero(divide: Binary, node: Node) -> Binary:
    """Return a division by what is never 0, where the sizes are such that the model takes."""

    def function(a: Any, b: Any, symbols: Symbols) -> Any:
        if not isinstance(b, Expr):
            known = b != 0
        else:
            known = symbols.at_most(1, b) or (
                symbols.non_negative(b)
                and symbols.equate(b, symbols.larger(b, 1), f"of {node.name!r}")
            )
        if not known:
            raise NotKnownError(f"it divides by {b}, which may be 0")
        return divide(a, b, symbols)

    return function


def _divide_integers(a: Any, b: Any, symbols: Symbols) -> Any:
    if symbols.non_negative(a) and symbols.non_negative(b):
        return tirx.floordiv(*_int64(a, b))
    if isinstance(b, int) and b > 0:  # rounded toward 0, in terms that sizes have
        a, b, zero = _int64(a, b, 0)
        return tirx.floordiv(tirx.max(a, zero), b) - tirx.floordiv(tirx.max(-a, zero), b)
    return tirx.truncdiv(*_int64(a, b))


def _divide_floats(a: Any, b: Any, symbols: Symbols) -> Any:
    if not isinstance(a, Expr) and not isinstance(b, Expr):
        return a / b
    if symbols.simplify(tirx.floormod(*_int64(a, b))) != 0:
        raise NotKnownError(f"{a} / {b} may be a fraction")
    return tirx.floordiv(*_int64(a, b))


def _rest(a: Any, b: Any, _symbols: Symbols) -> Any:
    if not isinstance(a, Expr) and not isinstance(b, Expr):
        return a % b
    if isinstance(b, int) and b < 0:
        # TVM proves nothing of a remainder that is not positive.
        return -tirx.floormod(-a, tirx.const(-b, "int64"))
    return tirx.floormod(*_int64(a, b))


def _truncated_rest(a: Any, b: Any, symbols: Symbols) -> Any:
    if not (symbols.non_negative(a) and symbols.non_negative(b)):
        raise NotKnownError(f"the sign of {a} or {b} is not known")
    return _rest(a, b, symbols)


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
        return elementwise(function, [first(operands)], first(operands).dtype, symbols)

    return kernel


def _reduction(function: Binary, start: int | None) -> Kernel:
    def kernel(node: Node, operands: Operands, symbols: Symbols) -> Value:
        data, axes = first(operands), axes_of(node, operands)
        if data.array.ndim != 1 or (axes is not None and len(axes) != 1) or axes == []:
            raise NotKnownError("only vectors of symbolic dimensions are reduced")
        elements = data.elements if start is None else [start, *data.elements]
        result = symbols.simplify(reduce(lambda a, b: function(a, b, symbols), _exact(*elements)))
        return of_elements([result], (1,) if node.attributes.get("keepdims", 1) else (), data.dtype)

    return kernel


def _whole(element: Any) -> Any:
    """Floor, Ceil or Round of a dimension, which is a whole number already."""
    if isinstance(element, Expr):
        return element
    raise NotKnownError("a concrete number is the reference evaluator's")


def _numbers_only(_node: Node, _operands: Operands, _symbols: Symbols) -> Value:
    raise NotKnownError("it is no whole number")


ARITHMETIC: Final[Mapping[str, Kernel]] = {
    "Abs": _unary(lambda a: tirx.max(a, -a) if isinstance(a, Expr) else abs(a)),
    "Add": _arithmetic(lambda a, b, _: a + b),
    "And": _predicate(_logical(lambda a, b: a and b, tirx.all)),
    "Ceil": _unary(_whole),
    "Div": _div,
    "Equal": _predicate(_equal),
    "Floor": _unary(_whole),
    "Greater": _predicate(operator.gt),
    "GreaterOrEqual": _predicate(operator.ge),
    "Less": _predicate(operator.lt),
    "LessOrEqual": _predicate(operator.le),
    "Max": _arithmetic(_maximum),
    "Min": _arithmetic(_minimum),
    "Mod": _mod,
    "Mul": _arithmetic(lambda a, b, _: a * b),
    "Neg": _unary(operator.neg),
    "Not": _predicate(_logical(operator.not_, tirx.Not)),
    "Or": _predicate(_logical(lambda a, b: a or b, tirx.any)),
    "Pow": _numbers_only,
    "Reciprocal": _numbers_only,
    "ReduceMax": _reduction(_maximum, None),
    "ReduceMin": _reduction(_minimum, None),
    "ReduceProd": _reduction(lambda a, b, _: a * b, 1),
    "ReduceSum": _reduction(lambda a, b, _: a + b, 0),
    "Round": _unary(_whole),
    "Sqrt": _numbers_only,
    "Sub": _arithmetic(lambda a, b, _: a - b),
    "Sum": _arithmetic(lambda a, b, _: a + b),
    "Where": _where,
}
