"""KeepDisabledApart: barriers where disabled rules would fire, and where only these would."""

from tvm import IRModule
from tvm.script import ir as I, relax as R

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.passes.basic.fuse_relu_clip import FuseReluClip
from tvmfuse.passes.basic.mat_mul_add_fusion import MatMulAddFusion
from tvmfuse.passes.required.keep_disabled_apart import KeepDisabledApart
from tvmfuse.testing import assert_same_numbers


@I.ir_module
class ProductSum:
    @R.function
    def main(
        a: R.Tensor((2, 3), "float32"), b: R.Tensor((3, 4), "float32"), c: R.Tensor((4,), "float32")
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            y = R.matmul(a, b)
            z = R.add(y, c)
            R.output(z)
        return z


def ops(module: IRModule) -> list[str | None]:
    return [op_name(value) for _, value in Dataflow.of(module["main"]).bindings]


def test_a_barrier_stands_where_a_disabled_rule_would_fire() -> None:
    apart = KeepDisabledApart().without([MatMulAddFusion()])(ProductSum)
    assert ops(apart) == ["relax.matmul", "tvmfuse.barrier", "relax.add"]
    assert_same_numbers(ProductSum, apart)


def test_a_rule_that_would_not_fire_leaves_no_barrier() -> None:
    assert KeepDisabledApart().without([FuseReluClip()])(ProductSum) is ProductSum


def test_what_is_no_rule_has_no_barriers() -> None:
    assert KeepDisabledApart().without([DeadCodeElimination()])(ProductSum) is ProductSum
    assert KeepDisabledApart()(ProductSum) is ProductSum
