"""`tvmfuse.bias_gelu`: a bias and a gelu, ``gelu(x + bias)``."""

from __future__ import annotations

from typing import Final

from tvm import relax, te
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering import activations
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    activate = activations.gelu_tanh if node.attrs["approximate"] else activations.gelu

    def compute(x: te.Tensor, bias: te.Tensor) -> te.Tensor:
        total = te.compute(x.shape, lambda *i: x(*i) + bias(i[-1]), name="add", tag="broadcast")
        return te.compute(x.shape, lambda *i: activate(total(*i)), name="gelu", tag="elemwise")

    return bb.call_te(compute, *node.args, primfunc_name_hint="bias_gelu")


BIAS_GELU: Final = define(
    "tvmfuse.bias_gelu",
    traits=Traits(kind=Kind.OTHER, why="its bias is added along the last axis, whichever that is"),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    doc="gelu(x + bias).",
)


def bias_gelu(x: Expr, bias: Expr, *, approximate: bool = False) -> Call:
    """Add a bias to the last axis and apply gelu.

    Args:
        x: Shape (..., N).
        bias: Shape (N,).
        approximate: Whether a tanh takes the place of erf.
    """
    return call(BIAS_GELU, [x, bias], approximate=approximate)
