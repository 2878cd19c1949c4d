"""Operators that know of their activation, printed before a rule and after it."""

# TVMScript finds out what a function returns.
# mypy: disable-error-code="no-untyped-def"

from typing import Any

import pytest
from tvm import IRModule
from tvm.ir import Call
from tvm.script import ir as I, relax as R

from tvmfuse.ops import conv, gemm
from tvmfuse.passes.extended.conv_activation_fusion import ConvActivationFusion as OfConvolutions
from tvmfuse.passes.extended.gemm_activation_fusion import GemmActivationFusion as OfProducts
from tvmfuse.testing import assert_rewrites

F32 = "float32"


def activated(call: Call) -> Call:
    """Return an operator that knows of its activation: `FuseOps` puts both into one kernel."""
    return Call(call.op, call.args, attrs={**call.attrs, "activated": True})


@I.ir_module
class GemmActivationFusion:
    @R.function
    def before(a: R.Tensor((5, 8), F32), b: R.Tensor((8, 7), F32), c: R.Tensor((7,), F32)):
        with R.dataflow():
            p = gemm(a, b, c)
            y = R.nn.relu(p)
            R.output(y)
        return (y,)

    @R.function
    def after(a: R.Tensor((5, 8), F32), b: R.Tensor((8, 7), F32), c: R.Tensor((7,), F32)):
        with R.dataflow():
            p = activated(gemm(a, b, c))
            y = R.nn.relu(p)
            R.output(y)
        return (y,)


@I.ir_module
class ConvActivationFusion:
    @R.function
    def before(x: R.Tensor((2, 3, 15), F32), w: R.Tensor((5, 3, 3), F32)):
        with R.dataflow():
            p = conv(x, w, strides=[1], padding=[0, 0], dilation=[1])
            y = R.nn.relu(p)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((2, 3, 15), F32), w: R.Tensor((5, 3, 3), F32)):
        with R.dataflow():
            p = activated(conv(x, w, strides=[1], padding=[0, 0], dilation=[1]))
            y = R.nn.relu(p)
            R.output(y)
        return (y,)


@pytest.mark.parametrize(
    ("rule", "printed"),
    [(OfProducts(), GemmActivationFusion), (OfConvolutions(), ConvActivationFusion)],
    ids=["gemm", "conv"],
)
def test_the_module_after_it(rule: Any, printed: Any) -> None:
    before, after = (
        IRModule({"main": printed[place].with_attr("global_symbol", "main")})
        for place in ("before", "after")
    )
    assert_rewrites(rule, before, after)
