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


MOST: Final = 3
"""Axes of one kernel: it reads in three times as many places for each further one."""


def pad(bb: BlockBuilder, call: Call) -> Expr:
    """Lower a pad, some axes at a time; one with a number is TVM's."""
    mode, widths = str(call.attrs.pad_mode), [int(width) for width in call.attrs.pad_width]
    if mode not in ENDS:
        return STOCK(bb, call)
    ends = dict(enumerate(zip(widths[::2], widths[1::2], strict=True)))
    axes = [axis for axis, both in ends.items() if any(both)]
    (found,) = call.args
    for first in range(0, max(1, len(axes)), MOST):
        some = {axis: ends[axis] for axis in axes[first : first + MOST]}
        made = bb.call_te(_padded(mode, some), found, primfunc_name_hint=f"{mode}_pad")
        found = made if first + MOST >= len(axes) else bb.emit(made)
    return found


def _padded(mode: str, ends: Mapping[int, tuple[int, int]]) -> Callable[[te.Tensor], te.Tensor]:
    """Return what pads some axes, each before and after it."""

    def padded(x: te.Tensor) -> te.Tensor:
        def read(i: tuple[Expr, ...], axis: int = 0) -> Expr:
            if axis == len(i):
                return x(*i)
            (begin, end), size = ends.get(axis, (0, 0)), x.shape[axis]
            at = i[axis] - begin

            def inside(place: Expr) -> Expr:
                return read((*i[:axis], place, *i[axis + 1 :]), axis + 1)

            value = inside(at)
            if not begin and not end:
                return value
            before, behind = map(inside, ENDS[mode](at, size))
            value = tirx.if_then_else(at < size, value, behind) if end else value
            return tirx.if_then_else(at >= 0, value, before) if begin else value

        shape = [sum(ends.get(axis, (0, 0)), start=size) for axis, size in enumerate(x.shape)]
        return te.compute(shape, lambda *i: read(i), name=f"{mode}_pad", tag="injective")

    return padded


PADS: Final[Mapping[str, Legalize]] = {"relax.nn.pad": pad}
