"""Lowerings of sums and products over axes, windows and matrices, for the dtypes of `half`.

In other dtypes TVM's own lowerings stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tvm import te, tirx, topi
from tvm.ir import Call, Expr, Op
from tvm.relax import BlockBuilder

from tvmfuse._tvm import STOCK_LOWERINGS
from tvmfuse.ops.lowering.averages import AVERAGE_POOLS
from tvmfuse.ops.lowering.broadcasting import broadcast
from tvmfuse.ops.lowering.half import HALF, Legalize, in_float32


def _over_axes(name: str, compute: Callable[..., te.Tensor]) -> Legalize:
    def legalize(bb: BlockBuilder, call: Call) -> Expr:
        attrs = call.attrs
        return bb.call_te(
            compute, call.args[0], attrs.axis, attrs.keepdims, primfunc_name_hint=name
        )

    return legalize


def _matmul(bb: BlockBuilder, call: Call) -> Expr:
    """Multiply matrices or vectors; leading dimensions broadcast."""
    shape = call.ty.shape.values

    def matmul(a: te.Tensor, b: te.Tensor) -> te.Tensor:
        k = te.reduce_axis((0, a.shape[-1]), name="k")
        columns = len(b.shape) > 1
        last = columns + (len(a.shape) > 1)

        def element(*i: Expr) -> Expr:
            batch, own = i[: len(i) - last], i[len(i) - last :]
            left = [*broadcast(a.shape[:-2], batch), *own[: last - columns], k]
            right = [*broadcast(b.shape[:-2], batch), k, *own[last - columns :]]
            return te.sum(a(*left) * b(*right), axis=k)

        return te.compute(tuple(shape), element, name="matmul")

    return bb.call_te(matmul, *call.args, primfunc_name_hint="matmul")


def _in_half(wide: Legalize, stock: Legalize) -> Legalize:
    """Lower calls of a half precision in float32, others as `stock` does."""
    lowering = in_float32(wide)

    def legalize(bb: BlockBuilder, call: Call) -> Expr:
        is_half = str(call.ty.dtype) in HALF and not _is_empty(call)
        return lowering(bb, call) if is_half else stock(bb, call)

    return legalize


def _is_empty(call: Call) -> bool:
    """Whether an operand has no elements: the sum of nothing is TVM's to lower."""
    shapes = [getattr(a.ty, "shape", None) for a in call.args]
    sizes = [n for s in shapes for n in getattr(s, "values", ())]
    return any(isinstance(n, tirx.IntImm) and n.value == 0 for n in sizes)


SUMS: Final[Mapping[str, Legalize]] = {
    **{
        name: _in_half(wide, Op.get(name).get_attr("FLegalize"))
        for name, wide in {
            "relax.sum": _over_axes("sum", topi.sum),
            "relax.prod": _over_axes("prod", topi.prod),
            "relax.matmul": _matmul,
            **STOCK_LOWERINGS,
        }.items()
    },
    **{name: _in_half(pool, pool) for name, pool in AVERAGE_POOLS.items()},
}
