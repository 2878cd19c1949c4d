"""CastFloat16Transformer: products of float16 and bfloat16, from weights as they are stored."""

from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper, parser
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.types import dtype_of, shape_of
from tvmfuse.passes.layout.cast_float16_transformer import CastFloat16Transformer
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Trace
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.target.resolve import resolve

LAID_OUT = ("NchwcTransformer", "WinogradConv", "ConvAddActivationFusion", "PrepackWeights")
TOLERANCE = 2e-3
widens = about("CastFloat16Transformer", disabled=LAID_OUT)
whole = about("CastFloat16Transformer")
RNG = np.random.default_rng(0)


def half(*shape: int, dtype: Any = "float16") -> np.ndarray:
    numbers: np.ndarray = RNG.standard_normal(shape) / np.sqrt(shape[-1])
    return numbers.astype(dtype)


X, A = "float16[1,16,9,11] x", "float16[13,32] a"
RESIDUAL = (
    f"({X}) => (float16[] y) {{c = Conv(x, u) d = Relu(c) e = Conv<pads=[1,1,1,1]>(d, v, b) "
    "f = Add(e, d) g = Relu(f) y = Conv(g, w)}"
)
FILTERS = {"u": half(24, 16, 1, 1), "v": half(24, 24, 3, 3), "b": half(24), "w": half(8, 24, 1, 1)}
Q, K = "float16[2,2,9,16] q", "float16[2,2,11,16] k, float16[2,2,11,16] v"
ATTEND = "t = Transpose<perm=[0,1,3,2]>(k) s = MatMul(q, t) p = Softmax(s) y = MatMul(p, v)"


@cases(
    widens("a matrix product", f"({A}) => (float16[] y) {{y = MatMul(a, w)}}", "astype gemm astype",
        w=half(32, 48), tolerance=TOLERANCE),
    widens("a Gemm", f"({A}) => (float16[] y) {{y = Gemm<transB=1, alpha=0.5, beta=2.0>(a, w, c)}}",
        "astype gemm astype", w=half(48, 32), c=half(48), tolerance=TOLERANCE),
    widens("a convolution of groups", f"({X}) => (float16[] y) {{y = Conv<group=16>(x, w, b)}}",
        "astype conv astype", w=half(16, 1, 3, 2), b=half(16), tolerance=TOLERANCE),
    widens("what lies between is stored in float32", RESIDUAL, "astype conv astype relu astype conv astype "
        "astype add relu astype conv astype", tolerance=TOLERANCE, **FILTERS),
    widens("what others read stays", f"({A}) => (float16[] s, float16[] y) {{b = Relu(a) s = Softmax(b) "
        "y = MatMul(b, w)}", "relu softmax astype gemm astype", w=half(32, 48), tolerance=TOLERANCE),
    widens("an attention of stored keys", f"({Q}, {K}) => (float16[] y) {{{ATTEND}}}", None, tolerance=TOLERANCE),
    whole("in blocks", RESIDUAL, None, tolerance=TOLERANCE, **FILTERS),
    whole("a ragged matrix", "(float16[n,35] a) => (float16[] y) {b = MatMul(a, w) c = Relu(b) y = MatMul(c, v)}",
        None, w=half(35, 157), v=half(157, 48), feeds={"a": half(7, 35)}, tolerance=TOLERANCE),
)  # fmt: skip
@pytest.mark.parametrize("target", ["avx2", "avx512"])
def test_fires(case: Case, target: str) -> None:
    check(case, target=target)


