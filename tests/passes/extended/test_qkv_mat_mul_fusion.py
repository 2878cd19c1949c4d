"""QkvMatMulFusion: the projections of one tensor become one product."""

from typing import Any

import numpy as np
from tier_cases import Case, about, cases, check

fused = about("QkvMatMulFusion")

HEADS, JOINED = np.array([0, 0, 3, 4], "int64"), np.array([0, 0, 12], "int64")
ATTEND = """
    a = Reshape(i, heads) q = Transpose<perm=[0,2,1,3]>(a)
    b = Reshape(j, heads) k = Transpose<perm=[0,2,3,1]>(b)
    c = Reshape(l, heads) v = Transpose<perm=[0,2,1,3]>(c)
    s = MatMul(q, k) p = Softmax<axis=-1>(s) o = MatMul(p, v)
    t = Transpose<perm=[0,2,1,3]>(o) r = Reshape(t, joined)
"""
SPLIT: dict[str, Any] = {"heads": HEADS, "joined": JOINED}
WEIGHTS: dict[str, Any] = {"wq": (8, 12), "wk": (8, 12), "wv": (8, 12), **SPLIT}
BIASES: dict[str, Any] = {"bq": (12,), "bk": (12,), "bv": (12,)}
PLAIN = "i = MatMul(x, wq) j = MatMul(x, wk) l = MatMul(x, wv)"
BIASED = "d = MatMul(x, wq) e = MatMul(x, wk) f = MatMul(x, wv) i = Add(d, bq) j = Add(bk, e) l = Add(f, bv)"
OF_TWO = "i = MatMul(x, wq) j = MatMul(y, wk) l = MatMul(y, wv)"


def model(projections: str, inputs: str = "float[2,5,8] x", outputs: str = "float[] r") -> str:
    return f"({inputs}) => ({outputs}) {{{projections} {ATTEND}}}"


@cases(
    fused("without biases", model(PLAIN), "gemm reshape attention reshape", **WEIGHTS),
    fused("with biases", model(BIASED), "gemm reshape attention reshape", **WEIGHTS, **BIASES),
    fused("one bias of three", model("d = MatMul(x, wq) i = Add(d, bq) j = MatMul(x, wk) l = MatMul(x, wv)"),
        "gemm reshape attention reshape", **WEIGHTS, bq=(12,)),
    fused("any batch and length", model(BIASED, "float[b,s,8] x"), "gemm reshape attention reshape", **WEIGHTS,
        **BIASES),
    fused("keys and values of another tensor", model(OF_TWO, "float[2,5,8] x, float[2,7,8] y"),
        "matmul reshape gemm reshape attention reshape", **WEIGHTS),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


@cases(
    fused("keys that are an output", model(PLAIN, outputs="float[] r, float[] j"), None,
        "nobody else reads the projections", **WEIGHTS),
    fused("values of another size", model(PLAIN).replace("Reshape(l, heads)", "Reshape(l, wide)"), None,
          "the projections have as many heads of the same size",
          **WEIGHTS | {"wv": (8, 15), "wide": np.array([0, 0, 3, 5], "int64"), "joined": np.array([0, 0, 15],
          "int64")}),
    fused("weights that are computed", model(PLAIN, "float[2,5,8] x, float[8,12] wq, float[8,12] wk, float[8,12] wv"),
        None, fires=False, **SPLIT),
    fused("a reshape that moves tokens between batches", """(float[2,6,8] x) => (float[] r) {
        i = MatMul(x, wq) j = MatMul(x, wk) l = MatMul(x, wv)
        a = Reshape(i, heads) q = Transpose<perm=[0,2,1,3]>(a) b = Reshape(j, heads) k = Transpose<perm=[0,2,3,1]>(b)
        c = Reshape(l, heads) v = Transpose<perm=[0,2,1,3]>(c) s = MatMul(q, k) p = Softmax<axis=-1>(s) r = MatMul(p,
        v)}""", None, fires=False, wq=(8, 8), wk=(8, 8), wv=(8, 8), heads=np.array([2, 3, 4, 4], "int64")),
    fused("three tensors",
        model("i = MatMul(x, wq) j = MatMul(y, wk) l = MatMul(z, wv)", "float[2,5,8] x, float[2,5,8] y, float[2,5,8] "
        "z"), None, fires=False, **WEIGHTS),
    fused("a bias for each place",
        model("d = MatMul(x, wq) i = Add(d, bq) e = MatMul(x, wk) j = Add(e, bk) f = MatMul(x, wv) l = Add(f, bv)"),
        None, fires=False, **WEIGHTS, bq=(5, 12), bk=(5, 12), bv=(5, 12)),
)  # fmt: skip
def test_leaves_alone(case: Case) -> None:
    check(case)
