"""Pads that repeat elements: a branch for each end of an axis, around what is read.

TVM computes where an element is read by choices within its address, which no vector follows, and
for axes that are not padded, too. As branches, the axis is cut where they change, whatever its
size (`schedules/conditions.py`)::

    reflect of n elements by (b, e):   x[b - i]              for i < b
                                       x[i - b]              for b <= i < b + n
                                       x[2 n - 2 + b - i]    for b + n <= i
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tvm import te, tirx
from tvm.ir import Call, Expr, Op
from tvm.relax import BlockBuilder

from tvmfuse.ops.lowering.half import Legalize

STOCK: Final[Legalize] = Op.get("relax.nn.pad").get_attr("FLegalize")

ENDS: Final[Mapping[str, Callable[[Expr, Expr], tuple[Expr, Expr]]]] = {
    "reflect": lambda at, n: (-at, 2 * n - 2 - at),
    "replicate": lambda at, n: (tirx.const(0, "int64"), n - 1),
    "circular": lambda at, n: (at + n, at - n),
}
"""For each mode, which of n elements comes before the first one and behind the last."""


def pad(bb: BlockBuilder, call: Call) -> Expr:
    """Lower a pad; one with a number is TVM's."""
    mode, widths = str(call.attrs.pad_mode), [int(width) for width in call.attrs.pad_width]
    if mode not in ENDS:
        return STOCK(bb, call)
    begins, ends = widths[::2], widths[1::2]

    def padded(x: te.Tensor) -> te.Tensor:
        def read(i: tuple[Expr, ...], axis: int = 0) -> Expr:
            if axis == len(i):
                return x(*i)
            begin, end, size = begins[axis], ends[axis], x.shape[axis]
            at = i[axis] - begin

            def inside(place: Expr) -> Expr:
                return read((*i[:axis], place, *i[axis + 1 :]), axis + 1)

            before, behind = map(inside, ENDS[mode](at, size))
            value = inside(at)
            value = tirx.if_then_else(at < size, value, behind) if end else value
            return tirx.if_then_else(at >= 0, value, before) if begin else value

        shape = [b + n + e for b, n, e in zip(begins, x.shape, ends, strict=True)]
        return te.compute(shape, lambda *i: read(i), name=f"{mode}_pad", tag="injective")

    return bb.call_te(padded, *call.args, primfunc_name_hint=f"{mode}_pad")


PADS: Final[Mapping[str, Legalize]] = {"relax.nn.pad": pad}
