"""SimplifiedLayerNormFusion: an RMS norm in all its writings becomes one operator."""

from typing import Any

import numpy as np
from tier_cases import Case, about, cases, check

fused = about("SimplifiedLayerNormFusion")

NUMBERS: dict[str, Any] = {"eps": np.float32(1e-6), "two": np.float32(2)}
GAMMA: dict[str, Any] = {"g": (8,)}
HALF_GAMMA: dict[str, Any] = {"g": np.linspace(-1, 1, 8).astype("float16")}


def plain(
    square: str = "q = Pow(x, two)",
    mean: str = "v = ReduceMean<axes=[-1]>(q)",
    normal: str = "e = Add(v, eps) r = Sqrt(e) n = Div(x, r)",
    scaled: str = "y = Mul(n, g)",
    inputs: str = "float[2,5,8] x",
    outputs: str = "float[] y",
) -> str:
    return f"({inputs}) => ({outputs}) {{{square} {mean} {normal} {scaled}}}"


RECIPROCAL = "e = Add(v, eps) r = Sqrt(e) i = Reciprocal(r) n = Mul(x, i)"
CAST = "x = Cast<to=1>(h) q = Pow(x, two)"


@cases(
    fused("a power and a quotient", plain(), "rms_norm", **NUMBERS, **GAMMA),
    fused("a product", plain("q = Mul(x, x)"), "rms_norm", eps=np.float32(1e-6), **GAMMA),
    fused("a reciprocal, gamma first", plain(normal=RECIPROCAL, scaled="y = Mul(g, n)"), "rms_norm", **NUMBERS,
        **GAMMA),
    fused("the reciprocal first", plain(normal="e = Add(v, eps) r = Sqrt(e) i = Div(one, r) n = Mul(i, x)"), "rms_norm",
        one=np.float32(1), **NUMBERS, **GAMMA),
    fused("a power of -0.5", plain(normal="e = Add(eps, v) i = Pow(e, h) n = Mul(x, i)"), "rms_norm",
        h=np.float32(-0.5), **NUMBERS, **GAMMA),
    fused("without gamma", plain(scaled="y = Identity(n)"), "rms_norm", **NUMBERS),
    fused("gamma is fed", plain(inputs="float[2,5,8] x, float[8] g"), "rms_norm", **NUMBERS),
    fused("any number of rows", plain(inputs="float[b,s,8] x"), "rms_norm", **NUMBERS, **GAMMA),
    fused("double precision", plain(inputs="double[5,8] x", outputs="double[] y"), "rms_norm", eps=np.float64(1e-6),
        two=np.float64(2), g=np.linspace(0, 1, 8)),
    fused("a sum after it", plain(scaled="s = Mul(n, g) y = Add(s, b)"), "rms_norm add", b=(8,), **NUMBERS, **GAMMA),
    fused("T5 in half precision: gamma after the cast back",
        plain(CAST, normal=RECIPROCAL, scaled="k = Cast<to=10>(n) y = Mul(g, k)", inputs="float16[2,5,8] h", outputs=
        "float16[] y"), "rms_norm", tolerance=2e-3, **NUMBERS, **HALF_GAMMA),
    fused("squares of what is cast, without gamma",
        plain(CAST, scaled="y = Cast<to=10>(n)", inputs="float16[2,5,8] h", outputs="float16[] y"), "rms_norm",
        tolerance=2e-3, **NUMBERS),
    fused("the tensor is read again", plain(scaled="s = Mul(n, g) y = Add(s, x)"), "rms_norm add", **NUMBERS, **GAMMA),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    assert check(case).report.kernels <= 2


@cases(
    fused("its own ONNX operator", "(float[2,5,8] x) => (float[] y) {y = RMSNormalization(x, g)}", "rms_norm", opset=23,
        **GAMMA),
    fused("of two dimensions", "(float[2,5,8] x) => (float[] y) {y = RMSNormalization<axis=1>(x, g)}", "rms_norm",
        opset=23, g=(5, 8)),
    fused("of half precision", "(float16[2,5,8] x) => (float16[] y) {y = RMSNormalization(x, g)}", "rms_norm", opset=23,
        tolerance=2e-3, **HALF_GAMMA),
)  # fmt: skip
def test_onnx_rms_normalization(case: Case) -> None:
    assert check(case, numbers=False).report.kernels == 1


@cases(
    fused("cubes", plain(), None, "what is averaged are squares", eps=np.float32(1e-6), two=np.float32(3), **GAMMA),
    fused("the first dimension", plain(mean="v = ReduceMean<axes=[0]>(q)"), None,
        "the means are over the last dimensions", **NUMBERS, **GAMMA),
    fused("a dimension that is dropped", plain(mean="v = ReduceMean<axes=[-1], keepdims=0>(q)", inputs="float[8,8] x"),
        None, "the means keep their dimensions", **NUMBERS, **GAMMA),
    fused("a gamma that adds a dimension", plain(inputs="float[2,8] x"), None, "the result has the operand's shape",
        g=(1, 1, 1, 8), **NUMBERS),
    fused("double precision around it",
        plain("x = Cast<to=11>(h) q = Mul(x, x)", normal="e = Add(v, eps) r = Sqrt(e) n = Div(x, r)", scaled=
        "y = Cast<to=1>(n)", inputs="float[2,5,8] h"), None, "the result has the operand's dtype",
        eps=np.float64(1e-60)),
    fused("integers around it",
        plain("x = Cast<to=1>(h) q = Mul(x, x)", scaled="y = Cast<to=6>(n)", inputs="int32[2,5,8] h", outputs=
        "int32[] y"), None, "the result has the operand's dtype", eps=np.float32(1e-6)),
    fused("epsilon is fed", plain(inputs="float[2,5,8] x, float[1] eps"), None, "epsilon is one constant number",
        two=np.float32(2), feeds={"eps": np.array([0.1], "float32")}, **GAMMA),
    fused("the mean square is an output", plain(outputs="float[] y, float[] v"), None, "nobody else reads the variance",
        **NUMBERS, **GAMMA),
    fused("the root is read again", plain(scaled="s = Mul(n, g) y = Add(s, r)"), None, "nobody else reads the variance",
        **NUMBERS, **GAMMA),
    fused("squares in half precision", plain(inputs="float16[2,5,8] x", outputs="float16[] y"), None,
        "the sums are in float32 or float64", eps=np.float16(1e-3), two=np.float16(2), tolerance=1e-2, **HALF_GAMMA),
    fused("a wider result",
        plain(inputs="float16[2,5,8] h", square=CAST, scaled="k = Cast<to=11>(n) y = Mul(k, g)", outputs="double[] y"),
        "astype rms_norm astype multiply", g=np.linspace(0, 1, 8), **NUMBERS),
    fused("the quotient the other way", plain(normal="e = Add(v, eps) r = Sqrt(e) n = Div(r, x)"), None, fires=False,
        **NUMBERS, **GAMMA),
    fused("another tensor is divided",
        plain(normal="e = Add(v, eps) r = Sqrt(e) n = Div(z, r)", inputs="float[2,5,8] x, float[2,5,8] z"), None,
        fires=False, **NUMBERS, **GAMMA),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_nan_and_infinities() -> None:
    x = np.random.default_rng(0).standard_normal((2, 5, 8)).astype("float32")
    x[0, 0, 3], x[0, 1, 0], x[1, 2, 2], x[1, 3] = np.nan, np.inf, -np.inf, 1e30
    check(fused("", plain(), "rms_norm", feeds={"x": x}, **NUMBERS, **GAMMA))
