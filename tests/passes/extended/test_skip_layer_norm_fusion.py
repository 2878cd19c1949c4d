"""SkipLayerNormFusion: wherever a residual sum is normalized."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from graphs import in_two_blocks, ops, tensor
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute
from tvm.relax.op import add
from tvm.relax.op.nn import layer_norm

import tvmfuse
from bench.models import inputs
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.extended.skip_layer_norm_fusion import SkipLayerNormFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.testing import assert_declines

fused = about("SkipLayerNormFusion")

NORM = "y = LayerNormalization(s, g, b)"
WEIGHTS: dict[str, Any] = {"g": (8,), "b": (8,)}
TWO = "float[2,5,8] x, float[2,5,8] k"
BOTH = "skip_layer_norm TupleGetItem TupleGetItem"
RMS = "q = Mul(s, s) m = ReduceMean<axes=[-1]>(q) e = Add(m, eps) r = Sqrt(e) n = Div(s, r) y = Mul(n, g)"
RMS_WEIGHTS: dict[str, Any] = {"g": (8,), "eps": np.float32(1e-6)}


def plain(
    total: str = "s = Add(x, k)",
    norm: str = NORM,
    after: str = "",
    inputs: str = TWO,
    outputs: str = "float[] y",
) -> str:
    return f"({inputs}) => ({outputs}) {{{total} {norm} {after}}}"


@cases(
    fused("a sum that nobody else reads", plain(), "skip_layer_norm", **WEIGHTS),
    fused("two dimensions", plain(inputs="float[5,8] x, float[5,8] k"), "skip_layer_norm", **WEIGHTS),
    fused("four dimensions", plain(inputs="float[2,3,5,8] x, float[2,3,5,8] k"), "skip_layer_norm", **WEIGHTS),
    fused("symbolic sizes", plain(inputs="float[n,s,8] x, float[n,s,8] k"), "skip_layer_norm", **WEIGHTS),
    fused("half precision", plain(inputs="float16[2,5,8] x, float16[2,5,8] k", outputs="float16[] y"),
        "skip_layer_norm", tolerance=2e-3, g=np.ones(8, "float16"), b=np.zeros(8, "float16")),
    fused("double precision", plain(inputs="double[2,5,8] x, double[2,5,8] k", outputs="double[] y"), "skip_layer_norm",
        g=np.ones(8), b=np.zeros(8)),
    fused("a tensor and itself", plain("s = Add(x, x)"), "skip_layer_norm", **WEIGHTS),
    fused("the sum is an output", plain(outputs="float[] y, float[] s"), BOTH, **WEIGHTS),
    fused("the sum is read after the norm", plain(after="z = Mul(y, s)", outputs="float[] z"), f"{BOTH} multiply",
        **WEIGHTS),
    fused("the sum is read before the norm", plain("s = Add(x, k) o = Exp(s)", outputs="float[] y, float[] o"),
        "skip_layer_norm TupleGetItem exp TupleGetItem", **WEIGHTS),
    fused("sums of sums", plain(after="t = Add(s, y) z = LayerNormalization(t, b, g)", outputs="float[] z"),
        f"{BOTH} skip_layer_norm", **WEIGHTS),
    fused("two norms of one sum", plain(after="z = LayerNormalization(s, b, g)", outputs="float[] y, float[] z"),
        f"{BOTH} layer_norm", **WEIGHTS),
    fused("an RMS norm", plain(norm=RMS), "skip_layer_norm", **RMS_WEIGHTS),
    fused("an RMS norm of a sum that is read again", plain(norm=RMS, outputs="float[] y, float[] s"), BOTH,
        **RMS_WEIGHTS),
    fused("a bias and an RMS norm", plain("a = Add(x, v) s = Add(a, k)", RMS), "skip_layer_norm", v=(8,),
        **RMS_WEIGHTS),
    fused("a bias of the first", plain("a = Add(x, v) s = Add(a, k)"), "skip_layer_norm", v=(8,), **WEIGHTS),
    fused("a bias of the second, first", plain("a = Add(v, x) s = Add(k, a)", outputs="float[] y, float[] s"), BOTH,
        v=(8,), **WEIGHTS),
    fused("a bias that is fed", plain("a = Add(x, v) s = Add(a, k)", inputs=f"{TWO}, float[8] v"), "skip_layer_norm",
        **WEIGHTS),
    fused("a biased tensor that is read again", plain("a = Add(x, v) s = Add(a, k)", outputs="float[] y, float[] a"),
        "add skip_layer_norm", v=(8,), **WEIGHTS),
    fused("no bias but a tensor", plain("a = Add(x, v) s = Add(a, k)", inputs=f"{TWO}, float[5,8] v"),
        "add skip_layer_norm", **WEIGHTS),
    fused("a product with a bias", plain("m = MatMul(x, w) a = Add(m, v) s = Add(a, k)"), "gemm skip_layer_norm",
        w=(8, 8), v=(8,), **WEIGHTS),
    fused("a product without", plain("m = MatMul(x, w) s = Add(m, k)"), "gemm skip_layer_norm", w=(8, 8), **WEIGHTS),
    fused("a product without, its sum read again",
        plain("m = MatMul(x, w) s = Add(k, m)", outputs="float[] y, float[] s"),
        "gemm skip_layer_norm TupleGetItem TupleGetItem", w=(8, 8), **WEIGHTS),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


ALIKE = "both tensors have the sum's shape"


@cases(
    fused("a row that is added", plain(inputs="float[2,5,8] x, float[8] k"), "add layer_norm", ALIKE, **WEIGHTS),
    fused("a batch that is shared", plain(inputs="float[2,5,8] x, float[1,5,8] k"), "add layer_norm", ALIKE, **WEIGHTS),
    fused("two that widen each other", plain(inputs="float[2,1,8] x, float[1,5,8] k"), "add layer_norm", ALIKE,
        **WEIGHTS),
    fused("one row", plain(inputs="float[8] x, float[8] k"), "add layer_norm", "the sum has rows", **WEIGHTS),
    fused("a constant", plain(inputs="float[2,5,8] x"), "add layer_norm",
        "neither is a constant, which joins the kernel before", k=(2, 5, 8), **WEIGHTS),
    fused("a norm over two dimensions", plain(norm="y = LayerNormalization<axis=1>(s, g, b)"), "add layer_norm",
        "the norm is over the last dimension", g=(5, 8), b=(5, 8)),
    fused("a bias of a product", plain("m = MatMul(x, w) s = Add(m, v)", inputs="float[2,5,8] x"), "gemm layer_norm",
        fires=False, w=(8, 8), v=(8,), **WEIGHTS),
    fused("a batch that a product shares",
        plain("m = MatMul(x, w) s = Add(m, k)", inputs="float[2,5,8] x, float[5,8] k"), "gemm layer_norm", ALIKE,
        w=(8, 8), **WEIGHTS),
    fused("a product that scales what it adds",
        plain("s = Gemm<beta=0.5>(x, w, k)", inputs="float[5,8] x, float[5,8] k"), "gemm layer_norm",
          "the sum is added as it is", w=(8, 8), **WEIGHTS),
    fused("a cast between", plain("t = Add(x, k) s = Cast<to=1>(t)", inputs="double[2,5,8] x, double[2,5,8] k"),
        "add astype layer_norm", fires=False, **WEIGHTS),
    fused("a difference", plain("s = Sub(x, k)"), "subtract layer_norm", fires=False, **WEIGHTS),
    fused("gamma is computed after the sum",
        plain("s = Add(x, k) o = ReduceMax<axes=[0,1], keepdims=0>(s)", "y = LayerNormalization(s, o, b)", outputs=
        "float[] y"), "add max layer_norm", "the parameters are known where the sum is computed", b=(8,)),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_declines_a_sum_of_another_block() -> None:
    module = in_two_blocks(
        lambda x, k, *_: add(x, k),
        lambda total, _, __, g, b: layer_norm(total, g, b, axes=[-1]),
        *[tensor(5, 8)] * 2,
        *[tensor(8)] * 2,
    )
    because = "the sum and its norm are in one block"
    assert_declines(SkipLayerNormFusion(), module, because=because)


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("norm", [NORM, RMS])
def test_one_scheduled_kernel(outputs: int, norm: str) -> None:
    named = "float[] y, float[] s" if outputs == 2 else "float[] y"
    inputs = "float[n,5,200] x, float[n,5,200] k"
    parameters = {"g": (200,)} | ({"b": (200,)} if norm == NORM else {"eps": np.float32(1e-6)})
    model = fused("", plain(norm=norm, inputs=inputs, outputs=named), None, **parameters).model()
    artifact = tvmfuse.compile(model)
    assert [k.schedule for k in artifact.manifest.kernels] == ["reduction"]
    rng = np.random.default_rng(0)
    feeds = {n: rng.standard_normal((3, 5, 200)).astype("float32") for n in "xk"}
    feeds["x"][0, 1, 3], feeds["x"][1, 1, 0], feeds["k"][2] = np.nan, np.inf, 10
    assert_agrees(artifact.load()(feeds), reference(model, feeds))


@pytest.mark.parametrize("exporter", ["classic", "dynamo"])
@pytest.mark.parametrize("name", ["bert", "vit"])
def test_every_residual_sum_of_a_transformer(name: str, exporter: str, exported: Any) -> None:
    path = exported(name, exporter)
    imported = import_model(path)
    optimized = optimize(imported.module, Selection.of("extended"))
    found = Counter(ops(optimized.operators))
    first = {"bert": "embed_layer_norm", "vit": "layer_norm"}[name]
    norms = {op: count for op, count in found.items() if op.endswith("_norm")}
    assert norms == {first: 1, "skip_layer_norm": 4}
    feeds = inputs(name)
    assert_agrees(compute(imported, optimized, feeds), reference(path, feeds))
