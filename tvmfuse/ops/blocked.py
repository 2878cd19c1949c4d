"""`tvmfuse.to_blocked`, `tvmfuse.from_blocked`: NCHW[x]c, channels in blocks that are innermost."""

from __future__ import annotations

from typing import Final

from tvm import relax, te
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer_to(node: Call) -> Type:
    n, c, *spatial = node.args[0].ty.shape.values
    block = node.attrs["block"]
    return relax.TensorType([n, c // block, *spatial, block], node.args[0].ty.dtype)


def _legalize_to(bb: relax.BlockBuilder, node: Call) -> Expr:
    block = node.attrs["block"]

    def compute(x: te.Tensor) -> te.Tensor:
        return te.compute(
            node.ty.shape.values,
            lambda n, c, *rest: x(n, c * block + rest[-1], *rest[:-1]),
            name="to_blocked",
            tag="injective",
        )

    return bb.call_te(compute, node.args[0], primfunc_name_hint="to_blocked")


def _infer_from(node: Call) -> Type:
    n, c, *spatial, block = node.args[0].ty.shape.values
    return relax.TensorType([n, c * block, *spatial], node.args[0].ty.dtype)


def _legalize_from(bb: relax.BlockBuilder, node: Call) -> Expr:
    block = int(node.args[0].ty.shape.values[-1])

    def compute(x: te.Tensor) -> te.Tensor:
        return te.compute(
            node.ty.shape.values,
            lambda n, c, *spatial: x(n, c // block, *spatial, c % block),
            name="from_blocked",
            tag="injective",
        )

    return bb.call_te(compute, node.args[0], primfunc_name_hint="from_blocked")


TO_BLOCKED: Final = define(
    "tvmfuse.to_blocked",
    traits=Traits(kind=Kind.OTHER, why="it changes the layout"),
    infer=_infer_to,
    legalize=_legalize_to,
    doc="NCHW to NCHW[x]c.",
)
FROM_BLOCKED: Final = define(
    "tvmfuse.from_blocked",
    traits=Traits(kind=Kind.OTHER, why="it changes the layout"),
    infer=_infer_from,
    legalize=_legalize_from,
    doc="NCHW[x]c to NCHW.",
)


def to_blocked(x: Expr, block: int) -> Call:
    """Return `x` with its channels in blocks.

    Args:
        x: Shape (N, C, D1..Dr).
        block: Divides C.

    Returns:
        Shape (N, C / block, D1..Dr, block).
    """
    return call(TO_BLOCKED, [x], block=block)


def from_blocked(x: Expr) -> Call:
    """Return what `to_blocked` was given.

    Args:
        x: Shape (N, C / block, D1..Dr, block).
    """
    return call(FROM_BLOCKED, [x])
