"""Numpy broadcasting of tensors whose dimensions may be symbolic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import tvm_ffi
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.sizes import LARGEST
from tvmfuse.ir.types import dtype_of

_LARGEST: Final = tirx.const(LARGEST, "int64")
_NOTHING: Final = tirx.const(0, "int64")


def aligned(op: Operation, tensors: Sequence[Expr]) -> list[Expr]:
    """Return tensors whose shapes provably broadcast.

    Where two symbolic dimensions meet, they are taken to be equal: the model requires that of what
    it is fed, or checks it when it runs. Nothing is broadcast on a guess.
    """
    result = broadcast_shape(op, [require_shape(t) for t in tensors])
    return [agree(op, t, broadcast_to(op, require_shape(t), result), sure=False) for t in tensors]


def agree(op: Operation, tensor: Expr, shape: Sequence[Dim], *, sure: bool = True) -> Expr:
    """Return a tensor with these dimensions for its own, constrained or checked when it runs.

    Args:
        op: For whose sake.
        tensor: A tensor of as many dimensions.
        shape: What they have to be.
        sure: See `Operation.same`.
    """
    own = require_shape(tensor)
    op.require(len(own) == len(shape), f"its operand has {len(own)} dimensions, not {len(shape)}")
    seen = [op.same(a, b, sure=sure) for a, b in zip(own, shape, strict=True)]
    if not all(seen):
        said = [a if s else b for a, b, s in zip(own, shape, seen, strict=True)]
        tensor = _checked(op, tensor, said)
    elif all(op.symbols.evident(a, b) for a, b in zip(own, shape, strict=True)):
        return tensor
    if tvm_ffi.structural_equal(tensor.ty.shape, relax.ShapeExpr(list(shape))):
        return tensor
    return op.emit(in_shape(tensor, list(shape)))


def at_most(op: Operation, tensor: Expr, limits: Sequence[Dim]) -> Expr:
    """Return a tensor none of whose dimensions exceeds its limit, by a constraint or a check."""
    own = require_shape(tensor)
    op.require(len(own) == len(limits), f"its operand has {len(own)} dimensions, not {len(limits)}")
    least = [op.symbols.smaller(a, b) for a, b in zip(own, limits, strict=True)]
    if all(op.same(a, b) for a, b in zip(own, least, strict=True)):
        return tensor
    return op.emit(in_shape(agree(op, tensor, least), own))


def with_dim(op: Operation, tensor: Expr, axis: int, dim: Dim) -> Expr:
    """Return a tensor that has this dimension there, as `agree` does."""
    shape = require_shape(tensor)
    op.require(-len(shape) <= axis < len(shape), f"its operand has no axis {axis}")
    shape[axis] = dim
    return agree(op, tensor, shape)


def _checked(op: Operation, tensor: Expr, shape: Sequence[Dim]) -> Expr:
    """Return a tensor that is matched with a shape as the model runs.

    TVM takes a match with the bare symbol `n` for a definition of `n`, and forgets the check: it is
    matched with `n` that is not the largest size, which it never is. `min(n, the largest size)`
    has a bound, and TVM's memory planner multiplies bounds until 64 bits do not hold them.
    """
    said = [
        d
        if not isinstance(d, tirx.Var) or op.symbols.equal(a, d)
        else tirx.Select(d != _LARGEST, d, _NOTHING)
        for a, d in zip(require_shape(tensor), shape, strict=True)
    ]
    return op.match(tensor, relax.TensorType(said, dtype_of(tensor)))


def broadcast_shape(op: Operation, shapes: Sequence[Sequence[Dim]]) -> list[Dim]:
    """Return the shape that these shapes broadcast to, if those that meet are equal."""
    rank = max(len(s) for s in shapes)
    columns = zip(*([1] * (rank - len(s)) + list(s) for s in shapes), strict=True)
    return [_broadcast_dim(op, column) for column in columns]


def _broadcast_dim(op: Operation, dims: Sequence[Dim]) -> Dim:
    first, *others = wide = [d for d in dims if not _is_one(d)] or [1]
    if all(op.symbols.equal(first, d) for d in others):
        return first
    # What is 0 or 1 has to be 1 to go with what may be more.
    wide = [d for d in wide if not op.symbols.at_most_one(d)] or [1]
    fixed = {d for d in wide if isinstance(d, int)}
    if len(fixed) > 1:
        op.refuse(f"dimensions {sorted(fixed)} do not broadcast")
    if fixed:
        return fixed.pop()
    return next((d for d in wide if isinstance(d, tirx.Var)), wide[0])


def broadcast_to(op: Operation, shape: Sequence[Dim], result: Sequence[Dim]) -> list[Dim]:
    """Return an operand's shape with the result's dimensions, but for those that broadcast."""
    own = result[len(result) - len(shape) :]
    return [_operand_dim(op, d, r) for d, r in zip(shape, own, strict=True)]


def _operand_dim(op: Operation, dim: Dim, result: Dim) -> Dim:
    if op.symbols.equal(dim, result):
        return result
    return 1 if op.symbols.at_most_one(dim) else result


def _is_one(dim: Dim) -> bool:
    return isinstance(dim, int) and dim == 1
