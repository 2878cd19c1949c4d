"""`tvmfuse.write_rows`: some rows of a tensor are overwritten, each at a place of its own.

A scatter along one axis, of whole rows. Its kernel copies the tensor and then stores the rows, so
that what is left without the copy writes a cache in place (`tvmfuse.build.in_place`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Var
from tvm.tirx import Buffer, BufferStore, SeqStmt, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.stages import copied, looped
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    axis = int(node.attrs["axis"])

    def compute(x: te.Tensor, places: te.Tensor, rows: te.Tensor) -> te.Tensor:
        written = tirx.decl_buffer(x.shape, x.dtype, "written", layout=None)
        return te.extern(
            [x.shape],
            [x, places, rows],
            lambda ins, outs: _kernel(axis, ins, outs[0]),
            dtype=x.dtype,
            out_buffers=[written],  # which begins where its memory does
            name="write_rows",
        )

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="write_rows",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _kernel(axis: int, operands: Sequence[Buffer], result: Buffer) -> Stmt:
    x, places, rows = operands

    def write(*at: Var) -> Stmt:
        place = places[at[axis]].astype("int64")
        return BufferStore(result, rows[at], [*at[:axis], place, *at[axis + 1 :]])

    copy = copied(x, result)
    # In order: where two rows have one place, the last one stays.
    return SeqStmt([copy, looped([*rows.shape], write)])


WRITE_ROWS: Final = define(
    "tvmfuse.write_rows",
    traits=Traits(kind=Kind.OTHER, why="its rows lie along one axis, and its places along none"),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    computes=False,
    doc="ONNX ScatterND and torch's index_copy along one axis.",
)


def write_rows(x: Expr, places: Expr, rows: Expr, axis: int) -> Call:
    """Overwrite rows of a tensor.

    Args:
        x: Any shape.
        places: Where each row goes, of integers, (N,); from 0 to the axis's size - 1.
        rows: The shape of `x`, with N along the axis.
        axis: The axis.

    Returns:
        The shape of `x`.
    """
    return call(WRITE_ROWS, [x, places, rows], axis=axis)
