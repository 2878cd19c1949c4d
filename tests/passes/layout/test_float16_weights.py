"""Float16Weights: constant weights in float16, where a caller asks for it."""

import numpy as np
import pytest
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.layout.float16_weights import Float16Weights
from tvmfuse.passes.trace import Trace

LAID_OUT = ("NchwcTransformer", "WinogradConv", "ConvAddActivationFusion", "PrepackWeights")
TOLERANCE = 2e-3
narrows = about("Float16Weights", enabled=True, disabled=LAID_OUT)
whole = about("Float16Weights", enabled=True)

X, A = "float[1,16,9,11] x", "float[13,32] a"
SMALL = np.full((32, 48), 1e-6, "float32")
LARGE = np.full((32, 48), 7e4, "float32")


@cases(
    narrows("a matrix product", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "gemm", w=(32, 48), tolerance=TOLERANCE),
    narrows("a Gemm", f"({A}) => (float[] y) {{y = Gemm<transB=1, alpha=0.5>(a, w, c)}}", "gemm",
        w=(48, 32), c=(48,), tolerance=TOLERANCE),
    narrows("a convolution", f"({X}) => (float[] y) {{y = Conv<strides=[2,1]>(x, w, b)}}", "conv",
        w=(24, 16, 3, 2), b=(24,), tolerance=TOLERANCE),
    narrows("small weights beside large ones", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "gemm",
        w=SMALL + np.eye(32, 48, dtype="float32") + np.eye(32, 48, 32, dtype="float32"), tolerance=TOLERANCE),
    whole("one row", "(float[1,33] a) => (float[] y) {y = MatMul(a, w)}", None, w=(33, 96), tolerance=TOLERANCE),
    whole("a ragged matrix", "(float[n,35] a) => (float[] y) {b = MatMul(a, w) c = Relu(b) y = MatMul(c, v)}",
        None, w=(35, 157), v=(157, 48), feeds={"a": np.ones((7, 35), "float32")}, tolerance=TOLERANCE),
    whole("in blocks", f"({X}) => (float[] y) {{y = Conv(x, w)}}", None, w=(24, 16, 1, 1), tolerance=TOLERANCE),
)  # fmt: skip
def test_fires(case: Case) -> None:
    check(case)


@cases(
    narrows("weights that are fed", f"({A}, float[32,48] w) => (float[] y) {{y = MatMul(a, w)}}", "matmul",
        "the product is with constant weights"),
    narrows("groups", f"({X}) => (float[] y) {{y = Conv<group=2>(x, w)}}", "conv",
        "the convolution has one group", w=(16, 8, 3, 3)),
    narrows("minimal filtering", "(float[1,64,56,56] x) => (float[] y) {y = Conv(x, w)}", "conv",
        "Winograd's algorithm takes no larger tiles in float32", w=(64, 64, 3, 3)),
    narrows("batches of weights", "(float[2,13,32] a) => (float[] y) {y = MatMul(a, w)}", "matmul",
        "the weights are a matrix", w=(2, 32, 48)),
    narrows("large weights", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "matmul",
        "float16 holds 11 bits of the largest weights", w=LARGE),
    narrows("small weights", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "matmul",
        "float16 holds 11 bits of the largest weights", w=SMALL),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_declines_where_no_instruction_converts() -> None:
    words = "the machine converts vectors of float16"
    case = narrows(
        "sse2", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "matmul", words, w=(32, 48)
    )
    check(case, target="x86-64")


@pytest.mark.parametrize("graph", [f"({A}) => (float[] y) {{b = MatMul(a, w) y = MatMul(b, v)}}"])
def test_each_prefix_of_its_rewrites_is_a_model_and_the_last_leaves_nothing(graph: str) -> None:
    module = import_model(whole("one", graph, None, w=(32, 48), v=(48, 16)).model()).module
    for limit in range(3):
        trace = Trace(limit)
        changed = Float16Weights()(module, trace)
        assert len(trace.fired) == limit
    trace = Trace()
    assert Float16Weights()(changed, trace) == changed
    assert not trace.fired + trace.declined


def test_a_compiled_model_takes_half_the_memory() -> None:
    model = whole("one", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", None, w=(32, 48)).model()
    feeds = {"a": np.random.default_rng(0).standard_normal((13, 32), "float32")}
    artifact = tvmfuse.compile(model, precision="f16", target="avx2")
    assert artifact.weights_nbytes == 2 * 32 * 48
    assert "Float16Weights" in artifact.manifest.passes_ran
    here = tvmfuse.compile(model, precision="f16", strict=True)
    assert_agrees(here.load()(feeds), reference(model, feeds), tolerance=TOLERANCE)
    assert tvmfuse.compile(model, target="avx2").weights_nbytes == 4 * 32 * 48
