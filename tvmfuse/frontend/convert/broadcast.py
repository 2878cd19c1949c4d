"""Numpy broadcasting of tensors whose dimensions may be symbolic."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Expr, GenericConst

from tvmfuse.frontend.operation import Operation, dtype_of, shape_of
from tvmfuse.frontend.symbols import Dim, Symbols


def aligned(op: Operation, tensors: Sequence[Expr]) -> list[Expr]:
    """Return tensors whose shapes provably broadcast.

    Where two symbolic dimensions meet, they are taken to be equal: the first one's symbol stands
    for both, and the model checks that when it runs. Nothing is broadcast on a guess.
    """
    shapes = [shape_of(t) for t in tensors]
    result = broadcast_shape(op, shapes)
    return [
        _cast(op, t, _renamed(op.symbols, shape, result[len(result) - len(shape) :]))
        for t, shape in zip(tensors, shapes, strict=True)
    ]


def broadcast_shape(op: Operation, shapes: Sequence[Sequence[Dim]]) -> list[Dim]:
    """Return the shape that these shapes broadcast to."""
    rank = max(len(s) for s in shapes)
    columns = zip(*([1] * (rank - len(s)) + list(s) for s in shapes), strict=True)
    return [_broadcast_dim(op, column) for column in columns]


def _broadcast_dim(op: Operation, dims: Sequence[Dim]) -> Dim:
    wide = [d for d in dims if not (isinstance(d, int) and d == 1)]
    fixed = {d for d in wide if isinstance(d, int)}
    if len(fixed) > 1:
        op.refuse(f"dimensions {sorted(fixed)} do not broadcast")
    if not wide:
        return 1
    return fixed.pop() if fixed else wide[0]


def _renamed(symbols: Symbols, shape: Sequence[Dim], result: Sequence[Dim]) -> list[Dim] | None:
    """Return the shape with the result's dimensions, or None if it has them already."""
    renamed = [
        d if _is_one(d) or symbols.equal(d, r) else r for d, r in zip(shape, result, strict=True)
    ]
    same = all(a is b for a, b in zip(renamed, shape, strict=True))
    return None if same else renamed


def _is_one(dim: Dim) -> bool:
    return isinstance(dim, int) and dim == 1


def _cast(op: Operation, tensor: Expr, shape: list[Dim] | None) -> Expr:
    if shape is None or isinstance(tensor, GenericConst):
        return tensor
    return op.match(tensor, relax.TensorType(shape, dtype_of(tensor)))
