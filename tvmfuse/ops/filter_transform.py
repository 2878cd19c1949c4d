"""`tvmfuse.filter_transform`: weights for `winograd` that are computed when the model runs."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax, te
from tvm.ir import Call, Expr, Type

from tvmfuse.ir.types import constant
from tvmfuse.ops.cook_toom import minimal_filtering
from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits
from tvmfuse.ops.winograd import TAPS


def _infer(node: Call) -> Type:
    weight, matrix = (arg.ty for arg in node.args)
    outs, ins, *_, inner, block = weight.shape.values
    t = matrix.shape.values[0]
    return relax.TensorType([outs, t, t, ins, inner, block], weight.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(weight: te.Tensor, matrix: te.Tensor) -> te.Tensor:
        k, m = (te.reduce_axis((0, TAPS), name=name) for name in ("k0", "k1"))
        return te.compute(
            node.ty.shape.values,
            lambda o, a, b, c, i, j: te.sum(
                matrix(a, b, k, m) * weight(o, c, k, m, i, j), axis=[k, m]
            ),
            name="filter_transform",
        )

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="filter_transform",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


FILTER_TRANSFORM: Final = define(
    "tvmfuse.filter_transform",
    traits=Traits(kind=Kind.OTHER, why="a sum of products"),
    infer=_infer,
    legalize=_legalize,
    doc="Weights of 3x3, transformed for minimal filtering.",
)


def filter_transform(weight: Expr, m: int) -> Call:
    """Return weights as `winograd` reads them, computed in their own dtype.

    Args:
        weight: Shape (O / b, I / a, 3, 3, a, b), float32.
        m: Outputs of a tile in each direction.

    Returns:
        Shape (O / b, m + 2, m + 2, I / a, a, b).
    """
    g = minimal_filtering(m, TAPS).weights
    both = np.einsum("ik,jl->ijkl", g, g).astype("float32")
    return call(FILTER_TRANSFORM, [weight, constant(both)])
