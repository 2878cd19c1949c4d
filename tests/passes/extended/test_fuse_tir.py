"""FuseTIR: a group of kernels becomes one kernel."""

from typing import Any

from named_calls import IMAGE, conv_relu_twice, emit, module
from tvm import relax, tirx
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.kernels import calls_of, kernel_calls
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.passes.extended.fuse_ops import FuseOps
from tvmfuse.passes.extended.fuse_tir import FuseTIR
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_same_numbers


def test_kernels_know_all_their_nodes_and_equal_ones_are_one() -> None:
    before, trace = lower(module(conv_relu_twice, IMAGE)).module, Trace()
    after = FuseTIR()(FuseOps()(before), trace)
    assert kernel_calls(after) == [
        ("fused_conv_relu", ("conv0", "relu0")), ("fused_conv_relu", ("conv1", "relu1")),
    ]  # fmt: skip
    assert trace.fired == [("conv0", "relu0"), ("conv1", "relu1")]
    kernels = [f for f in after.functions.values() if isinstance(f, tirx.PrimFunc)]
    assert len(kernels) == 2  # the fused one, and a reshape
    assert_same_numbers(before, after)


@mutator
class OneName(PyExprMutator):
    """Gives all variables of a dataflow block the same name, as TVM's passes give several."""

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = self.builder_.normalize(self.visit_expr(binding.value))
        kind = type(binding.var)
        var = kind("lv", value.ty)
        self.builder_.emit_normalized(relax.VarBinding(var, value))
        self.set_var_remap(binding.var, var)


def test_variables_of_one_name_have_nodes_of_their_own() -> None:
    grouped = FuseOps()(lower(module(conv_relu_twice, IMAGE)).module)
    renamed = map_functions(grouped, lambda function: OneName().visit_expr(function))
    assert {var.name for var, _, _ in calls_of(renamed["main"])} == {"lv"}
    assert kernel_calls(FuseTIR()(renamed)) == kernel_calls(FuseTIR()(grouped))


def test_what_nobody_reads_is_dropped() -> None:
    def build(bb: Any, x: Any) -> Any:
        (result,) = conv_relu_twice(bb, x)
        emit(bb, relax.op.permute_dims(result), "transpose")
        return [result]

    read, all_ = (lower(module(f, IMAGE)).module for f in (conv_relu_twice, build))
    assert kernel_calls(FuseTIR()(FuseOps()(all_))) == kernel_calls(FuseTIR()(FuseOps()(read)))


def test_without_groups_there_is_nothing_to_do() -> None:
    before, trace = lower(module(conv_relu_twice, IMAGE)).module, Trace()
    assert kernel_calls(FuseTIR()(before, trace)) == kernel_calls(before)
    assert trace.fired == []


def test_after_the_limit_groups_stay_groups() -> None:
    """Both calls are of one group: the one within the limit calls a kernel, the other one not."""
    before, trace = lower(module(conv_relu_twice, IMAGE)).module, Trace(limit=1)
    after = FuseTIR()(FuseOps()(before), trace)
    callees = [after[callee] for _, _, callee in calls_of(after["main"])]
    assert [isinstance(f, tirx.PrimFunc) for f in callees] == [True, False, True]
    assert trace.fired == [("conv0", "relu0")]
    assert_same_numbers(before, after)
