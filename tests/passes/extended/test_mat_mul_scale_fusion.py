"""MatMulScaleFusion: products with one number are part of a matrix product."""

import numpy as np
import pytest
from graphs import graph, onnx_model, tensor
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check
from tvm import relax
from tvm.relax.op import divide, matmul, multiply

import tvmfuse
from tvmfuse.ir.types import constant
from tvmfuse.ops import batch_matmul, gemm
from tvmfuse.passes.extended.mat_mul_scale_fusion import MatMulScaleFusion
from tvmfuse.testing import assert_declines, assert_rewrites

fused = about("MatMulScaleFusion")

HALF, THREE = np.float32(0.5), np.float32(3)
AB = "float[5,8] a, float[8,7] b"
MANY = "float[2,3,5,8] a, float[2,3,8,7] b"


def model(body: str, inputs: str = AB, outputs: str = "float[] y") -> str:
    return f"({inputs}) => ({outputs}) {{{body}}}"


@cases(
    fused("the result multiplied", model("p = MatMul(a, b) y = Mul(p, c)"), "gemm", c=HALF),
    fused("the result multiplied, the scale first", model("p = MatMul(a, b) y = Mul(c, p)"), "gemm",
        c=np.full((1, 1), 0.5, "float32")),
    fused("the result divided", model("p = MatMul(a, b) y = Div(p, c)"), "gemm", c=THREE),
    fused("the left factor multiplied", model("p = Mul(a, c) y = MatMul(p, b)"), "gemm", c=HALF),
    fused("the left factor divided", model("p = Div(a, c) y = MatMul(p, b)"), "gemm", c=THREE),
    fused("the right factor multiplied, the scale first", model("p = Mul(c, b) y = MatMul(a, p)"), "gemm", c=HALF),
    fused("the right factor divided", model("p = Div(b, c) y = MatMul(a, p)"), "gemm", c=np.full((1,), 3, "float32")),
    fused("both factors and the result", model("p = Mul(a, c) q = Div(b, d) r = MatMul(p, q) y = Mul(r, d)"), "gemm",
        c=HALF, d=THREE),
    fused("a negative scale", model("p = MatMul(a, b) y = Mul(p, c)"), "gemm", c=np.float32(-2)),
    fused("batches", model("p = MatMul(a, b) y = Mul(p, c)", MANY), "batch_matmul", c=HALF),
    fused("batches, a factor divided", model("p = Div(b, c) y = MatMul(a, p)", MANY), "batch_matmul", c=THREE),
    fused("batches that broadcast", model("p = Mul(a, c) y = MatMul(p, b)", "float[4,1,5,8] a, float[3,8,7] b"),
        "batch_matmul", c=HALF),
    fused("symbolic sizes", model("p = Mul(a, c) y = MatMul(p, b)", "float[n,s,8] a, float[n,8,t] b"), "batch_matmul",
        c=HALF),
    fused("a vector by a matrix", model("p = Mul(a, c) y = MatMul(p, b)", "float[8] a, float[8,7] b"), "gemm", c=HALF),
    fused("transposed, too",
        model("t = Transpose<perm=[0,2,1]>(b) p = Mul(a, c) y = MatMul(p, t)", "float[3,5,8] a, float[3,7,8] b"),
        "batch_matmul", c=HALF),
    fused("a gemm's factor", model("p = Mul(a, c) y = Gemm<alpha=2.0, beta=0.5>(p, b, k)", AB + ", float[7] k"), "gemm",
        c=HALF),
    fused("a gemm's result, with its bias",
        model("p = Gemm<alpha=2.0, beta=0.5>(a, b, k) y = Div(p, c)", AB + ", float[7] k"), "gemm", c=THREE),
    fused("a product and its bias", model("p = MatMul(a, b) q = Add(p, k) y = Mul(q, c)", AB + ", float[7] k"), "gemm",
        c=THREE),
    fused("double precision", model("p = MatMul(a, b) y = Mul(p, c)", "double[5,8] a, double[8,7] b", "double[] y"),
        "gemm", c=np.float64(0.3)),
    fused("half precision", model("p = MatMul(a, b) y = Mul(p, c)", "float16[5,8] a, float16[8,7] b", "float16[] y"),
        "gemm", c=np.float16(0.3), tolerance=2e-3),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


NUMBER = "the scale is one number, known before the model runs"
FINITE = "the scale is finite, and not zero"
SHARED = "nobody else reads what is computed first"


@cases(
    fused("a scale that is fed", model("p = MatMul(a, b) y = Mul(p, c)", AB + ", float[1] c"), "matmul multiply",
        NUMBER),
    fused("a scale for each column", model("p = MatMul(a, b) y = Mul(p, c)"), "matmul multiply", NUMBER, c=(7,)),
    fused("a scale for each row of a factor", model("p = Mul(a, c) y = MatMul(p, b)"), "multiply matmul", NUMBER,
        c=(5, 1)),
    fused("a product that is an output", model("p = MatMul(a, b) y = Mul(p, c)", outputs="float[] y, float[] p"),
        "matmul multiply", SHARED, c=HALF),
    fused("a factor that is read again",
        model("p = Mul(a, c) y = MatMul(p, b) z = Exp(p)", outputs="float[] y, float[] z"), "multiply matmul exp",
        SHARED, c=HALF),
    fused("integers", model("p = MatMul(a, b) y = Mul(p, c)", "int32[5,8] a, int32[8,7] b", "int32[] y"),
        "matmul multiply", "the product is a floating-point one", c=np.int32(2)),
    fused("zero", model("p = MatMul(a, b) y = Mul(p, c)"), "matmul multiply", FINITE, c=np.float32(0)),
    fused("infinity", model("p = MatMul(a, b) y = Mul(p, c)"), "matmul multiply", FINITE, c=np.float32(np.inf)),
    fused("nearly infinite quotients", model("p = Div(a, c) y = MatMul(p, b)"), "divide matmul", FINITE,
        c=np.float32(1e-39)),
    fused("a scale that adds a dimension", model("p = MatMul(a, b) y = Mul(p, c)"), "matmul multiply",
        "the scale adds no dimension", c=np.full((1, 1, 1), 2, "float32")),
    fused("a product of vectors", model("p = Mul(a, c) y = MatMul(p, b)", "float[5,8] a, float[8] b"),
        "multiply matmul", "the factors are matrices, or batches of them", c=HALF),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("a number divided by a product", model("p = MatMul(a, b) y = Div(c, p)"), "matmul divide", fires=False,
        c=HALF),
    fused("a product by another tensor", model("p = MatMul(a, b) y = Mul(p, c)", AB + ", float[5,7] c"),
        "matmul multiply", fires=False),
    fused("attention takes its products first",
        model("p = MatMul(a, b) s = Mul(p, c) w = Softmax<axis=-1>(s) y = MatMul(w, v)", MANY + ", float[2,3,7,4] v"),
        None, fires=False, c=HALF),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    optimized = check(case)
    assert optimized.report["AttentionFusion"].fired == ("attention" in case.bullet)


def test_attributes() -> None:
    half = constant(np.array(0.5, "float32"))
    types = tensor(5, 8), tensor(8, 7), tensor(7)
    before = graph(lambda a, b, c, _: divide(gemm(multiply(half, a), b, c, beta=3), half), *types)
    assert_rewrites(
        MatMulScaleFusion(),
        before,
        graph(lambda a, b, c, _: gemm(a, b, c, alpha=1, beta=6), *types),
    )
    pair = tensor(2, 5, 8), tensor(2, 8, 7)
    before = graph(lambda a, b, _: matmul(a, multiply(b, half)), *pair)
    assert_rewrites(
        MatMulScaleFusion(), before, graph(lambda a, b, _: batch_matmul(a, b, alpha=0.5), *pair)
    )


@pytest.mark.parametrize("side", ["Mul of a factor", "Mul of the result"])
def test_one_kernel_with_a_schedule_and_two_when_disabled(side: str) -> None:
    nodes = [
        helper.make_node("Mul", ["a", "c"], ["p"], name="scale"),
        helper.make_node("MatMul", ["p", "b"], ["y"], name="product"),
    ]
    if "result" in side:
        nodes = [
            helper.make_node("MatMul", ["a", "b"], ["p"], name="product"),
            helper.make_node("Mul", ["p", "c"], ["y"], name="scale"),
        ]
    inputs = {"a": ("float32", (2, 33, 70)), "b": ("float32", (2, 70, 48))}
    made = onnx_model(nodes, inputs, {"y": "float32"}, {"c": np.array(0.3, "float32")})
    feeds = {
        n: np.random.default_rng(0).standard_normal(shape, "float32")
        for n, (_, shape) in inputs.items()
    }
    feeds["a"][0, 3, 2], feeds["b"][1, 4, 1] = np.nan, np.inf
    artifact = tvmfuse.compile(made)
    assert [(set(k.nodes), k.schedule) for k in artifact.manifest.kernels] == [
        ({"scale", "product"}, "matmul")
    ]
    assert_agrees(artifact.load()(feeds), reference(made, feeds))
    apart = tvmfuse.compile(made, disabled_pass=["MatMulScaleFusion"])
    assert sorted(k.nodes for k in apart.manifest.kernels) == [("product",), ("scale",)]


def test_declines_a_product_in_another_dtype() -> None:
    half = constant(np.array(0.5, "float32"))
    module = graph(
        lambda a, b, _: multiply(matmul(a, b, out_dtype="float32"), half),
        tensor(3, 4, dtype="float16"),
        tensor(4, 5, dtype="float16"),
    )
    assert_declines(MatMulScaleFusion(), module, because="it has one dtype")


def test_declines_a_product_of_unknown_sizes() -> None:
    half, unknown = constant(np.array(0.5, "float32")), relax.TensorType(dtype="float32", ndim=2)
    module = graph(lambda a, b, _: matmul(multiply(a, half), b), tensor(3, 4), unknown)
    assert_declines(MatMulScaleFusion(), module, because="the product's shape is known")
