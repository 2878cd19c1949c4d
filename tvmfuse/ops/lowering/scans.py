"""Running totals and rankings: TVM lowers them in a pass of its own, after all other operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tvm import te, topi
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder

from tvmfuse.ops.lowering.half import Legalize, in_float32


def _running(compute: Callable[..., te.Tensor]) -> Legalize:
    def legalize(bb: BlockBuilder, call: Call) -> Expr:
        x, attrs = call.args[0], call.attrs
        return bb.call_te(
            compute,
            x,
            axis=None if attrs.axis is None else int(attrs.axis),
            dtype=None if call.ty.dtype == x.ty.dtype else str(call.ty.dtype),
            exclusive=bool(attrs.exclusive),
        )

    return in_float32(legalize)


def _top_k(bb: BlockBuilder, call: Call) -> Expr:
    attrs = call.attrs
    return bb.call_te(
        topi.topk,
        call.args[0],
        k=int(attrs.k),
        axis=int(attrs.axis),
        ret_type=str(attrs.ret_type),
        is_ascend=not attrs.largest,
        dtype=str(attrs.dtype),
    )


SCANS: Final[Mapping[str, Legalize]] = {
    "relax.cumsum": _running(topi.cumsum),
    "relax.cumprod": _running(topi.cumprod),
    "relax.topk": _top_k,
}
