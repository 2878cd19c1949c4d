"""MatmulTransposeFusion: a product reads transposed matrices as they lie."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, tensor
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check
from tvm import relax
from tvm.relax.op import matmul, permute_dims

import tvmfuse
from tvmfuse.ops import batch_matmul, gemm
from tvmfuse.passes.extended.matmul_transpose_fusion import MatmulTransposeFusion
from tvmfuse.testing import assert_declines, assert_rewrites

pytestmark = pytest.mark.sampled(5)

# Which would move the transposes that are to be read.
fused = about("MatmulTransposeFusion", disabled=("TransposeOptimizer", "GemmTransposeFusion"))

RIGHT = "(float[5,8] a, float[7,8] b) => (float[] y) {t = Transpose(b) y = MatMul(a, t)}"
BATCHED = "{t = Transpose<perm=[0,2,1]>(b) y = MatMul(a, t)}"
SWAPS = "the transpose swaps the last two axes, and only those"
READERS = "only products read the transpose"


@cases(
    fused("the right factor", RIGHT, "gemm"),
    fused("the left one", "(float[8,5] a, float[8,7] b) => (float[] y) {t = Transpose<perm=[1,0]>(a) y = MatMul(t, b)}",
        "gemm"),
    fused("both", "(float[8,5] a, float[7,8] b) => (float[] y) {t = Transpose(a) u = Transpose(b) y = MatMul(t, u)}",
        "gemm"),
    fused("both, the same", "(float[5,5] a) => (float[] y) {t = Transpose(a) y = MatMul(t, t)}", "gemm"),
    fused("rows of many matrices by one",
        "(float[2,5,8] a, float[7,8] b) => (float[] y) {t = Transpose(b) y = MatMul(a, t)}", "gemm"),
    fused("many matrices, transposed, by one",
        "(float[2,8,5] a, float[8,7] b) => (float[] y) {t = Transpose<perm=[0,2,1]>(a) y = MatMul(t, b)}",
        "batch_matmul"),
    fused("and that transposed, too",
        "(float[2,8,5] a, float[7,8] b) => (float[] y) {t = Transpose<perm=[0,2,1]>(a) u = Transpose(b) "
        "y = MatMul(t, u)}", "batch_matmul"),
    fused("batches", f"(float[3,5,8] a, float[3,7,8] b) => (float[] y) {BATCHED}", "batch_matmul"),
    fused("batches on the left",
        "(float[2,3,8,5] a, float[2,3,8,7] b) => (float[] y) {t = Transpose<perm=[0,1,3,2]>(a) y = MatMul(t, b)}",
        "batch_matmul"),
    fused("batches on both sides",
        "(float[2,3,8,5] a, float[2,3,7,8] b) => (float[] y) {t = Transpose<perm=[0,1,3,2]>(a) "
        "u = Transpose<perm=[0,1,3,2]>(b) y = MatMul(t, u)}", "batch_matmul"),
    fused("batches that broadcast",
        "(float[4,1,5,8] a, float[3,7,8] b) => (float[] y) {t = Transpose<perm=[0,2,1]>(b) y = MatMul(a, t)}",
        "batch_matmul"),
    fused("one matrix by many",
        "(float[5,8] a, float[3,7,8] b) => (float[] y) {t = Transpose<perm=[0,2,1]>(b) y = MatMul(a, t)}",
        "batch_matmul"),
    fused("symbolic sizes", f"(float[n,s,8] a, float[n,t,8] b) => (float[] y) {BATCHED}", "batch_matmul"),
    fused("a symbolic batch by one", f"(float[n,s,8] a, float[1,t,8] b) => (float[] y) {BATCHED}", "batch_matmul"),
    fused("double precision", f"(double[3,5,8] a, double[3,7,8] b) => (double[] y) {BATCHED}", "batch_matmul"),
    fused("half precision", f"(float16[3,5,8] a, float16[3,7,8] b) => (float16[] y) {BATCHED}", "batch_matmul",
        tolerance=2e-3),
    fused("a gemm",
        "(float[5,8] a, float[7,8] b, float[7] c) => (float[] y) {t = Transpose(b) "
        "y = Gemm<alpha=2.0, beta=0.5>(a, t, c)}", "gemm"),
    fused("a gemm's left factor, transposed again",
        "(float[5,8] a, float[8,7] b) => (float[] y) {t = Transpose(a) y = Gemm<transA=1>(t, b)}", "gemm"),
    fused("a product and a bias",
        "(float[2,5,8] a, float[7,8] b, float[7] c) => (float[] y) {t = Transpose(b) p = MatMul(a, t) y = Add(p, c)}",
        "gemm"),
    fused("several readers",
        "(float[5,8] a, float[7,8] b, float[4,8] c) => (float[] y, float[] z) {t = Transpose(b) y = MatMul(a, t) "
        "z = MatMul(c, t)}", "gemm gemm"),
    fused("readers of two kinds",
        "(float[5,8] a, float[7,8] b, float[7] c) => (float[] y, float[] z) {t = Transpose(b) y = MatMul(a, t) "
        "z = Gemm(a, t, c)}", "gemm gemm"),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


@cases(
    fused("more than the last two axes",
        "(float[3,5,8] a, float[7,3,8] b) => (float[] y) {t = Transpose<perm=[1,2,0]>(b) y = MatMul(a, t)}",
        "permute_dims matmul", SWAPS),
    fused("other axes",
        "(float[3,5,8] a, float[8,3,7] b) => (float[] y) {t = Transpose<perm=[1,0,2]>(b) y = MatMul(a, t)}",
        "permute_dims matmul", SWAPS),
    fused("all axes reversed", "(float[3,5,8] a, float[7,8,3] b) => (float[] y) {t = Transpose(b) y = MatMul(a, t)}",
        "permute_dims matmul", SWAPS),
    fused("a transpose that is an output",
        "(float[5,8] a, float[7,8] b) => (float[] y, float[] t) {t = Transpose(b) y = MatMul(a, t)}",
        "permute_dims matmul", READERS),
    fused("a transpose that is read otherwise",
        "(float[5,8] a, float[7,8] b) => (float[] y, float[] z) {t = Transpose(b) y = MatMul(a, t) z = Exp(t)}",
        "permute_dims matmul exp", READERS),
    fused("a reader that cannot",
        "(float[2,8,5] a, float[8,7] b, float[7] c) => (float[] y) {t = Transpose<perm=[0,2,1]>(a) p = MatMul(t, b) "
        "y = Add(p, c)}", "permute_dims gemm", "a gemm's left factor is one matrix"),
    fused("integers", "(int32[5,8] a, int32[7,8] b) => (int32[] y) {t = Transpose(b) y = MatMul(a, t)}",
        "permute_dims matmul", "the products are floating-point ones"),
    fused("a vector", "(float[8] a, float[7,8] b) => (float[] y) {t = Transpose(b) y = MatMul(a, t)}",
        "permute_dims matmul", "both factors are matrices, or batches of them"),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_attributes() -> None:
    before = graph(
        lambda a, b, _: matmul(permute_dims(a, [0, 2, 1]), permute_dims(b, [0, 2, 1])),
        tensor(3, 8, 5),
        tensor(3, 7, 8),
    )
    after = graph(
        lambda a, b, _: batch_matmul(a, b, trans_a=True, trans_b=True),
        tensor(3, 8, 5),
        tensor(3, 7, 8),
    )
    assert_rewrites(MatmulTransposeFusion(), before, after)
    before = graph(lambda a, b, _: matmul(a, permute_dims(b)), tensor(3, 5, 8), tensor(7, 8))
    assert_rewrites(
        MatmulTransposeFusion(),
        before,
        graph(lambda a, b, _: gemm(a, b, trans_b=True), tensor(3, 5, 8), tensor(7, 8)),
    )


def scheduled(perm: Any, a: Any, b: Any) -> Any:
    nodes = [
        helper.make_node("Transpose", ["b"], ["t"], name="turn", perm=perm),
        helper.make_node("MatMul", ["a", "t"], ["y"], name="product"),
    ]
    return onnx_model(nodes, {"a": ("float32", a), "b": ("float32", b)}, {"y": "float32"})


@pytest.mark.parametrize(
    ("perm", "a", "b"),
    [
        ([1, 0], (33, 70), (50, 70)),
        ([0, 1, 3, 2], (2, 3, 33, 70), (2, 3, 50, 70)),
        ([0, 2, 1], ("n", "s", 70), ("n", "t", 70)),
    ],
)
def test_one_kernel_with_a_schedule(perm: list[int], a: Any, b: Any) -> None:
    model, rng = scheduled(perm, a, b), np.random.default_rng(0)
    sizes = {"n": 3, "s": 33, "t": 50}
    feeds = {
        n: rng.standard_normal([sizes.get(d, d) for d in shape], "float32")
        for n, shape in (("a", a), ("b", b))
    }
    feeds["a"][0, ..., 2], feeds["b"][0, ..., 1] = np.nan, np.inf
    artifact = tvmfuse.compile(model)
    assert [(set(k.nodes), k.schedule) for k in artifact.manifest.kernels] == [
        ({"turn", "product"}, "matmul")
    ]
    assert_agrees(artifact.load()(feeds), reference(model, feeds))
    apart = tvmfuse.compile(model, disabled_pass=["MatmulTransposeFusion", "TransposeOptimizer"])
    assert [k.nodes for k in apart.manifest.kernels] == [("turn",), ("product",)]


def test_declines_products_in_another_dtype() -> None:
    module = graph(
        lambda a, b, _: matmul(a, permute_dims(b), out_dtype="float32"),
        tensor(3, 4, dtype="float16"),
        tensor(5, 4, dtype="float16"),
    )
    because = "the products have their factors' dtype"
    assert_declines(MatmulTransposeFusion(), module, because=because)


def test_declines_unknown_sizes() -> None:
    unknown = relax.TensorType(dtype="float32", ndim=2)
    module = graph(lambda a, b, _: matmul(a, permute_dims(b)), unknown, tensor(5, 4))
    assert_declines(MatmulTransposeFusion(), module, because="the shapes are known")
