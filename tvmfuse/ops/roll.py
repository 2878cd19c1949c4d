"""`tvmfuse.roll`: elements move around axes, by what only a run knows.

As slices and their concatenation an axis would be three kernels: to TVM, an index that a size is
part of is opaque, and nothing is fused with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    axes = [int(axis) for axis in node.attrs["axes"]]

    def compute(x: te.Tensor, shifts: Sequence[Expr]) -> te.Tensor:
        moved = dict(zip(axes, shifts, strict=True))

        def element(i: tuple[Expr, ...], axis: int = 0) -> Expr:
            if axis == len(i):
                return x(*i)
            shift = moved.get(axis)
            if shift is None:
                return element(i, axis + 1)
            before = i[axis] - shift
            front, rest = (
                element((*i[:axis], place, *i[axis + 1 :]), axis + 1)
                for place in (before + x.shape[axis], before)
            )
            return tirx.if_then_else(before >= 0, rest, front)

        return te.compute(x.shape, lambda *i: element(i), name="roll", tag="injective")

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="roll",
        # Another roll cuts the same axis elsewhere, and which cut comes first is not known.
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


ROLL: Final = define(
    "tvmfuse.roll",
    traits=Traits(kind=Kind.OTHER, why="its result depends on the positions of elements"),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    computes=False,
    doc="Elements that move around an axis.",
)


def roll(x: Expr, shifts: Sequence[Expr], axes: Sequence[int]) -> Call:
    """Roll a tensor.

    Args:
        x: Any shape.
        shifts: By how much, for each of some axes: at least 0, less than the axis is long.
        axes: Which, each once.

    Returns:
        The same shape; element `i` of an axis of `n` is ``x[(i - shift) % n]``.
    """
    return call(ROLL, [x, relax.ShapeExpr(list(shifts))], axes=list(axes))
