"""Which ONNX nodes an expression came from, and which ONNX values it is, kept in its source span.

Relax mutators, common-subexpression elimination and JSON keep spans; type checks and structural
equality ignore them. So a name given at import reaches the last report.

Nodes say where an expression came from. Values are a proof: what binds a variable to another
expression (`replace`) takes the two to be equal, and so hands its values on; what makes a call
anew (`with_nodes`) says nothing of values, and so has none.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from tvm.ir import Call, Expr, SequentialSpan, SourceName, Span, TupleGetItem

from tvmfuse.manifest import StoredValue

NODE, VALUE, PRODUCT = 0, -1, -2
"""What the name in a span is, by its line; those of sources, of TVMScript say, are not negative."""


def span_of(
    nodes: Iterable[str],
    values: Iterable[StoredValue] = (),
    products: Iterable[StoredValue] = (),
) -> SequentialSpan | None:
    """Return the span that names these ONNX nodes and values, in this order and each once."""
    spans = [_span(name, NODE) for name in dict.fromkeys(nodes)]
    spans += [_span(_text(value), VALUE) for value in dict.fromkeys(values)]
    spans += [_span(_text(value), PRODUCT) for value in dict.fromkeys(products)]
    return SequentialSpan(spans) if spans else None


def nodes_of(expr: Expr) -> tuple[str, ...]:
    """Return the names of the ONNX nodes that this expression computes.

    >>> from tvm import relax
    >>> x = relax.Var("x", relax.TensorType((2,), "float32"))
    >>> nodes_of(with_nodes(relax.op.exp(x), ["exp_1", "exp_2"]))
    ('exp_1', 'exp_2')
    """
    return tuple(_names(expr, NODE))


def values_of(expr: Expr) -> tuple[StoredValue, ...]:
    """Return the ONNX values that this expression is proven to be.

    >>> from tvm import relax
    >>> x = relax.Var("x", relax.TensorType((2,), "float32"))
    >>> [value.name for value in values_of(with_values(relax.op.exp(x), [StoredValue("y")]))]
    ['y']
    """
    return tuple(map(_value, _names(expr, VALUE)))


def products_of(gemm: Expr) -> tuple[StoredValue, ...]:
    """Return the ONNX values that a `tvmfuse.gemm` would be without what it adds."""
    return tuple(map(_value, _names(gemm, PRODUCT)))


def with_nodes(
    call: Call,
    nodes: Iterable[str],
    values: Iterable[StoredValue] = (),
    products: Iterable[StoredValue] = (),
) -> Call:
    """Return the same call, said to compute these ONNX nodes, and to be these values only."""
    span = span_of(nodes, values, products)
    return Call(call.op, call.args, attrs=call.attrs, ty_args=call.ty_args, span=span)


def with_values(expr: Expr, values: Iterable[StoredValue]) -> Expr:
    """Return the same expression, said to be these ONNX values, too.

    Calls and what is taken out of tuples can be values; nothing is said of others.
    """
    values = tuple(values)
    if values and isinstance(expr, Call | TupleGetItem):
        known = nodes_of(expr), (*values_of(expr), *values), products_of(expr)
        if isinstance(expr, Call):
            return with_nodes(expr, *known)
        return TupleGetItem(expr.tuple_value, expr.index, span_of(*known))
    return expr


def _span(name: str, kind: int) -> Span:
    return Span(SourceName(name), kind, kind, 0, 0)


def _names(expr: Expr, kind: int) -> list[str]:
    span = expr.span
    if span is None:
        return []
    spans = span.spans if isinstance(span, SequentialSpan) else [span]
    return [str(s.source_name.name) for s in spans if min(s.line, NODE) == kind]


def _text(value: StoredValue) -> str:
    return msgspec.json.encode(value).decode()


def _value(text: str) -> StoredValue:
    return msgspec.json.decode(text, type=StoredValue)
