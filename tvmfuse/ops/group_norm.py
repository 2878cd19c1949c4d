"""`tvmfuse.group_norm`: channels are normalized in groups."""

from __future__ import annotations

from typing import Final

from tvm import relax, te
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering.half import in_float32
from tvmfuse.ops.lowering.norms import normalize
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    epsilon = float(node.attrs["epsilon"])

    def compute(x: te.Tensor, scale: te.Tensor, bias: te.Tensor) -> te.Tensor:
        normal = normalize(x, len(x.shape) - 2, epsilon=epsilon)
        return te.compute(
            x.shape,
            lambda *i: normal(*i) * scale(*i[1:3]) + bias(*i[1:3]),
            name="group_norm",
        )

    return bb.call_te(compute, *node.args, primfunc_name_hint="group_norm")


GROUP_NORM: Final = define(
    "tvmfuse.group_norm",
    traits=Traits(kind=Kind.OTHER, why="it normalizes along all axes from the third one on"),
    infer=lambda node: node.args[0].ty,
    legalize=in_float32(_legalize),
    doc="ONNX GroupNormalization.",
)


def group_norm(x: Expr, scale: Expr, bias: Expr, *, epsilon: float) -> Call:
    """Normalize each group of each image, in two passes: mean, then variance.

    Args:
        x: Shape (N, groups, channels of a group, ...).
        scale: What each normalized channel is multiplied by, (groups, channels of a group).
        bias: What is added to it, of the same shape.
        epsilon: Added to each group's variance.
    """
    return call(GROUP_NORM, [x, scale, bias], epsilon=float(epsilon))