@cases(
    widens("weights that are fed", f"({A}, float16[32,48] w) => (float16[] y) {{y = MatMul(a, w)}}", "matmul",
        "the product is with constant weights", tolerance=TOLERANCE),
    widens("batches of weights", "(float16[2,13,32] a) => (float16[] y) {y = MatMul(a, w)}", "matmul",
        "the weights are a matrix", w=half(2, 32, 48), tolerance=TOLERANCE),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_it_leaves_float32_alone() -> None:
    graph = "(float[13,32] a) => (float[] y) {y = MatMul(a, w)}"
    check(widens("float32", graph, "matmul", fires=False, w=(32, 48)))


def test_each_prefix_of_its_rewrites_is_a_model_and_the_last_leaves_nothing() -> None:
    module = import_model(whole("one", RESIDUAL, None, **FILTERS).model()).module
    for limit in range(4):
        trace = Trace(limit)
        changed = CastFloat16Transformer()(module, trace)
        assert len(trace.fired) == min(limit, 3)
    trace = Trace()
    assert CastFloat16Transformer()(changed, trace) == changed
    assert not trace.fired + trace.declined


def of_bfloat16(text: str, **weights: np.ndarray) -> tuple[onnx.ModelProto, onnx.ModelProto]:
    """Return a model of bfloat16, and the same in float32."""
    models = []
    for t, dtype in (("bfloat16", ml_dtypes.bfloat16), ("float", "float32")):
        model = parser.parse_model(
            f'<ir_version: 10, opset_import: ["":22]> g {text.replace("float16", t)}'
        )
        for name, array in weights.items():
            a = array.astype(ml_dtypes.bfloat16).astype(dtype)
            kind = helper.np_dtype_to_tensor_dtype(a.dtype)
            model.graph.initializer.append(
                helper.make_tensor(name, kind, a.shape, a.tobytes(), raw=True)
            )
        models.append(model)
    return models[0], models[1]


@pytest.mark.parametrize(
    ("target", "operand", "stored"),
    [
        ("avx2", "float32", (3, 32, 16)),
        ("avx512", "float32", (1, 32, 48)),
        ("znver4", "bfloat16", (1, 16, 48, 2)),
    ],
)
def test_pairs_of_bfloat16_stay_where_an_instruction_multiplies_them(
    target: str, operand: str, stored: tuple[int, ...]
) -> None:
    narrow, _ = of_bfloat16(f"({A}) => (float16[13,48] y) {{y = MatMul(a, w)}}", w=half(32, 48))
    module = import_model(narrow).module
    optimized = optimize(module, Selection.of("all"), target=resolve(target))
    assert optimized.report["CastFloat16Transformer"].fired == 1
    flow = Dataflow(optimized.operators["main"])
    (product,) = flow.calls("tvmfuse.gemm")
    x, weights = flow.values[product].args
    assert (dtype_of(x), dtype_of(weights), shape_of(weights)) == (operand, "bfloat16", stored)


def test_winograd_declines_weights_of_bfloat16() -> None:
    graph = "(float16[1,16,24,22] x) => (float16[1,16,24,22] y) {y = Conv<pads=[1,1,1,1]>(x, w)}"
    narrow, wide = of_bfloat16(graph, w=half(16, 16, 3, 3))
    stored, single = (tvmfuse.explain(m, target="avx512")["WinogradConv"] for m in (narrow, wide))
    words = "the weights are not of bfloat16, which holds none transformed"
    assert [d.reason for d in stored.declined] == [words]
    assert single.fired


NETWORK = RESIDUAL.replace("(float16[] y)", "(float16[1,8,9,11] y)")


def test_bfloat16_agrees_with_float32_here() -> None:
    narrow, wide = of_bfloat16(NETWORK, **FILTERS)
    x = half(1, 16, 9, 11, dtype=ml_dtypes.bfloat16)
    found = tvmfuse.compile(narrow, strict=True).load()(x=x)["y"].astype("float32")
    assert_agrees({"y": found}, reference(wide, {"x": x.astype("float32")}), tolerance=2e-2)


def test_weights_take_half_the_memory_and_edges_stay() -> None:
    """Denormals of float16 are multiplied as what they are; NaN and infinities come out."""
    w = half(64, 48)
    w[:, :8] = np.ldexp(np.float16(1), -24)  # the least
    a = half(5, 64)
    a[0, 3], a[1, 3], a[2] = np.nan, np.inf, 1
    model = whole(
        "edges", "(float16[5,64] a) => (float16[] y) {y = MatMul(a, w)}", None, w=w
    ).model()
    artifact = tvmfuse.compile(model, strict=True)
    assert artifact.weights_nbytes == w.nbytes
    found = artifact.load()(a=a)["y"]
    with np.errstate(all="ignore"):
        exact = (a.astype("float64") @ w.astype("float64")).astype("float16")
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    np.testing.assert_array_equal(np.isinf(found), np.isinf(exact))
    assert (found[2, :8] == exact[2, :8]).all()
    assert found[2, 0] > 0
