"""AttentionFusion: wherever a softmax of products weighs values, however it is written."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, ops, tensor
from tier_cases import Case, about, cases, check
from tvm import relax
from tvm.relax.op import exp, matmul, permute_dims
from tvm.relax.op.nn import softmax
from zoo import EXPORTERS

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.extended.attention_fusion import AttentionFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Trace
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.testing import assert_declines

fused = about("AttentionFusion")

HALF = np.float32(0.5)
OPERANDS = "float[2,3,5,8] q, float[2,3,8,7] k, float[2,3,7,4] v"


def plain(
    scores: str = "s = MatMul(q, k)",
    weights: str = "p = Softmax<axis=-1>(s)",
    result: str = "y = MatMul(p, v)",
    inputs: str = "",
    outputs: str = "float[] y",
) -> str:
    return f"({OPERANDS}{inputs}) => ({outputs}) {{{scores} {weights} {result}}}"


BACK = "attention permute_dims"


@cases(
    fused("nothing but products", plain(), BACK),
    fused("another name for the last axis", plain(weights="p = Softmax<axis=3>(s)"), BACK),
    fused("scores scaled", plain("a = MatMul(q, k) s = Mul(a, c)"), BACK, c=HALF),
    fused("the scale first", plain("a = MatMul(q, k) s = Mul(c, a)"), BACK, c=np.full((1, 1), 0.5, "float32")),
    fused("scores divided", plain("a = MatMul(q, k) s = Div(a, c)"), BACK, c=np.float32(3)),
    fused("queries scaled", plain("a = Mul(q, c) s = MatMul(a, k)"), BACK, c=HALF),
    fused("keys divided", plain("a = Div(k, c) s = MatMul(q, a)"), BACK, c=np.float32(3)),
    fused("values scaled, which stays", plain(result="a = Mul(v, c) y = MatMul(p, a)"),
        "multiply attention permute_dims", c=HALF),
    fused("values and keys of one scaled tensor",
        "(float[2,3,5,8] q, float[2,3,7,8] x) => (float[] y) {k = Mul(x, c) t = Transpose<perm=[0,1,3,2]>(k) "
        "s = MatMul(q, t) p = Softmax<axis=-1>(s) y = MatMul(p, k)}", "multiply attention permute_dims", c=HALF),
    fused("both scaled", plain("a = Mul(c, q) b = Mul(k, c) s = MatMul(a, b)"), BACK, c=HALF),
    fused("a mask", plain("a = MatMul(q, k) s = Add(a, m)", inputs=", float[2,1,5,7] m"), BACK),
    fused("the mask first, of fewer dimensions", plain("a = MatMul(q, k) s = Add(m, a)", inputs=", float[7] m"), BACK),
    fused("scale and mask", plain("a = MatMul(q, k) b = Div(a, c) s = Add(b, m)", inputs=", float[1,3,5,7] m"), BACK,
        c=np.float32(3)),
    fused("zeros for NaN", plain(weights="w = Softmax<axis=-1>(s) n = IsNaN(w) p = Where(n, z, w)"), BACK,
        z=np.float32(0)),
    fused("zeros where a mask leaves no key",
        plain("a = MatMul(q, k) s = Add(a, m)", "w = Softmax<axis=-1>(s) e = ReduceMax<axes=[-1]>(m) n = Equal(e, c) "
        "p = Where(n, z, w)", inputs=", float[2,1,5,7] m"), "max equal attention permute_dims", z=np.float32(0),
        c=np.float32(0.5)),
    fused("zeros nowhere", plain(weights="w = Softmax<axis=-1>(s) p = Where(n, z, w)"), BACK, z=np.float32(0),
        n=np.zeros((5, 1), bool)),
    fused("a result that is transposed", plain(result="o = MatMul(p, v) y = Transpose<perm=[0,2,1,3]>(o)"),
        "attention"),
    fused("and in another way", plain(result="o = MatMul(p, v) y = Transpose<perm=[1,2,0,3]>(o)"), BACK),
    fused("symbolic sizes",
        "(float[b,3,s,8] q, float[b,3,8,t] k, float[b,3,t,4] v, float[b,1,s,t] m) => (float[] y) {a = MatMul(q, k) "
        "s = Add(a, m) p = Softmax<axis=-1>(s) y = MatMul(p, v)}", BACK),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


HEADS = np.array([0, 0, 3, 4], "int64")
SPLIT = """
    a = Reshape(x, heads) q = Transpose<perm=[0,2,1,3]>(a)
    b = Reshape(y, heads) k = Transpose<perm=[0,2,3,1]>(b)
    c = Reshape(z, heads) v = Transpose<perm=[0,2,1,3]>(c)
    s = MatMul(q, k) p = Softmax<axis=-1>(s) o = MatMul(p, v)
    t = Transpose<perm=[0,2,1,3]>(o) r = Reshape(t, joined)
