"""Parts of a tensor that is split."""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Call, Expr, TupleGetItem
from tvm.tirx import IntImm

from tvmfuse.ir.dataflow import op_name

SPLIT: Final = "relax.split"


def as_slice(part: Expr, split: Expr | None) -> Call | None:
    """Return a part of a split as a slice of what is split.

    Args:
        part: What is taken from a tuple.
        split: What the tuple is bound to.

    Returns:
        None where that is no split, or where it is not known at which index the part begins.
    """
    if not isinstance(part, TupleGetItem) or op_name(split) != SPLIT:
        return None
    assert split is not None
    axis = int(split.attrs.axis) % int(split.args[0].ty.ndim)
    fields = split.ty.fields[: part.index + 1]
    sizes = [field.shape.values[axis] for field in fields]
    known = [int(size) for size in sizes if isinstance(size, IntImm)]
    if len(known) < len(sizes):
        return None
    end = sum(known)
    return relax.op.strided_slice(split.args[0], [axis], [end - known[-1]], [end])
