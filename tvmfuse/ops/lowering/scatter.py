"""ONNX ScatterElements and ScatterND: elements are replaced, or combined with others.

TVM's kernel of the former takes the indices for as wide as the tensor along the other axes, and
ONNX's may be narrower; minima and maxima of both lose NaN.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvm import te, tirx
from tvm.ir import Call, Expr, Op, Var
from tvm.relax import BlockBuilder
from tvm.tirx import Buffer, BufferLoad, BufferStore, SeqStmt, Stmt

from tvmfuse.ir.types import is_float
from tvmfuse.ops.lowering.half import Legalize
from tvmfuse.ops.lowering.stages import copied, looped

Combine = Callable[[Expr, Expr], Expr]

Store = Callable[[Sequence[Expr], Expr], Stmt]
"""Combines the result's element at some indices with a new one."""

Kernel = Callable[[Store, Buffer, Buffer, Buffer], Stmt]
"""Given the tensor, the indices and the updates."""

_STOCK_ND: Final[Legalize] = Op.get("relax.scatter_nd").get_attr("FLegalize")


def _extreme(better: Combine, plain: Combine) -> Combine:
    """Return an extremum that NaN goes through."""

    def combine(old: Expr, new: Expr) -> Expr:
        if not is_float(old):
            return plain(old, new)
        return tirx.Select(tirx.any(better(old, new), tirx.isnan(old.astype("float32"))), old, new)

    return combine


COMBINE: Final[Mapping[str, Combine]] = {
    "update": lambda _, new: new,
    "add": lambda old, new: old + new,
    "mul": lambda old, new: old * new,
    "min": _extreme(lambda old, new: old <= new, tirx.min),
    "max": _extreme(lambda old, new: old >= new, tirx.max),
}


def _scatter_elements(bb: BlockBuilder, call: Call) -> Expr:
    axis = int(call.attrs.axis)
    axis += len(call.args[0].ty.shape.values) if axis < 0 else 0
    return _scattered(bb, call, functools.partial(_along, axis))


def _scatter_nd(bb: BlockBuilder, call: Call) -> Expr:
    if str(call.attrs.reduction) in ("min", "max"):
        return _scattered(bb, call, _at_points)
    return _STOCK_ND(bb, call)


def _scattered(bb: BlockBuilder, call: Call, kernel: Kernel) -> Expr:
    combine, name = COMBINE[str(call.attrs.reduction)], call.op.name.removeprefix("relax.")

    def compute(x: te.Tensor, indices: te.Tensor, updates: te.Tensor) -> te.Tensor:
        scattered = tirx.decl_buffer(x.shape, x.dtype, "scattered", layout=None)

        def body(ins: Sequence[Buffer], outs: Sequence[Buffer]) -> Stmt:
            def store(where: Sequence[Expr], new: Expr) -> Stmt:
                return BufferStore(outs[0], combine(BufferLoad(outs[0], where), new), where)

            return SeqStmt([copied(ins[0], outs[0]), kernel(store, *ins)])

        return te.extern(
            [x.shape],
            [x, indices, updates],
            body,
            dtype=x.dtype,
            out_buffers=[scattered],  # which begins where its memory does
            name=name,
        )

    return bb.call_te(compute, *call.args, primfunc_name_hint=name)


def _along(axis: int, store: Store, x: Buffer, indices: Buffer, updates: Buffer) -> Stmt:
    # Iterations of one axis share no element but if it is that of the places.
    order = sorted(range(len(indices.shape)), key=lambda n: (n == axis, n))

    def body(*counted: Var) -> Stmt:
        at = [counted[order.index(n)] for n in range(len(order))]
        place = _place(indices[at], x.shape[axis])
        return store([*at[:axis], place, *at[axis + 1 :]], updates[at])

    return looped([indices.shape[n] for n in order], body, independent=len(order) - 1)


def _at_points(store: Store, x: Buffer, indices: Buffer, updates: Buffer) -> Stmt:
    count, depth = len(indices.shape) - 1, int(indices.shape[-1])
    # What a point replaces is a row; along the last axis its elements lie side by side.
    outer = max(len(x.shape) - depth - 1, 0)

    def body(*counted: Var) -> Stmt:
        point = counted[outer : outer + count]
        inside = [*counted[:outer], *counted[outer + count :]]
        places = [_place(indices[[*point, n]], x.shape[n]) for n in range(depth)]
        return store([*places, *inside], updates[[*point, *inside]])

    row = updates.shape[count:]
    sizes = [*row[:outer], *updates.shape[:count], *row[outer:]]
    return looped(sizes, body, independent=outer)


def _place(index: Expr, size: Expr) -> Expr:
    index = index.astype("int64")
    return tirx.Select(index < 0, index + size, index)


SCATTER: Final[Mapping[str, Legalize]] = {
    "relax.scatter_elements": _scatter_elements,
    "relax.scatter_nd": _scatter_nd,
}
