"""lower: each operator becomes one kernel, NaN stays NaN, names survive."""

import numpy as np
import pytest
import tvm
from tvm import relax, tirx

from tvmfuse.lower import lower
from tvmfuse.ops import barrier, conv, gemm
from tvmfuse.passes.extended.fuse_ops import FuseOps
from tvmfuse.passes.extended.fuse_tir import FuseTIR
from tvmfuse.passes.kernels import kernel_calls
from tvmfuse.passes.trace import Trace
from tvmfuse.provenance import with_nodes

NAN, INF = float("nan"), float("inf")


def module(build, *inputs):
    bb = relax.BlockBuilder()
    params = [
        relax.Var(f"x{i}", relax.TensorType(a.shape, str(a.dtype))) for i, a in enumerate(inputs)
    ]
    with bb.function("main", params):
        with bb.dataflow():
            outputs = bb.emit_output(relax.Tuple(build(bb, *params)))
        bb.emit_func_output(outputs)
    return bb.get()


def run(mod, *inputs):
    machine = relax.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
    return [o.numpy() for o in machine["main"](*map(tvm.runtime.tensor, inputs))]


def emit(bb, call, node):
    return bb.emit(with_nodes(call, [node]))


ODD = np.array([NAN, -INF, INF, -1, -0.0, 0.5, 2], "float32")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (relax.op.nn.relu, np.where(np.isnan(ODD), ODD, np.maximum(ODD, 0))),
        (lambda x: relax.op.clip(x, 0, 1), np.clip(ODD, 0, 1)),
        (lambda x: relax.op.clip(x, -INF, 1), np.clip(ODD, None, 1)),
        (lambda x: relax.op.clip(x, 3, 1), np.where(np.isnan(ODD), ODD, 1)),
        (lambda x: relax.op.maximum(x, relax.const(np.float32(0.25))), np.maximum(ODD, 0.25)),
        (lambda x: relax.op.minimum(relax.const(np.float32(0.25)), x), np.minimum(ODD, 0.25)),
        (lambda x: relax.op.maximum(x, relax.const(ODD[::-1].copy())), np.maximum(ODD, ODD[::-1])),
    ],
    ids=[
        "relu",
        "clip",
        "clip-above",
        "crossed bounds",
        "maximum",
        "minimum",
        "nan on either side",
    ],
)
def test_nan_and_infinity_come_out_as_in_onnx(call, expected) -> None:
    mod = lower(module(lambda bb, x: [emit(bb, call(x), "n")], ODD)).module
    np.testing.assert_array_equal(run(mod, ODD)[0], expected)


@pytest.mark.parametrize(("scale", "center"), [(True, True), (False, True), (True, False)])
def test_batch_norm_is_one_kernel(scale, center) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 4), "float32")
    gamma, beta, mean, var = (rng.random(3, "float32") + 0.5 for _ in range(4))

    def norm(bb, x):
        constants = map(relax.const, (gamma, beta, mean, var))
        t = relax.op.nn.batch_norm(
            x, *constants, axis=1, epsilon=1e-3, scale=scale, center=center, training=False
        )
        return [bb.emit(relax.TupleGetItem(emit(bb, t, "bn"), 0))]

    lowered = lower(module(norm, x)).module
    assert kernel_calls(lowered) == [("batch_norm", ("bn",))]
    column = (slice(None), None)
    expected = (x - mean[column]) / np.sqrt(var[column] + 1e-3)
    expected = expected * (gamma[column] if scale else 1) + (beta[column] if center else 0)
    np.testing.assert_allclose(run(lowered, x)[0], expected, rtol=1e-5, atol=1e-6)


def conv_relu_twice(bb, x):
    w, b = relax.const(np.ones((4, 4, 3, 3), "float32")), relax.const(np.ones(4, "float32"))
    for i in range(2):
        x = emit(bb, conv(x, w, b, strides=[1, 1], padding=[1] * 4, dilation=[1, 1]), f"conv{i}")
        x = emit(bb, relax.op.nn.relu(x), f"relu{i}")
    return [emit(bb, relax.op.reshape(x, (4, 16)), "reshape")]


IMAGE = np.ones((1, 4, 4, 4), "float32")


def test_unfused_kernels_name_their_node() -> None:
    lowered = lower(module(conv_relu_twice, IMAGE)).module
    assert kernel_calls(lowered) == [
        ("conv", ("conv0",)), ("relu", ("relu0",)), ("conv", ("conv1",)), ("relu", ("relu1",)),
    ]  # fmt: skip


def test_fused_kernels_name_all_their_nodes_and_equal_ones_are_one() -> None:
    before = lower(module(conv_relu_twice, IMAGE)).module
    grouped, fused = Trace(), Trace()
    after = FuseTIR()(FuseOps()(before, grouped), fused)
    assert kernel_calls(after) == [
        ("fused_conv_relu", ("conv0", "relu0")), ("fused_conv_relu", ("conv1", "relu1")),
    ]  # fmt: skip
    assert grouped.fired == fused.fired == [("conv0", "relu0"), ("conv1", "relu1")]
    assert sum(isinstance(f, tirx.PrimFunc) for f in after.functions.values()) == 2  # and a reshape
    np.testing.assert_array_equal(run(after, IMAGE)[0], run(before, IMAGE)[0])


def test_groups_that_are_not_made_one_kernel_still_run() -> None:
    before = lower(module(conv_relu_twice, IMAGE)).module
    grouped = FuseOps()(before)
    np.testing.assert_array_equal(run(grouped, IMAGE)[0], run(before, IMAGE)[0])


def test_a_barrier_keeps_kernels_apart_and_costs_none() -> None:
    def product(bb, a, apart):
        p = emit(bb, gemm(a, a), "gemm")
        p = bb.emit(barrier(p)) if apart else p
        return [emit(bb, relax.op.nn.relu(relax.op.add(p, a)), "add")]

    a = np.ones((4, 4), "float32")
    for apart, kernels in ((False, 1), (True, 2)):
        mod = FuseTIR()(
            FuseOps()(lower(module(lambda bb, a, apart=apart: product(bb, a, apart), a)).module)
        )
        assert len(kernel_calls(mod)) == kernels
        np.testing.assert_array_equal(run(mod, a)[0], np.maximum(a @ a + a, 0))


def test_symbolic_dimensions_stay() -> None:
    n = tirx.Var("n", "int64")
    bb = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((n, 3), "float32"))
    with bb.function("main", [x]):
        with bb.dataflow():
            y = emit(bb, relax.op.nn.relu(x), "relu")
            outputs = bb.emit_output(relax.Tuple([emit(bb, relax.op.exp(y), "exp")]))
        bb.emit_func_output(outputs)
    fused = FuseTIR()(FuseOps()(lower(bb.get()).module))
    for rows in (1, 5):
        ones = np.ones((rows, 3), "float32")
        np.testing.assert_allclose(run(fused, ones)[0], np.exp(ones), rtol=1e-6)
