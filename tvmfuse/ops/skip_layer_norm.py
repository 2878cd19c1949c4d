"""`tvmfuse.skip_layer_norm`: a residual sum, and its norm."""

from __future__ import annotations

from typing import Final

from tvm import relax, te
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.norms import Sums, layer_norm, rms_norm
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    ty = node.args[0].ty
    return relax.TupleType([ty, ty]) if node.attrs["sums"] else ty


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    epsilon, stored = float(node.attrs["epsilon"]), bool(node.attrs["sums"])
    norm = layer_norm if node.attrs["centers"] else rms_norm
    parameters = 2 if node.attrs["centers"] else 1

    def compute(x: te.Tensor, skip: te.Tensor, *rest: te.Tensor) -> te.Tensor | list[te.Tensor]:
        bias = rest[parameters:]

        def added(*i: Expr) -> Expr:
            return (x(*i) + bias[0](i[-1]) if bias else x(*i)) + skip(*i)

        if not stored:
            return norm(Sums(x.shape, x.dtype, added), *rest[:parameters], epsilon=epsilon)
        sums = te.compute(x.shape, added, name="sums")
        return [norm(sums, *rest[:parameters], epsilon=epsilon), sums]

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="skip_layer_norm",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


SKIP_LAYER_NORM: Final = define(
    "tvmfuse.skip_layer_norm",
    traits=Traits(
        reads_memory=True,
        kind=Kind.OTHER,
        why="it normalizes along the last axes, whichever those are",
    ),
    infer=_infer,
    legalize=_legalize,
    doc="A residual sum and its normalization.",
)


def skip_layer_norm(
    x: Expr,
    skip: Expr,
    gamma: Expr,
    beta: Expr | None = None,
    bias: Expr | None = None,
    *,
    epsilon: float,
    sums: bool,
) -> Call:
    """Add two tensors and normalize the rows of their sum.

    Args:
        x: Shape (..., N).
        skip: Of the same shape.
        gamma: What normalized rows are multiplied by, (N,).
        beta: What is added to them, (N,). None for an RMS norm, which does not center rows, either.
        bias: Added to every row of `x`, (N,), or None.
        epsilon: Added to each row's variance or mean square.
        sums: Whether the result is a tuple of the normalized rows and the sums.
    """
    return call(
        SKIP_LAYER_NORM,
        [x, skip, gamma, beta, bias],
        centers=beta is not None,
        epsilon=float(epsilon),
        sums=sums,
    )
