"""Running totals and rankings: TVM lowers them in a pass of its own, after all other operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Final

from tvm import te, tirx
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.lowering.half import Legalize, in_float32
from tvmfuse.ops.lowering.top_k import top_k

Combine = Callable[[Expr, Expr], Expr]

INT64: Final = "int64"

LANES: Final = 16

COLUMNS: Final = 64 * LANES
"""Columns that go down together: the row above stays in the cache, threads have strips enough."""


def _running(name: str, combine: Combine, neutral: int) -> Legalize:
    def legalize(bb: BlockBuilder, call: Call) -> Expr:
        x, attrs = call.args[0], call.attrs
        casts, exclusive = str(call.ty.dtype) != str(x.ty.dtype), bool(attrs.exclusive)
        shape = [*x.ty.shape.values]
        axis = None if attrs.axis is None else int(attrs.axis) % len(shape)
        one = tirx.const(1, INT64)
        if axis is None:
            sizes = [one, prod(shape, start=one), one]
        else:
            before, after = (prod(part, start=one) for part in (shape[:axis], shape[axis + 1 :]))
            sizes = [before, shape[axis], after]

        def columns(x: te.Tensor) -> te.Tensor:
            dtype = str(call.ty.dtype if casts else x.dtype)
            first = tirx.const(neutral, dtype) if exclusive else None
            return te.extern(
                [[*call.ty.shape.values]],
                [x],
                lambda ins, outs: _down(ins[0], outs[0], sizes, combine, first),
                dtype=dtype,
                name="running",
            )

        return bb.call_te(columns, x, primfunc_name_hint=name)

    return in_float32(legalize)


def _down(
    x: Buffer, y: Buffer, sizes: Sequence[Expr], combine: Combine, first: Expr | None
) -> Stmt:
    """Write running totals of columns: each row is the one above and its own number.

    Args:
        x: The numbers, row after row.
        y: The totals.
        sizes: How many matrices there are, their rows and their columns.
        combine: Adds or multiplies.
        first: What an exclusive total begins with.
    """
    matrices, rows, width = sizes
    strips = tirx.floordiv(width + (COLUMNS - 1), COLUMNS)
    with IRBuilder() as builder:
        with write.seq_scope():
            given, totals = write.buffer_proxy(x), write.buffer_proxy(y)

            def begin(at: Expr) -> None:
                totals[at] = given[at].astype(y.dtype) if first is None else first

            def go_on(at: Expr) -> None:
                own = given[at if first is None else at - width].astype(y.dtype)
                totals[at] = combine(totals[at - width], own)

            def along(element: Callable[[Expr], None], row: Expr, columns: Expr) -> None:
                whole = tirx.floordiv(columns, LANES)
                with write.serial(0, whole) as vector, write.vectorized(0, LANES) as lane:
                    element(row + vector * LANES + lane)
                with write.serial(0, columns - whole * LANES) as column:
                    element(row + whole * LANES + column)

            with write.parallel(0, matrices * strips) as strip:
                left = tirx.floormod(strip, strips) * COLUMNS
                columns = tirx.min(tirx.const(COLUMNS, INT64), width - left)
                top = tirx.floordiv(strip, strips) * rows * width + left
                with write.serial(0, tirx.min(rows, tirx.const(1, INT64))):
                    along(begin, top, columns)
                with write.serial(0, rows - 1) as above:
                    along(go_on, top + (above + 1) * width, columns)
        return builder.get()


SCANS: Final[Mapping[str, Legalize]] = {
    "relax.cumsum": _running("cumsum", operator.add, 0),
    "relax.cumprod": _running("cumprod", operator.mul, 1),
    "relax.topk": top_k,
}
