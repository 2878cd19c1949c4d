"""Numpy broadcasting of tensors whose dimensions may be symbolic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import tvm_ffi
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.operation import Operation, dtype_of, shape_of
from tvmfuse.frontend.symbols import Dim


def aligned(op: Operation, tensors: Sequence[Expr]) -> list[Expr]:
    """Return tensors whose shapes provably broadcast.

    Where two symbolic dimensions meet, they are taken to be equal: the first one's symbol stands
    for both, and the model checks that when it runs. Nothing is broadcast on a guess.
    """
    shapes = [shape_of(t) for t in tensors]
    result = broadcast_shape(op, shapes)
    narrow = _circular(shapes, result)
    if narrow:
        tensors = _widened(op, tensors, narrow, result)
    return [agree(op, t, broadcast_to(shape_of(t), result)) for t in tensors]


def agree(op: Operation, tensor: Expr, shape: Sequence[Dim]) -> Expr:
    """Return a tensor with these dimensions for its own, which the model checks when it runs."""
    own = shape_of(tensor)
    if all(op.symbols.equal(a, b) for a, b in zip(own, shape, strict=True)):
        return tensor
    return op.match(tensor, relax.TensorType(list(shape), dtype_of(tensor)))


def broadcast_shape(op: Operation, shapes: Sequence[Sequence[Dim]]) -> list[Dim]:
    """Return the shape that these shapes broadcast to."""
    return [_broadcast_dim(op, column) for column in _columns(shapes)]


def _columns(shapes: Sequence[Sequence[Dim]]) -> list[tuple[Dim, ...]]:
    rank = max(len(s) for s in shapes)
    return list(zip(*([1] * (rank - len(s)) + list(s) for s in shapes), strict=True))


def _broadcast_dim(op: Operation, dims: Sequence[Dim]) -> Dim:
    wide = [d for d in dims if not _is_one(d)]
    fixed = {d for d in wide if isinstance(d, int)}
    if len(fixed) > 1:
        op.refuse(f"dimensions {sorted(fixed)} do not broadcast")
    if fixed:
        return fixed.pop()
    symbols = [d for d in wide if isinstance(d, tirx.Var)]
    return (symbols or wide or [1])[0]


def broadcast_to(shape: Sequence[Dim], result: Sequence[Dim]) -> list[Dim]:
    """Return an operand's shape with the result's dimensions, but for those that broadcast."""
    own = result[len(result) - len(shape) :]
    return [d if _is_one(d) else r for d, r in zip(shape, own, strict=True)]


def _is_one(dim: Dim) -> bool:
    return isinstance(dim, int) and dim == 1


def _circular(shapes: Sequence[Sequence[Dim]], result: Sequence[Dim]) -> dict[int, Dim]:
    """Return, by column, the expressions of the very symbol that is to stand for them.

    Of `n` and `min(n, 64)`, that is the second. TVM takes a match_cast of it to `n` for a
    definition of `n`, and never stops replacing.
    """
    return {
        place: dim
        for place, (column, symbol) in enumerate(zip(_columns(shapes), result, strict=True))
        for dim in column
        if isinstance(symbol, tirx.Var) and isinstance(dim, Expr) and _occurs(symbol, dim)
    }


def _occurs(symbol: tirx.Var, dim: Expr) -> bool:
    if dim.same_as(symbol):
        return False
    return any(v.same_as(symbol) for v in tirx.analysis.undefined_vars(dim))


def _widened(
    op: Operation, tensors: Sequence[Expr], narrow: Mapping[int, Dim], result: Sequence[Dim]
) -> list[Expr]:
    """Return the tensors of `min(n, 64)` rows as tensors of `n`, after a check that they are.

    The check is on those that have `n` rows: they are matched with `min(n, 64)`.
    """
    checked = []
    for tensor in tensors:
        own = shape_of(tensor)
        lead = len(result) - len(own)
        said = [
            narrow[i + lead] if i + lead in narrow and not _is_one(d) else d
            for i, d in enumerate(own)
        ]
        checked.append(agree(op, tensor, said))
    return [
        op.emit(relax.op.reshape(t, broadcast_to(shape_of(t), result)))
        if _has(shape_of(t), narrow)
        else t
        for t in checked
    ]


def _has(shape: Sequence[Dim], narrow: Mapping[int, Dim]) -> bool:
    return any(
        isinstance(d, Expr) and any(tvm_ffi.structural_equal(d, n) for n in narrow.values())
        for d in shape
    )