"""
JOINED = np.array([0, 0, 12], "int64")
VIEWS = "reshape reshape reshape attention reshape"


@cases(
    fused("heads", f"(float[2,5,12] x, float[2,7,12] y, float[2,7,12] z) => (float[] r) {{{SPLIT}}}", VIEWS,
        heads=HEADS, joined=JOINED),
    fused("heads of sequences of any length",
        f"(float[b,s,12] x, float[b,t,12] y, float[b,t,12] z) => (float[] r) {{{SPLIT}}}", VIEWS, heads=HEADS,
        joined=JOINED),
    fused("packed projections", """(float[2,5,36] x) => (float[] r) {
        x0, x1, x2 = Split<axis=-1>(x, parts)
        a = Reshape(x0, heads) q = Transpose<perm=[0,2,1,3]>(a) b = Reshape(x1, heads) k = Transpose<perm=[0,2,3,1]>(b)
        c = Reshape(x2, heads) v = Transpose<perm=[0,2,1,3]>(c)
        s = MatMul(q, k) p = Softmax<axis=-1>(s) o = MatMul(p, v)
        r = Transpose<perm=[0,2,1,3]>(o)}""", "reshape attention", heads=HEADS, parts=np.array([12, 12, 12], "int64")),
    fused("keys and values of earlier steps before them", """(float[2,1,12] x, float[2,3,6,4] pk, float[2,3,6,4] pv)
        => (float[] r, float[] k, float[] v) {
        a = Reshape(x, heads) q = Transpose<perm=[0,2,1,3]>(a)
        k = Concat<axis=2>(pk, q) v = Concat<axis=2>(pv, q) t = Transpose<perm=[0,1,3,2]>(k)
        s = MatMul(q, t) p = Softmax<axis=-1>(s) o = MatMul(p, v)
        r = Transpose<perm=[0,2,1,3]>(o)}""", None, heads=HEADS),
    fused("batch and heads joined, the keys transposed between", """(float[1,5,12] x, float[2,3,4,7] k, float[1,7,12] y,
        float[1,3,7,4] v) => (float[] r) {
        a = Reshape(x, heads) q = Transpose<perm=[0,2,1,3]>(a)
        b = Reshape(y, heads) c = Transpose<perm=[0,2,1,3]>(b) d = Reshape(c, three) e = Transpose<perm=[0,2,1]>(d)
        f = Reshape(e, four) s = MatMul(q, f) p = Softmax<axis=-1>(s)
        r = MatMul(p, v)}""", None, heads=HEADS,
        three=np.array([3, 7, 4], "int64"), four=np.array([1, 3, 4, 7], "int64")),
)  # fmt: skip
def test_reads_operands_where_they_lie(case: Case) -> None:
    optimized = check(case)
    assert "permute_dims" not in optimized.operators.script().split("tvmfuse.attention")[0]


REPEATED = """
    k1 = Unsqueeze(k, two) k2 = Expand(k1, copied) k3 = Reshape(k2, heads) t = Transpose<perm=[0,1,3,2]>(k3)
    v1 = Unsqueeze(v, two) v2 = Expand(v1, copied) v3 = Reshape(v2, heads)
    s = MatMul(q, t) p = Softmax<axis=-1>(s) y = MatMul(p, v3)
