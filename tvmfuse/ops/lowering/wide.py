"""Concatenations and splits of many tensors: kernels of a few each, in levels.

Each tensor of a kernel takes a hundredth of a second to compile, hundreds of them take more than
that, and of thousands LLVM runs out of stack. So what kernels of a few tensors make is put together
by further ones. Most of a level are the same kernel.

    Before::  y = concat(x0, ..., x99)
    After::   y = concat(concat(x0, ..., x31), ..., concat(x96, ..., x99))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tvm import relax, topi
from tvm.ir import Call, Expr, Op, TupleGetItem
from tvm.relax import BlockBuilder, Var

from tvmfuse.ops.definition import OPAQUE
from tvmfuse.ops.levels import batches, split_in_levels
from tvmfuse.ops.lowering.half import Legalize

#: Tensors that one kernel puts together, or takes apart.
WIDEST: Final = 32

#: What keeps `FuseOps` from making one kernel of the levels.
_APART: Final = {"op_pattern": OPAQUE}

_CONCAT: Final[Legalize] = Op.get("relax.concat").get_attr("FLegalize")
_SPLIT: Final[Legalize] = Op.get("relax.split").get_attr("FLegalize")


def _concat(bb: BlockBuilder, call: Call) -> Expr:
    tensors = _elements(bb, call.args[0])
    if len(tensors) <= WIDEST:
        return _CONCAT(bb, call)
    axis = int(call.attrs.axis or 0)

    def together(some: Sequence[Expr]) -> Expr:
        return bb.call_te(topi.concatenate, list(some), axis, primfunc_attrs=_APART)

    while len(tensors) > WIDEST:
        tensors = [bb.emit(together(some)) for some in batches(tensors, WIDEST)]
    return together(tensors)


def _elements(bb: BlockBuilder, operands: Expr) -> list[Expr]:
    """Return the tensors of a tuple, be it written out or bound to a variable."""
    found = operands
    while isinstance(found, Var) and isinstance(bound := bb.lookup_binding(found), Expr):
        found = bound
    if isinstance(found, relax.Tuple):
        return list(found.fields)
    return [TupleGetItem(operands, place) for place in range(len(operands.ty.fields))]


def _split(bb: BlockBuilder, call: Call) -> Expr:
    axis = int(call.attrs.axis)
    sizes = [part.shape.values[axis] for part in call.ty.fields]
    if len(sizes) <= WIDEST:
        return _SPLIT(bb, call)

    def taken_apart(x: Expr, ends: Sequence[int]) -> Expr:
        return bb.call_te(topi.split, x, [*ends], axis, primfunc_attrs=_APART)

    # The last part has what the others leave.
    parts = [*map(int, sizes[:-1]), 0]
    return relax.Tuple(split_in_levels(call.args[0], parts, WIDEST, taken_apart, bb.emit))


WIDE: Final[Mapping[str, Legalize]] = {"relax.concat": _concat, "relax.split": _split}
