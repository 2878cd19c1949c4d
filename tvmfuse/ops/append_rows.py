"""`tvmfuse.append_rows`: new keys or values behind those of a cache, for each sequence its own."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    *_, new, _, total = node.args
    batch, heads, _, size = new.ty.shape.values
    return relax.TensorType([batch, heads, total.values[0], size], new.ty.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    *tensors, _ = node.args

    def compute(*operands: te.Tensor) -> te.Tensor:
        *past, new, starts = operands

        def row(b: te.Var, h: te.Var, t: te.Var, d: te.Var) -> Expr:
            zero, place = tirx.const(0, new.dtype), t - starts(b)
            count = new.shape[2]
            before = zero
            if past:
                there = tirx.And(place < 0, t < past[0].shape[2])
                before = tirx.if_then_else(there, past[0](b, h, t, d), zero)
            inside = tirx.And(place >= 0, place < count)
            return tirx.if_then_else(inside, new(b, h, place, d), before)

        return te.compute(tuple(node.ty.shape.values), row, name="append_rows", tag="injective")

    return bb.call_te(compute, *tensors, primfunc_name_hint="append_rows")


APPEND_ROWS: Final = define(
    "tvmfuse.append_rows",
    traits=Traits(kind=Kind.OTHER, why="which rows it reads depends on numbers"),
    infer=_infer,
    legalize=_legalize,
    doc="Rows of a cache, and new ones behind them.",
)


def append_rows(past: Expr | None, new: Expr, starts: Expr, total: Expr | int) -> Call:
    """Append rows to those of a cache.

    Args:
        past: Shape (B, N, P, H), or None.
        new: Shape (B, N, S, H).
        starts: How many rows of `past` each sequence keeps, int64, (B,).
        total: How many rows the result has; those behind the new ones are 0.

    Returns:
        Shape (B, N, total, H).
    """
    return call(APPEND_ROWS, [past, new, starts, relax.ShapeExpr([total])])
