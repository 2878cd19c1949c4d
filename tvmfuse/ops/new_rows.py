"""`tvmfuse.new_rows`: a buffer of zeros whose memory nothing else is kept in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, topi
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    return bb.call_te(
        lambda shape: topi.full(tuple(shape), str(node.attrs["dtype"]), 0),
        node.args[0],
        primfunc_name_hint="new_rows",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


NEW_ROWS: Final = define(
    "tvmfuse.new_rows",
    traits=Traits(kind=Kind.OTHER, why="each call gives other memory", random=True),
    infer=lambda node: relax.TensorType(node.args[0], str(node.attrs["dtype"])),
    legalize=_legalize,
    computes=False,
    doc="Rows that `tvmfuse.put_row` may write over.",
)


def new_rows(shape: Sequence[Expr | int], dtype: str) -> Call:
    """Return a buffer of zeros for `put_row`: it is no constant, and two are never one."""
    return call(NEW_ROWS, [relax.ShapeExpr(list(shape))], dtype=dtype)
