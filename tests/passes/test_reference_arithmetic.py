"""FuseReluClip and the passes on matrix products and elementwise pairs: every bullet of their specification.

What is tested elsewhere on a whole model (tests/passes/basic) is not repeated here.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from tier_cases import Case, about, cases, check, check_refused

N = np.array  # of int64
NUMBERS = N([np.nan, np.inf, -np.inf, -2, -0.0, 0, 0.5, 3, 9], "float32")


def f32(number: float) -> np.ndarray:
    return N(number, "float32")


relu_clip = about("FuseReluClip")
CLIP = "(float[9] x) => (float[] y) {r = Relu(x) y = Clip(r, l, h)}"
NAN: dict[str, Any] = {"feeds": {"x": NUMBERS}}


@cases(
    relu_clip("min > 0 stays", CLIP, "clip", l=f32(0.25), h=f32(6), **NAN),
    relu_clip("min < 0 becomes 0", CLIP, "clip", l=f32(-1), h=f32(6), **NAN),
    relu_clip("min absent", "(float[9] x) => (float[] y) {r = Relu(x) y = Clip(r, , h)}", "clip", h=f32(6), **NAN),
    relu_clip("max absent", "(float[9] x) => (float[] y) {r = Relu(x) y = Clip(r, l)}", "clip", l=f32(1), **NAN),
    relu_clip("both absent", "(float[9] x) => (float[] y) {r = Relu(x) y = Clip(r)}", "clip", **NAN),
    relu_clip("fp16", "(float16[9] x) => (float16[] y) {r = Relu(x) y = Clip(r, , h)}", "clip", h=N(6, "float16"),
              feeds={"x": NUMBERS.astype("float16")}),
    relu_clip("attributes, opset 6", "(float[9] x) => (float[] y) {r = Relu(x) y = Clip<min=-1.0, max=6.0>(r)}", "clip",
        opset=6, **NAN),
    relu_clip("attributes, max absent", "(float[9] x) => (float[] y) {r = Relu(x) y = Clip<min=-1.0>(r)}", "clip",
        opset=7, **NAN),
    *[relu_clip(f"opset {n}", CLIP, "clip", opset=n, l=f32(-1), h=f32(6), **NAN) for n in (11, 12, 13, 14, 21, 24)],
    relu_clip("max < 0", CLIP, "clip", l=f32(-3), h=f32(-1), **NAN),
    relu_clip("min > max", CLIP, "clip", l=f32(4), h=f32(2), **NAN),
    relu_clip("runtime max", "(float[9] x, float h) => (float[] y) {r = Relu(x) y = Clip(r, l, h)}", "maximum minimum",
        l=f32(-1),
              feeds={"x": NUMBERS, "h": f32(6)}),
    relu_clip("through Identity", "(float[9] x) => (float[] y) {r = Relu(x) i = Identity(r) y = Clip(i, l, h)}", "clip",
        l=f32(-1), h=f32(6), **NAN),
    relu_clip("constant nodes",
        "(float[9] x) => (float[] y) {r = Relu(x) l = Constant<value_float=-1.0>() y = Clip(r, l)}", "clip", **NAN),
    relu_clip("an initializer that is an input, too",
        "(float[9] x, float h) => (float[] y) {r = Relu(x) y = Clip(r, l, h)}", "maximum minimum", l=f32(-1), h=f32(6),
              **NAN),
    relu_clip("runtime min", "(float[9] x, float l) => (float[] y) {r = Relu(x) y = Clip(r, l, h)}",
        "relu maximum minimum",
              "the lower bound is known before the model runs", h=f32(6), feeds={"x": NUMBERS, "l": f32(-1)}),
    relu_clip("relu is a graph output", "(float[9] x) => (float[] y, float[] r) {r = Relu(x) y = Clip(r, l, h)}",
        "relu clip",
              "the clip is the relu's only reader", l=f32(-1), h=f32(6), **NAN),
    relu_clip("relu has 2 consumers",
        "(float[9] x) => (float[] y, float[] z) {r = Relu(x) y = Clip(r, l, h) z = Neg(r)}", "relu clip negative",
              "the clip is the relu's only reader", l=f32(-1), h=f32(6), **NAN),
)  # fmt: skip
def test_fuse_relu_clip(case: Case) -> None:
    check(case)


def test_fuse_relu_clip_of_bfloat16() -> None:
    """onnxruntime has no Clip of bfloat16: its numbers are not compared."""
    h = N(6, ml_dtypes.bfloat16)
    case = relu_clip(
        "",
        "(bfloat16[9] x) => (bfloat16[] y) {r = Relu(x) y = Clip(r, , h)}",
        "clip",
        opset=14,
        h=h,
    )
    check(case, numbers=False)


def test_an_empty_bound_is_refused() -> None:
    empty = np.zeros(0, "float32")
    check_refused(
        relu_clip("", CLIP.replace("y =", "[clip_1] y ="), "", l=empty, h=f32(6)), "clip_1"
    )


div_mul = about("DivMulFusion")
REST: dict[str, Any] = {"k": f32(1)}
ALONE = "the product is the reciprocal's only reader"
XY = "(float[2,3] x, float[2,3] z) => (float[] y)"


@cases(
    *[div_mul(f"opset {n}", XY + " {r = Div(k, x) y = Mul(r, z)}", "divide", opset=n, **REST) for n in (7, 13, 14, 24)],
    div_mul("reversed", XY + " {r = Div(k, x) y = Mul(z, r)}", "divide", **REST),
    div_mul("Reciprocal", XY + " {r = Reciprocal(x) y = Mul(z, r)}", "divide"),
    div_mul("double", "(double[2,3] x, double[2,3] z) => (double[] y) {r = Div(k, x) y = Mul(z, r)}", "divide",
        k=N(1.0)),
    div_mul("integers",
        "(uint32[2,3] x, uint32[2,3] z) => (uint32[] y) {a = Abs(x) b = Max(a, k) r = Div(k, b) y = Mul(z, r)}", None,
            "the numbers are floats", k=N(1, "uint32")),
    div_mul("another numerator", XY + " {r = Div(k, x) y = Mul(r, z)}", "divide multiply", "the numerator is 1",
        k=f32(2)),
    div_mul("the reciprocal is read, too",
        "(float[2,3] x, float[2,3] z) => (float[] y, float[] r) {r = Div(k, x) y = Mul(r, z)}", "divide multiply",
            ALONE, **REST),
)  # fmt: skip
def test_div_mul_fusion(case: Case) -> None:
    check(case)


not_where = about("NotWhereFusion")


@cases(
    *[not_where(f"opset {n}", "(bool[2,3] c, float[2,3] x, float[3] z) => (float[] y) {n = Not(c) y = Where(n, x, z)}",
    "where", opset=n)
      for n in (9, 16, 24)],
    not_where("the negation is an output",
        "(bool[2,3] c, float[2,3] x) => (float[] y, bool[] n) {n = Not(c) y = Where(n, x, k)}",
              "logical_not where", "only choices read the negation", k=f32(0)),
)  # fmt: skip
def test_not_where_fusion(case: Case) -> None:
    check(case)


mat_mul = about("MatMulAddFusion")
PRODUCT = "(float[{x}] x) => (float[] y) {{m = MatMul(x, w) y = Add(m, b)}}"
MATRIX = "the right factor is a matrix"
LARGER = "the sum has the product's shape"
READ = "the sum is the product's only reader"


def product(
    bullet: str, x: str, left: str = "gemm", because: str | None = None, **constants: Any
) -> Case:
    opset = constants.pop("opset", 17)
    return mat_mul(
        bullet,
        PRODUCT.format(x=x),
        left,
        because,
        opset=opset,
        **{"w": (3, 4), "b": (4,)} | constants,
    )


@cases(
    *[product(f"bias {b}", "2,3", b=b) for b in [(4,), (1, 4), (2, 1), (2, 4)]],
    *[product(f"opset {n}", "2,3", opset=n) for n in (7, 9, 13, 14, 24)],
    mat_mul("Add reversed", "(float[2,3] x) => (float[] y) {m = MatMul(x, w) y = Add(b, m)}", "gemm", w=(3, 4), b=(4,)),
    mat_mul("runtime W", "(float[2,3] x, float[3,4] w) => (float[] y) {m = MatMul(x, w) y = Add(m, b)}", "gemm",
        b=(4,)),
    mat_mul("runtime bias", "(float[2,3] x, float[4] b) => (float[] y) {m = MatMul(x, w) y = Add(m, b)}", "gemm",
        w=(3, 4)),
    product("dynamic M", "N,3"),
    product("A is 3-D, without reshapes", "5,2,3"),
    product("A with a dynamic batch", "N,2,3"),
    product("A is 4-D", "2,2,2,3"),
    product("A is 1-D, without reshapes", "3"),
    mat_mul("fp16", "(float16[2,3] x) => (float16[] y) {m = MatMul(x, w) y = Add(m, b)}", "gemm",
        w=np.full((3, 4), 0.5, "float16"),
            b=np.ones(4, "float16"), tolerance=2e-3),
    mat_mul("double", "(double[2,3] x) => (double[] y) {m = MatMul(x, w) y = Add(m, b)}", "gemm",
        w=np.full((3, 4), 0.3), b=np.ones(4)),
    *[product(f"one number for all, {b}", "2,3", b=b) for b in [(1,), (), (1, 1)]],
    product("a bias that adds an axis", "2,3", "matmul add", LARGER, b=(1, 1, 4)),
    product("A is 3-D, the bias a matrix", "5,2,3", b=(2, 4)),
    product("B is 3-D", "5,2,3", "matmul add", MATRIX, w=(5, 3, 4)),
    product("a bias that grows the product", "1,3", "matmul add", LARGER, b=(2, 4)),
    mat_mul("integers", "(int32[2,3] x) => (int32[] y) {m = MatMul(x, w) y = Add(m, b)}", "matmul add",
        "the product is a floating-point one",
            w=np.ones((3, 4), "int32"), b=np.ones(4, "int32")),
    mat_mul("the product is an output", "(float[2,3] x) => (float[] y, float[] m) {m = MatMul(x, w) y = Add(m, b)}",
        "matmul add", READ, w=(3, 4), b=(4,)),
    mat_mul("the product is read twice",
        "(float[2,3] x) => (float[] y, float[] z) {m = MatMul(x, w) y = Add(m, b) z = Neg(m)}", "matmul add negative",
            READ, w=(3, 4), b=(4,)),
)  # fmt: skip
def test_mat_mul_add_fusion(case: Case) -> None:
    check(case)


gemm_sum = about("GemmSumFusion")
SUM = "(float[2,3] x{i}) => (float[] y{o}) {{g = {gemm}(x, w) y = {sum}}}"


@cases(
    *[gemm_sum(f"opset {n}", SUM.format(i="", o="", gemm="Gemm", sum="Sum(g, b)"), "gemm", opset=n, w=(3, 4), b=(4,))
      for n in (11, 13, 24)],
    gemm_sum("alpha stays", SUM.format(i="", o="", gemm="Gemm<alpha=0.5, beta=0.5>", sum="Sum(b, g)"), "gemm", w=(3, 4),
        b=(4,)),
    gemm_sum("runtime C", SUM.format(i=", float[2,1] b", o="", gemm="Gemm", sum="Sum(g, b)"), "gemm", w=(3, 4)),
    gemm_sum("three summands", SUM.format(i="", o="", gemm="Gemm", sum="Sum(g, b, b)"), "gemm add",
        "the gemm adds nothing yet", fires=True,
             w=(3, 4), b=(4,)),
    gemm_sum("Gemm with C", "(float[2,3] x) => (float[] y) {g = Gemm(x, w, b) y = Sum(g, b)}", "gemm add",
        "the gemm adds nothing yet", w=(3, 4), b=(4,)),
    gemm_sum("C grows the product", SUM.format(i="", o="", gemm="Gemm", sum="Sum(g, b)"), "gemm add",
        "the sum has the gemm's shape",
             w=(3, 4), b=(5, 2, 4)),
    gemm_sum("the gemm is an output", SUM.format(i="", o=", float[] g", gemm="Gemm", sum="Sum(g, b)"), "gemm add",
        "the sum is the gemm's only reader",
             w=(3, 4), b=(4,)),
)  # fmt: skip
def test_gemm_sum_fusion(case: Case) -> None:
    check(case)


gemm_transpose = about("GemmTransposeFusion")


@cases(
    *[gemm_transpose(f"A, opset {n}", "(float[3,2] x) => (float[] y) {t = Transpose<perm=[1,0]>(x) y = Gemm(t, w)}",
    "gemm", opset=n, w=(3, 4))
      for n in (11, 13, 24)],
    gemm_transpose("B", "(float[2,3] x, float[4,3] w) => (float[] y) {t = Transpose(w) y = Gemm(x, t)}", "gemm"),
    gemm_transpose("A that is transposed already",
        "(float[2,3] x) => (float[] y) {t = Transpose(x) y = Gemm<transA=1>(t, w)}", "gemm", w=(3, 4)),
    gemm_transpose("the result", "(float[2,3] x) => (float[] y) {g = Gemm<alpha=2.0>(x, w, b) y = Transpose(g)}",
        "gemm", w=(3, 4), b=(4,)),
    gemm_transpose("A is read by something else",
        "(float[3,2] x) => (float[] y, float[] z) {t = Transpose(x) y = Gemm(t, w) z = Neg(t)}", None,
                   "only gemms read the transpose", w=(3, 4)),
    gemm_transpose("A is an output", "(float[3,2] x) => (float[] y, float[] t) {t = Transpose(x) y = Gemm(t, w)}",
        "permute_dims gemm",
                   "only gemms read the transpose", w=(3, 4)),
)  # fmt: skip
def test_gemm_transpose_fusion(case: Case) -> None:
    check(case)


norm = about("MatMul_BatchNormalization_Fusion")
BN: dict[str, Any] = {
    "g": (4,),
    "b": (4,),
    "m": (4,),
    "v": N([0.5, 1, 2, 3], "float32"),
    "w": (3, 4),
}
NORMALIZED = "y = BatchNormalization(p, g, b, m, v)"


@cases(
    *[norm(f"MatMul, opset {n}",
           f"(float[2,3] x) => (float[] y) {{p = MatMul(x, w) {NORMALIZED}}}", "gemm", opset=n, **BN)
      for n in (9, 14, 15, 24)],
    norm("Gemm", f"(float[2,3] x) => (float[] y) {{p = Gemm<alpha=2.0, transB=1>(x, w) {NORMALIZED}}}", "gemm",
        **{**BN, "w": (4, 3)}),
    norm("Gemm with C", f"(float[N,3] x) => (float[] y) {{p = Gemm<beta=0.5>(x, w, c) {NORMALIZED}}}", "gemm", **BN,
        c=(4,)),
    norm("MatMul, Add", f"(float[2,3] x) => (float[] y) {{q = MatMul(x, w) p = Add(q, c) {NORMALIZED}}}", "gemm", **BN,
        c=(4,)),
    norm("the product is an output", f"(float[2,3] x) => (float[] y, float[] p) {{p = MatMul(x, w) {NORMALIZED}}}",
        "matmul batch_norm TupleGetItem",
         "the batch norm is the product's only reader", **BN),
    norm("runtime W", f"(float[2,3] x, float[3,4] z) => (float[] y) {{p = MatMul(x, z) {NORMALIZED}}}",
        "matmul batch_norm TupleGetItem",
         "the right factor is constant", **BN),
    norm("over another axis", f"(float[2,4,3] x) => (float[] y) {{p = MatMul(x, w) {NORMALIZED}}}",
        "matmul batch_norm TupleGetItem",
         "the batch norm runs over the product's columns", **BN),
)  # fmt: skip
def test_mat_mul_batch_normalization_fusion(case: Case) -> None:
    check(case)


def test_a_gemm_before_a_batch_norm_is_no_convolution() -> None:
    """The other half of "Gemm, BN": ConvBNFusion sees nothing of its kind."""
    case = about("ConvBNFusion")(
        "",
        f"(float[2,3] x) => (float[] y) {{p = Gemm(x, w) {NORMALIZED}}}",
        "gemm",
        fires=False,
        **BN,
    )
    check(case)
