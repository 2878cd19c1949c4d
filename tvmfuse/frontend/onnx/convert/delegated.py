"""Operators that TVM's own importer converts, given the operands that it expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from onnx import AttributeProto, helper
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse import _tvm
from tvmfuse.frontend.onnx.operands import value_operands
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of

Check = Callable[[Operation], None]
Safe = Callable[[Operation, Expr], Expr]


def delegated(
    check: Check | None = None, safe: Mapping[int, Safe] = MappingProxyType({})
) -> Callable[[Operation], Expr | Sequence[Expr]]:
    """Return the converter that hands a node to TVM's.

    Args:
        check: Refuses the cases that TVM's converter gets wrong without saying so.
        safe: By position, what takes the place of an operand that is there: indices that TVM's
            kernels believe, and numbers in a shape that TVM does not expect.
    """

    def convert(op: Operation) -> Expr | Sequence[Expr]:
        if check is not None:
            check(op)
        function = _TVM[op.node.op].get_converter(op.opset)
        given = [_operand(op, i) for i in range(len(op))]
        for position, make_safe in safe.items():
            if op.has(position):
                given[position] = make_safe(op, op.tensor(position))
        operands = _tvm.onnx_operands(given)
        builder = _Builder(op)
        result = function(builder, operands, _attributes(op), [{}, {}])
        return _outputs(op, builder.normalize(result))

    return convert


def of_one_dtype(op: Operation, operand: Expr) -> Expr:
    """Return an operand in the dtype of the first one, where TVM's kernels know no other."""
    dtype = dtype_of(op.tensor(0))
    if dtype == dtype_of(operand) or not is_float_dtype(dtype):
        return operand
    return op.emit(relax.op.astype(operand, dtype))


def no_longer_than_the_axis(op: Operation, condition: Expr) -> Expr:
    """Return Compress's condition without what stands for elements that there are not."""
    axis, shape = op.attribute("axis"), require_shape(op.tensor(0))
    size = op.symbols.product(shape) if axis is None else shape[int(axis) % len(shape)]
    (length,) = require_shape(condition)
    known = isinstance(length, int) and isinstance(size, int)
    if known and length <= size:
        return condition
    end = size if known else tirx.min(length, size)
    return op.emit(relax.op.strided_slice(condition, [0], [0], [end], assume_inbound=True))


def flat_without_axis(op: Operation, x: Expr) -> Expr:
    """Return a tensor as a vector, unless the node names an axis."""
    if op.attribute("axis") is not None:
        return x
    return op.emit(in_shape(x, [op.symbols.product(require_shape(x))]))


_TVM: Final = _tvm.onnx_converters()


class _Builder:
    """The part of a BlockBuilder that TVM's converters use; what it emits knows its node."""

    def __init__(self, op: Operation) -> None:
        self._op = op

    def emit(self, expr: Expr) -> Expr:
        return self._op.emit(expr)

    def normalize(self, expr: Expr) -> Expr:
        return self._op.emit(expr)

    def match_cast(self, expr: Expr, ty: relax.Type) -> Expr:
        return self._op.match(self._op.emit(expr), ty)

    def emit_te(self, function: Callable[..., Any], *_args: Any, **_kwargs: Any) -> Expr:
        raise CannotConvertError(f"TVM has no Relax operator for it, only {function.__name__}")


def _operand(op: Operation, position: int) -> Expr | None:
    if not op.has(position):
        return None
    value = op.known(position) if position in value_operands(op.node) else None
    if value is None:
        return op.tensor(position)
    if value.is_concrete:
        return constant(value.array)
    return relax.ShapeExpr(value.elements)


def _attributes(op: Operation) -> dict[str, Any]:
    """Return the attributes as TVM wants them: text as bytes, lists as tuples."""
    attributes: dict[str, Any] = {"tvm_custom": {"name": op.node.name}}
    attributes["tvm_custom"]["num_outputs"] = len(op.node.outputs)
    for attribute in op.node.proto.attribute:
        value = helper.get_attribute_value(attribute)
        listed = attribute.type in (AttributeProto.INTS, AttributeProto.FLOATS)
        attributes[attribute.name] = tuple(value) if listed else value
    return attributes


def _outputs(op: Operation, result: Expr) -> Expr | Sequence[Expr]:
    if isinstance(result, relax.Tuple):
        return list(result.fields)
    if isinstance(result.ty, relax.TupleType):
        return [relax.TupleGetItem(result, i) for i in range(len(result.ty.fields))]
    return result
