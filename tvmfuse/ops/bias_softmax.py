"""`tvmfuse.bias_softmax`: the softmax of a sum, which nobody stores."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, topi
from tvm.ir import Call, Expr

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits

#: TVM's OpPatternKind of a reduction: what its operands are computed by may be fused to it.
REDUCES: Final = 3


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor, bias: te.Tensor) -> te.Tensor:
        return topi.nn.softmax(topi.add(x, bias), axis=int(node.attrs["axis"]))

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="bias_softmax",
        primfunc_attrs={"op_pattern": REDUCES},
    )


BIAS_SOFTMAX: Final = define(
    "tvmfuse.bias_softmax",
    traits=Traits(kind=Kind.OTHER, why="its bias broadcasts to a tensor with a softmax's axis"),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    doc="Softmax of a sum.",
)


def bias_softmax(x: Expr, bias: Expr, *, axis: int) -> Call:
    """Return ``softmax(x + bias)``.

    Args:
        x: Any tensor.
        bias: Broadcasts to the shape of `x`.
        axis: Along which results add up to 1.
    """
    return call(BIAS_SOFTMAX, [x, bias], axis=axis)
