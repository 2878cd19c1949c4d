"""LayerNormFusion: a layer norm in all its writings becomes one operator."""

import io
from typing import Any, cast

import numpy as np
import onnx
import pytest
from graphs import ops
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.extended.layer_norm_fusion import LayerNormFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Trace
from tvmfuse.pipeline.optimize import optimize

fused = about("LayerNormFusion")
alone = about("LayerNormFusion", disabled=("SimplifiedLayerNormFusion",))

EPS = np.float32(1e-5)
TWO, HALF, MINUS_HALF, ONE = (np.float32(n) for n in (2, 0.5, -0.5, 1))
NUMBERS: dict[str, Any] = {"eps": EPS, "two": TWO}
AFFINE: dict[str, Any] = {"g": (8,), "b": (8,)}


def plain(
    mean: str = "m = ReduceMean<axes=[-1]>(x)",
    square: str = "d = Sub(x, m) q = Pow(d, two)",
    variance: str = "v = ReduceMean<axes=[-1]>(q)",
    normal: str = "e = Add(v, eps) r = Sqrt(e) n = Div(d, r)",
    affine: str = "s = Mul(n, g) y = Add(s, b)",
    inputs: str = "float[2,5,8] x",
    outputs: str = "float[] y",
) -> str:
    return f"({inputs}) => ({outputs}) {{{mean} {square} {variance} {normal} {affine}}}"


WIDE = "float16[2,5,8] h"
CAST = "x = Cast<to=1>(h) m = ReduceMean<axes=[-1]>(x)"
HALVES: dict[str, Any] = {
    "g": np.linspace(-1, 1, 8).astype("float16"),
    "b": np.linspace(0, 1, 8).astype("float16"),
}


