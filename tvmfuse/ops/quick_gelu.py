"""`tvmfuse.quick_gelu`: a number times a sigmoid of it, ``x * sigmoid(alpha * x)``."""

from __future__ import annotations

from typing import Final

from tvm import relax, te
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering import activations
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    alpha = float(node.attrs["alpha"])

    def compute(x: te.Tensor) -> te.Tensor:
        return te.compute(
            x.shape,
            lambda *i: activations.quick_gelu(x(*i), alpha),
            name="quick_gelu",
            tag="elemwise",
        )

    return bb.call_te(compute, *node.args, primfunc_name_hint="quick_gelu")


QUICK_GELU: Final = define(
    "tvmfuse.quick_gelu",
    traits=Traits(kind=Kind.ELEMENTWISE, keeps_dtype=True, nonlinear=True),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    doc="x * sigmoid(alpha * x).",
)


def quick_gelu(x: Expr, *, alpha: float) -> Call:
    """Multiply by the sigmoid of a multiple: ``x * sigmoid(alpha * x)``.

    Args:
        x: Of any shape.
        alpha: 1.702 comes near gelu; 1 is `relax.nn.silu`.
    """
    return call(QUICK_GELU, [x], alpha=float(alpha))
