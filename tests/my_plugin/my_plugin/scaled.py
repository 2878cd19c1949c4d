"""An operator of ours: `my.domain::Scaled`, x times its attribute `factor`, which is 1."""

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation


def scaled(op: Operation) -> Expr:
    """Convert Scaled."""
    x = op.tensor(0)
    op.require(op.element_type(0) == "float32", "its operand is no tensor of float32")
    return relax.op.multiply(x, relax.const(op.number("factor", 1.0), "float32"))