"""
KV: dict[str, Any] = {"two": np.array([2], "int64"), "heads": np.array([0, 6, -1, 4], "int64")}


def numbers(*values: Any) -> Any:
    return np.array(values, "int64")


@cases(
    fused("shared heads", f"(float[2,6,5,4] q, float[2,2,7,4] k, float[2,2,7,4] v) => (float[] y) {{{REPEATED}}}", BACK,
        copied=numbers(2, 2, 3, 7, 4), **KV),
    fused("of sequences of any length",
        f"(float[b,6,s,4] q, float[b,2,t,4] k, float[b,2,t,4] v) => (float[] y) {{{REPEATED}}}", BACK,
        copied=numbers(1, 2, 3, 1, 4), **KV),
    fused("copied before they are transposed", """(float[2,6,5,4] q, float[2,7,2,4] k, float[2,2,7,4] v)
        => (float[] y) {
        k1 = Unsqueeze(k, three) k2 = Expand(k1, copied) k3 = Reshape(k2, heads) t = Transpose<perm=[0,2,3,1]>(k3)
        v1 = Unsqueeze(v, two) v2 = Expand(v1, copies) v3 = Reshape(v2, joined)
        s = MatMul(q, t) p = Softmax<axis=-1>(s) y = MatMul(p, v3)}""",
        BACK, two=numbers(2), three=numbers(3), copied=numbers(2, 7, 2, 3, 4), heads=numbers(2, 7, 6, 4),
        copies=numbers(2, 2, 3, 7, 4), joined=numbers(2, 6, 7, 4)),
    fused("copies of all heads after each other stay", """(float[2,6,5,4] q, float[2,2,7,4] k, float[2,2,7,4] v)
        => (float[] y) {
        k1 = Unsqueeze(k, one) k2 = Expand(k1, copied) k3 = Reshape(k2, heads) t = Transpose<perm=[0,1,3,2]>(k3)
        v1 = Unsqueeze(v, one) v2 = Expand(v1, copied) v3 = Reshape(v2, heads)
        s = MatMul(q, t) p = Softmax<axis=-1>(s) y = MatMul(p, v3)}""",
        "expand_dims broadcast_to reshape expand_dims broadcast_to reshape attention permute_dims",
        one=numbers(1), copied=numbers(2, 3, 2, 7, 4), heads=numbers(2, 6, 7, 4)),
    fused("copied queries stay", """(float[2,2,5,4] q, float[2,6,7,4] k, float[2,6,7,4] v) => (float[] y) {
        q1 = Unsqueeze(q, two) q2 = Expand(q1, copied) q3 = Reshape(q2, heads) t = Transpose<perm=[0,1,3,2]>(k)
        s = MatMul(q3, t) p = Softmax<axis=-1>(s)
        y = MatMul(p, v)}""", None, two=numbers(2), copied=numbers(2, 2, 3, 5, 4), heads=numbers(2, 6, 5, 4)),
)  # fmt: skip
def test_reads_shared_heads_before_they_are_copied(case: Case) -> None:
    check(case)


TWICE = "nobody else reads scores or weights"


@cases(
    fused("a softmax over queries", plain(weights="p = Softmax<axis=2>(s)"), None, "the softmax is over the keys"),
    fused("three dimensions",
        "(float[3,5,8] q, float[3,8,7] k, float[3,7,4] v) => (float[] y) {s = MatMul(q, k) p = Softmax<axis=-1>(s) "
        "y = MatMul(p, v)}", None, "queries, keys and values have four dimensions: batch, head and two more"),
    fused("double precision",
        "(double[1,1,5,8] q, double[1,1,8,7] k, double[1,1,7,4] v) => (double[] y) {s = MatMul(q, k) "
        "p = Softmax<axis=-1>(s) y = MatMul(p, v)}", None, "it is in float32, or half of it"),
    fused("a division by 0", plain("a = MatMul(q, k) s = Div(a, c)"), None, "the divisor is not 0", c=np.float32(0)),
    # MatMulScaleFusion takes what is left.
    fused("a scale beyond float32", plain("a = Mul(q, c) b = Mul(k, c) s = MatMul(a, b)"), None, fires=False,
        c=np.float32(1e-30)),
    fused("a divisor that is next to 0", plain("a = MatMul(q, k) s = Div(a, c)"), None,
        "the scale is a number of float32", c=np.float32(1e-40)),
    fused("queries without elements",
        "(float[2,3,5,0] q, float[2,3,0,7] k, float[2,3,7,4] v) => (float[] y) {s = MatMul(q, k) "
        "p = Softmax<axis=-1>(s) y = MatMul(p, v)}", None, "queries have elements"),
    fused("a scale for each head", plain("a = MatMul(q, k) s = Mul(a, c)"), None, "the scale is one number",
        c=(3, 1, 1)),
    fused("scores that are an output", plain(outputs="float[] y, float[] s"), None, TWICE),
    fused("scores that are read again", plain(result="e = Exp(s) y = MatMul(p, v)", outputs="float[] y, float[] e"),
        None, TWICE),
    fused("weights that are an output", plain(outputs="float[] y, float[] p"), None, TWICE),
    fused("scaled scores that are an output", plain("a = MatMul(q, k) s = Mul(a, c)", outputs="float[] y, float[] a"),
        None, TWICE, c=HALF),
    fused("another number for NaN", plain(weights="w = Softmax<axis=-1>(s) n = IsNaN(w) p = Where(n, z, w)"), None,
        "zeros take the place of weights", z=np.float32(1)),
    fused("zeros that widen the weights",
        "(float[1,3,5,8] q, float[1,3,8,7] k, float[1,3,7,4] v, bool[2,1,5,7] n) => (float[] y) {s = MatMul(q, k) "
        "w = Softmax<axis=-1>(s) p = Where(n, z, w) y = MatMul(p, v)}", None, "they add no dimension to the weights",
        z=np.float32(0)),
    fused("a mask that widens the scores",
        "(float[1,3,5,8] q, float[1,3,8,7] k, float[1,3,7,4] v, float[2,1,5,7] m) => (float[] y) {a = MatMul(q, k) "
        "s = Add(a, m) p = Softmax<axis=-1>(s) y = MatMul(p, v)}", None, "the mask adds no dimension to the scores"),
    fused("keys that all queries' batches share",
        "(float[2,3,5,8] q, float[1,3,8,7] k, float[2,3,7,4] v) => (float[] y) {s = MatMul(q, k) "
        "p = Softmax<axis=-1>(s) y = MatMul(p, v)}", None, "queries, keys and values have the same batch and heads"),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(fused("no softmax", plain(weights="p = Relu(s)"), None, fires=False))
def test_ignores(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize(("name", "layers"), [("bert", 2), ("vit", 2)])
def test_fires_in_every_layer(exported: Any, name: str, layers: int, exporter: Any) -> None:
    optimized = optimize(import_model(exported(name, exporter)).module, Selection.of("extended"))
    assert optimized.report["AttentionFusion"].fired == layers
    assert optimized.report["QkvMatMulFusion"].fired == layers
    assert "softmax" not in ops(optimized.operators)


HEADS_FIRST = "float[2,3,5,8] q, float[2,3,7,8] k, float[2,3,7,8] v"


@cases(
    fused("opset 23", f"({HEADS_FIRST}) => (float[] y) {{y = Attention(q, k, v)}}", "attention permute_dims", opset=23),
    fused("with a mask", f"({HEADS_FIRST}, float[5,7] m) => (float[] y) {{y = Attention(q, k, v, m)}}", None, opset=23),
    fused("with a mask of truths", f"({HEADS_FIRST}, bool[5,7] m) => (float[] y) {{y = Attention(q, k, v, m)}}", None,
        opset=23),
    fused("causal", f"({HEADS_FIRST}) => (float[] y) {{y = Attention<is_causal=1>(q, k, v)}}", "attention permute_dims",
        opset=23),
    fused("three dimensions",
        "(float[2,5,24] q, float[2,7,24] k, float[2,7,24] v) "
        "=> (float[] y) {y = Attention<q_num_heads=3, kv_num_heads=3>(q, k, v)}",
        "reshape reshape reshape attention reshape", opset=23),
    fused("a head of keys for three of queries",
        "(float[2,3,5,8] q, float[2,1,7,8] k, float[2,1,7,8] v) => (float[] y) {y = Attention(q, k, v)}",
        "reshape reshape attention permute_dims", opset=23),
    fused("two heads of keys for six of queries",
        "(float[2,6,5,8] q, float[2,2,7,8] k, float[2,2,7,8] v) => (float[] y) {y = Attention(q, k, v)}",
        "attention permute_dims", opset=23),
    fused("and in three dimensions",
        "(float[2,5,48] q, float[2,7,16] k, float[2,7,16] v) "
        "=> (float[] y) {y = Attention<q_num_heads=6, kv_num_heads=2>(q, k, v)}",
        "reshape reshape reshape attention reshape", opset=23),
    fused("causal, of more keys than one block",
        "(float[1,4,750,8] q, float[1,2,750,8] k, float[1,2,750,8] v) "
        "=> (float[] y) {y = Attention<is_causal=1>(q, k, v)}", "attention permute_dims", opset=23),
    fused("opset 24", f"({HEADS_FIRST}) => (float[] y) {{y = Attention(q, k, v)}}", "attention permute_dims", opset=24),
)  # fmt: skip
def test_onnx_s_attention(case: Case) -> None:
    check(case)


def test_declines_sizes_that_nothing_is_known_of() -> None:
    unknown = relax.TensorType(dtype="float32", ndim=4)
    module = graph(lambda q, k, v, _: matmul(softmax(matmul(q, k)), v), *[unknown] * 3)
    assert_declines(AttentionFusion(), module, because="their sizes are known or have names")


def test_a_result_that_is_read_as_it_is_and_transposed() -> None:
    """The attention is fused; its transpose stays a kernel, and says why before that."""

    def attend(q: Any, k: Any, v: Any, emit: Any) -> Any:
        result = emit(matmul(softmax(matmul(q, k)), v))
        return [permute_dims(result, [0, 2, 1, 3]), exp(result)]

    module = graph(attend, tensor(2, 3, 5, 8), tensor(2, 3, 8, 7), tensor(2, 3, 7, 4))
    nothing = Trace(limit=0)
    AttentionFusion()(module, nothing)
    assert set(nothing.reasons) == {"nobody else reads the result before it is transposed"}
    assert ops(AttentionFusion()(module)) == ["attention", *["permute_dims"] * 2, "exp"]
