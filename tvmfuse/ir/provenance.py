"""Which ONNX nodes an expression came from, kept in its source span.

Relax mutators, common-subexpression elimination and JSON keep spans; type checks and structural
equality ignore them. So a name given at import reaches the last report.
"""

from __future__ import annotations

from collections.abc import Iterable

from tvm.ir import Call, Expr, SequentialSpan, SourceName, Span


def span_of(nodes: Iterable[str]) -> SequentialSpan | None:
    """Return the span that names these ONNX nodes, in this order and each once."""
    names = dict.fromkeys(nodes)
    return SequentialSpan([Span(SourceName(n), 0, 0, 0, 0) for n in names]) if names else None


def nodes_of(expr: Expr) -> tuple[str, ...]:
    """Return the names of the ONNX nodes that this expression computes.

    >>> from tvm import relax
    >>> x = relax.Var("x", relax.TensorType((2,), "float32"))
    >>> nodes_of(with_nodes(relax.op.exp(x), ["exp_1", "exp_2"]))
    ('exp_1', 'exp_2')
    """
    span = expr.span
    if span is None:
        return ()
    spans = span.spans if isinstance(span, SequentialSpan) else [span]
    return tuple(str(s.source_name.name) for s in spans)


def with_nodes(call: Call, nodes: Iterable[str]) -> Call:
    """Return the same call, said to compute these ONNX nodes."""
    return Call(call.op, call.args, attrs=call.attrs, ty_args=call.ty_args, span=span_of(nodes))
