"""`tvmfuse.put_row`: a row is written into a buffer, which keeps its memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Range, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import Buffer, BufferLoad, BufferStore, For, ForKind, IterVar, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    row, number, buffer = node.args

    def compute(row: te.Tensor, number: te.Tensor, shape: Sequence[Expr]) -> te.Tensor:
        return te.extern(
            [tuple(shape)],
            [row, number],
            lambda ins, outs: _kernel(*ins, *outs),
            dtype=[row.dtype],
            name="put_row",
        )

    fresh = bb.call_te(
        compute,
        *(row, number, buffer.ty.shape),
        primfunc_name_hint="put_row",
        primfunc_attrs={"op_pattern": OPAQUE},
    )
    # What would be allocated for its result is the buffer.
    kernel, operands = fresh.args
    given = [*operands.fields, buffer]
    return relax.op.call_tir_inplace(kernel, relax.Tuple(given), [len(given) - 1], buffer.ty)


def _kernel(row: Buffer, number: Buffer, buffer: Buffer) -> Stmt:
    """Return loops that store the row where the number says."""
    zero = tirx.const(0, "int64")
    extents = [*row.shape[1:]]
    loops = [Var(f"i_{n}", "int64") for n in range(len(extents))]
    places = [Var(f"v_{n}", "int64") for n in range(len(extents))]
    axes = [
        IterVar(Range(zero, extent), place, IterVar.DataPar)
        for extent, place in zip(extents, places, strict=True)
    ]
    store = BufferStore(buffer, BufferLoad(row, [zero, *places]), [BufferLoad(number, []), *places])
    block = SBlock(axes, [], [], "put_row", store)
    nest: Stmt = SBlockRealize(loops, tirx.const(1, "bool"), block)
    for loop, extent in zip(reversed(loops), reversed(extents), strict=True):
        nest = For(loop, zero, extent, ForKind.SERIAL, nest)
    return nest


PUT_ROW: Final = define(
    "tvmfuse.put_row",
    traits=Traits(kind=Kind.OTHER, why="it writes over its operand", random=True, unchecked=True),
    infer=lambda node: node.args[2].ty,
    legalize=_legalize,
    computes=False,
    doc="A row of a buffer, written in place.",
)


def put_row(row: Expr, number: Expr, buffer: Expr) -> Call:
    """Write a row into a buffer, and return the buffer; nobody may read the one before any more.

    Args:
        row: Shape (1, ...).
        number: Which row it becomes, int64, (); the buffer has as many.
        buffer: Shape (rows, ...), in memory that nothing else is kept in.
    """
    return call(PUT_ROW, [row, number, buffer])
