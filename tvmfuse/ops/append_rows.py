"""`tvmfuse.append_rows`: new keys or values behind those of a cache, for each sequence its own."""

from __future__ import annotations

from typing import Any, Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm_ffi import structural_equal

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits

#: An attribute of the kernel: rows that are neither new nor before the new ones may hold anything.
REST_IS_FREE: Final = "tvmfuse.rest_is_free"


def _infer(node: Call) -> Type:
    *_, new, _, total = node.args
    shape = [*new.ty.shape.values]
    shape[int(node.attrs["axis"])] = total.values[0]
    return relax.TensorType(shape, new.ty.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    *tensors, total = node.args
    axis, keeps_rest = int(node.attrs["axis"]), bool(node.attrs["keeps_rest"])

    # A kernel knows its operands' sizes by names of its own.
    as_long = len(tensors) > 2 and structural_equal(total, _length(tensors[0], axis))

    def compute(*operands: te.Tensor) -> te.Tensor:
        *past, new, starts = operands

        def element(*at: te.Var) -> Expr:
            zero, place = tirx.const(0, new.dtype), at[axis] - starts(at[0])
            before = zero
            if past and keeps_rest:
                before = past[0](*at)
            elif past:
                there = tirx.And(place < 0, at[axis] < past[0].shape[axis])
                before = tirx.if_then_else(there, past[0](*at), zero)
            inside = tirx.And(place >= 0, place < new.shape[axis])
            return tirx.if_then_else(inside, new(*at[:axis], place, *at[axis + 1 :]), before)

        shape = [*new.shape]
        shape[axis] = past[0].shape[axis] if as_long else node.ty.shape.values[axis]
        return te.compute(tuple(shape), element, name="append_rows", tag="injective")

    # Apart from others the kernel has a form that writes into the cache.
    attributes: dict[str, Any] = {"op_pattern": OPAQUE} if as_long else {}
    if not keeps_rest:
        attributes[REST_IS_FREE] = 1
    return bb.call_te(
        compute, *tensors, primfunc_name_hint="append_rows", primfunc_attrs=attributes or None
    )


def _length(tensor: Expr, axis: int) -> relax.ShapeExpr:
    return relax.ShapeExpr([tensor.ty.shape.values[axis]])


APPEND_ROWS: Final = define(
    "tvmfuse.append_rows",
    traits=Traits(kind=Kind.OTHER, why="which rows it reads depends on numbers"),
    infer=_infer,
    legalize=_legalize,
    computes=False,
    doc="Rows of a cache, and new ones behind them.",
)


def append_rows(
    past: Expr | None,
    new: Expr,
    starts: Expr,
    total: Expr | int,
    *,
    axis: int = 2,
    keeps_rest: bool = False,
) -> Call:
    """Append rows to those of a cache.

    Args:
        past: Shape (B, ..., P, ...), or None.
        new: Shape (B, ..., S, ...), the other sizes those of `past`.
        starts: How many rows of `past` each sequence keeps, int64, (B,).
        total: How many rows the result has; those behind the new ones are 0 and may be anything.
        axis: That of the rows; not the first.
        keeps_rest: Whether those behind are the rows of `past` there; `total` is P then.

    Returns:
        Shape (B, ..., total, ...).
    """
    rows = relax.ShapeExpr([total])
    return call(APPEND_ROWS, [past, new, starts, rows], axis=axis, keeps_rest=keeps_rest)