@cases(
    fused("powers and a quotient", plain(), "layer_norm", **NUMBERS, **AFFINE),
    fused("products", plain(square="d = Sub(x, m) q = Mul(d, d)"), "layer_norm", eps=EPS, **AFFINE),
    fused("the mean subtracted twice", plain(square="c = Sub(x, m) d = Sub(x, m) q = Pow(c, two)"), "layer_norm",
        **NUMBERS, **AFFINE),
    fused("a reciprocal", plain(normal="e = Add(v, eps) r = Sqrt(e) i = Reciprocal(r) n = Mul(i, d)"), "layer_norm",
        **NUMBERS, **AFFINE),
    fused("a power of -0.5", plain(normal="e = Add(eps, v) i = Pow(e, half) n = Mul(d, i)"), "layer_norm",
        half=MINUS_HALF, **NUMBERS, **AFFINE),
    fused("a power of 0.5", plain(normal="e = Add(eps, v) i = Pow(e, half) n = Div(d, i)"), "layer_norm", half=HALF,
        **NUMBERS, **AFFINE),
    fused("parameters first", plain(affine="s = Mul(g, n) y = Add(b, s)"), "layer_norm", **NUMBERS, **AFFINE),
    fused("without beta", plain(affine="y = Mul(n, g)"), "layer_norm", **NUMBERS, g=(8,)),
    fused("without gamma", plain(affine="y = Add(n, b)"), "layer_norm", **NUMBERS, b=(8,)),
    fused("without both", plain(affine="y = Identity(n)"), "layer_norm", **NUMBERS),
    fused("parameters with more dimensions", plain(), "layer_norm", **NUMBERS, g=(1, 1, 8), b=(1, 8)),
    fused("parameters of one number", plain(), "layer_norm", **NUMBERS, g=(1,), b=()),
    fused("parameters that are fed", plain(inputs="float[2,5,8] x, float[8] g, float[8] b"), "layer_norm", **NUMBERS),
    fused("two dimensions", plain("m = ReduceMean<axes=[1,2]>(x)", variance="v = ReduceMean<axes=[-2,-1]>(q)"),
        "layer_norm", **NUMBERS, g=(5, 8), b=(8,)),
    fused("axes that are an input", plain("m = ReduceMean(x, a)", variance="v = ReduceMean(q, a)"), "layer_norm",
        opset=18, a=np.array([-1]), **NUMBERS, **AFFINE),
    fused("symbolic sizes", plain(inputs="float[n,s,8] x"), "layer_norm", **NUMBERS, **AFFINE),
    fused("symbolic rows", plain(inputs="float[n,s] x, float[s] g, float[s] b"), "layer_norm", **NUMBERS),
    fused("double precision", plain(inputs="double[2,5,8] x", outputs="double[] y"), "layer_norm", eps=np.float64(1e-5),
        two=np.float64(2), g=np.ones(8), b=np.zeros(8)),
    fused("a sum after it", plain(affine="s = Mul(n, g) t = Add(s, b) y = Add(t, x)"), "layer_norm add", **NUMBERS,
        **AFFINE),
    fused("a product that is no gamma", plain(affine="y = Mul(n, x)"), "layer_norm multiply", **NUMBERS),
    fused("the normalized rows are an output", plain(outputs="float[] y, float[] n"), "layer_norm multiply add",
        **NUMBERS, **AFFINE),
    fused("two norms of one tensor",
        plain(affine="s = Mul(n, g) t = Add(s, b) m2 = ReduceMean<axes=[-1]>(x) d2 = Sub(x, m2) q2 = Pow(d2, two) "
        "v2 = ReduceMean<axes=[-1]>(q2) e2 = Add(v2, eps) r2 = Sqrt(e2) n2 = Div(d2, r2) u = Mul(n2, b) "
        "w = Add(u, g) y = Sub(t, w)"), "layer_norm multiply add multiply add subtract", **NUMBERS, **AFFINE),
    fused("cast to float32 and back",
        plain(CAST, inputs=WIDE, outputs="float16[] y", affine="k = Cast<to=10>(n) s = Mul(k, g) y = Add(s, b)"),
        "layer_norm", tolerance=2e-3, **NUMBERS, **HALVES),
    fused("without parameters, cast to float32 and back",
        plain(CAST, inputs=WIDE, outputs="float16[] y", affine="y = Cast<to=10>(n)"), "layer_norm", tolerance=2e-3,
        **NUMBERS),
    fused("parameters in float32",
        plain(CAST, inputs=WIDE, outputs="float16[] y", affine="s = Mul(n, g) t = Add(s, b) y = Cast<to=10>(t)"),
        "astype layer_norm astype", tolerance=2e-3, **NUMBERS, **AFFINE),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


DIMENSIONS = "the means are over the same dimensions"
LAST = "the means are over the last dimensions"


@cases(
    fused("the first dimension", plain("m = ReduceMean<axes=[0]>(x)", variance="v = ReduceMean<axes=[0]>(q)"), None,
        LAST, **NUMBERS, **AFFINE),
    fused("dimensions apart", plain("m = ReduceMean<axes=[0,2]>(x)", variance="v = ReduceMean<axes=[0,2]>(q)"), None,
        LAST, **NUMBERS, **AFFINE),
    alone("different dimensions", plain("m = ReduceMean<axes=[1]>(x)"), None, DIMENSIONS, **NUMBERS, **AFFINE),
    fused("cubes", plain(), None, "what is averaged are squares", eps=EPS, two=np.float32(3), **AFFINE),
    fused("another root", plain(normal="e = Add(v, eps) i = Pow(e, half) n = Mul(d, i)"), None,
        "squares are divided by their mean's root", half=np.float32(-0.4), **NUMBERS, **AFFINE),
    fused("dimensions that are dropped",
        plain("m = ReduceMean<axes=[-1]>(x)", variance="v = ReduceMean<axes=[-1], keepdims=0>(q)", inputs=
        "float[8,8] x"), None, "the means keep their dimensions", **NUMBERS, **AFFINE),
    fused("epsilon is fed", plain(inputs="float[2,5,8] x, float[1] eps"), None, "epsilon is one constant number",
        two=TWO, feeds={"eps": np.array([0.1], "float32")}, **AFFINE),
    fused("an epsilon for each element", plain(), None, "epsilon is one constant number", two=TWO,
        eps=np.linspace(1, 2, 5, dtype="float32").reshape(5, 1), **AFFINE),
    fused("the variance is an output", plain(outputs="float[] y, float[] v"), None, "nobody else reads the variance",
        **NUMBERS, **AFFINE),
    fused("the root is read again", plain(affine="s = Mul(n, g) t = Add(s, b) y = Add(t, r)"), None,
        "nobody else reads the variance", **NUMBERS, **AFFINE),
    alone("the mean is an output", plain(outputs="float[] y, float[] m"), None,
        "nobody else reads the mean or what it leaves", **NUMBERS, **AFFINE),
    alone("the difference is an output", plain(outputs="float[] y, float[] d"), None,
        "nobody else reads the mean or what it leaves", **NUMBERS, **AFFINE),
    fused("squares of what is half precision", plain(inputs="float16[2,5,8] x", outputs="float16[] y"), None,
        "the sums are in float32 or float64", eps=np.float16(1e-3), two=np.float16(2), tolerance=1e-2, **HALVES),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("an unfit gamma stays a product", plain(), "layer_norm multiply add", **NUMBERS, g=(5, 8), b=(8,)),
    fused("the mean is an output", plain(outputs="float[] y, float[] m"), "mean subtract rms_norm add", fires=False,
        **NUMBERS, **AFFINE),
    fused("a difference the other way", plain(square="d = Sub(m, x) q = Pow(d, two)"), None, fires=False, **NUMBERS,
        **AFFINE),
    fused("a quotient the other way", plain(normal="e = Add(v, eps) r = Sqrt(e) n = Div(r, d)"), None, fires=False,
        **NUMBERS, **AFFINE),
)  # fmt: skip
def test_goes_as_far_as_it_is_right(case: Case) -> None:
    check(case)


def test_nan_and_infinities() -> None:
    case = fused("", plain(), "layer_norm", **NUMBERS, **AFFINE)
    x = np.random.default_rng(0).standard_normal((2, 5, 8)).astype("float32")
    x[0, 0, 3], x[0, 1, 0], x[1, 2, 2], x[1, 3] = np.nan, np.inf, -np.inf, 1e4
    check(fused("", case.graph, "layer_norm", feeds={"x": x}, **NUMBERS, **AFFINE))


@pytest.mark.parametrize("affine", [True, False])
def test_an_export_at_opset_16(affine: bool) -> None:
    import torch

    norm = torch.nn.LayerNorm(8, elementwise_affine=affine).eval()
    buffer = io.BytesIO()
    torch.onnx.export(
        norm,
        (torch.randn(2, 5, 8),),
        cast("Any", buffer),  # the classic exporter takes files, too
        opset_version=16,
        dynamo=False,
        input_names=["x"],
        output_names=["y"],
    )
    model = onnx.load_from_string(buffer.getvalue())
    assert "LayerNormalization" not in {n.op_type for n in model.graph.node}
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    assert ops(optimized.operators) == ["layer_norm"]
    assert optimized.report.kernels == 1
    feeds = {"x": np.random.default_rng(0).standard_normal((2, 5, 8)).astype("float32")}
    assert_agrees(compute(imported, optimized, feeds), reference(model, feeds))


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (fused("", plain(outputs="float[] y, float[] n"), None, **NUMBERS, **AFFINE),
            "nobody else reads the normalized rows"),
        (fused("", plain(), None, **NUMBERS, g=(5, 8), b=(8,)), "gamma has a number for each element of a row"),
        (fused("", plain(affine="y = Identity(n)", inputs="float[n,s] x"), None, **NUMBERS), "a row's length is known"),
    ],
    ids=["rows", "gamma", "length"],
)  # fmt: skip
def test_the_larger_norm_says_why_it_is_none(case: Case, reason: str) -> None:
    nothing = Trace(limit=0)
    LayerNormFusion()(import_model(case.model()).module, nothing)
    assert reason in nothing.reasons
