"""GemmReshapeFusion: products of tensors that are flattened before and reshaped after."""

from typing import Any

import numpy as np
from tier_cases import Case, about, cases, check

fused = about("GemmReshapeFusion")

FLAT, BACK = np.array([10, 8], "int64"), np.array([2, 5, 16], "int64")
THERE_AND_BACK = "f = Reshape(x, flat) g = Gemm(f, w, b) y = Reshape(g, back)"
KNOWN: dict[str, Any] = {"flat": FLAT, "back": BACK, "w": (8, 16)}


@cases(
    fused("there and back", f"(float[2,5,8] x) => (float[] y) {{{THERE_AND_BACK}}}", "gemm", **KNOWN, b=(16,)),
    fused("a bias of one row", f"(float[2,5,8] x) => (float[] y) {{{THERE_AND_BACK}}}", "gemm", **KNOWN, b=(1, 16)),
    fused("one number for all", f"(float[2,5,8] x) => (float[] y) {{{THERE_AND_BACK}}}", "gemm", **KNOWN, b=(1,)),
    fused("and another product",
        f"(float[2,5,8] x) => (float[] z) {{{THERE_AND_BACK} e = Exp(y) h = Reshape(e, more) "
        "i = Gemm<transB=1, alpha=2.0>(h, v, c) z = Reshape(i, last)}", "gemm exp gemm", **KNOWN, b=(16,),
        more=np.array([-1, 16], "int64"), v=(3, 16), c=(3,), last=np.array([2, 5, 3], "int64")),
    fused("there only", "(float[2,5,8] x) => (float[] y) {f = Reshape(x, flat) y = Gemm(f, w, b)}", "gemm reshape",
        flat=FLAT, w=(8, 16), b=(16,)),
    fused("any batch", "(float[n,5,8] x) => (float[] y) {f = Reshape(x, flat) y = Gemm(f, w, b)}", "gemm reshape",
        flat=np.array([-1, 8], "int64"), w=(8, 16), b=(16,)),
    fused("a flat tensor that others read",
        "(float[2,5,8] x) => (float[] y, float[] e) {f = Reshape(x, flat) y = Gemm(f, w, b) e = Exp(f)}", None,
        flat=FLAT, w=(8, 16), b=(16,)),
    fused("other columns", "(float[2,4,10] x) => (float[] y) {f = Reshape(x, flat) y = Gemm(f, w, b)}", "reshape gemm",
        "the reshape leaves the columns as they are", flat=FLAT, w=(8, 16), b=(16,)),
    fused("a bias for each row", "(float[2,5,8] x) => (float[] y) {f = Reshape(x, flat) y = Gemm(f, w, b)}",
        "reshape gemm", "the product adds the same to each row", flat=FLAT, w=(8, 16), b=(10, 16)),
    fused("rows for columns", "(float[2,4,10] x) => (float[] y) {f = Reshape(x, flat) y = Gemm<transA=1>(f, w, b)}",
        "reshape gemm", fires=False, flat=np.array([8, 10], "int64"), w=(8, 16), b=(16,)),
)  # fmt: skip
def test_gemm_reshape(case: Case) -> None:
    check(case)
