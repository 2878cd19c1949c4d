"""ConstantFolding and what shares constants and calls: every bullet of their specification.

What is tested elsewhere on a whole model (tests/passes/basic) is not repeated here.
"""

from __future__ import annotations

import numpy as np
import pytest
from graphs import ops
from tier_cases import Case, about, cases, check

from tvmfuse.frontend.onnx import import_model
from tvmfuse.limits import Limits
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import Optimizer

N = np.array  # of int64
DEQUANTIZED = "what is computed from the dequantized constant is quantized again"

folding = about("ConstantFolding")
IF = ("y = If(c) <then_branch = t () => (float[] p) {a = Add(k, k) p = Mul(x, a)}, "
      "else_branch = e () => (float[] q) {a = Exp(x) q = Neg(a)}>")  # fmt: skip


@cases(
    folding("all constant", "(float[2,3] x) => (float[] y) {a = Sqrt(k) b = Exp(a) y = Mul(x, b)}", "multiply",
        k=N(2, "float32")),
    folding("a graph output", "(float[2,3] x) => (float[] y, float[] z) {y = Neg(x) z = Exp(k)}", "negative", k=(3,)),
    folding("every output", "(float[2,3] x) => (float[] z) {z = Exp(k)}", "", k=(3,)),
    folding("missing optional inputs", "(float[1,1,4,4] x) => (float[] y) {r = Resize(k, , s) y = Add(x, r)}", "add",
            k=(1, 1, 2, 2), s=N([1, 1, 2, 2], "float32")),
    folding("missing optional outputs",
        '(float[2,3] x, int64[3] i) => (float[] y, int64[] m) {u, "", "", n = Unique(k) y = Add(x, u) m = Mul(i, n)}',
            "add multiply", k=N([3, 1, 2, 1], "float32")),
    folding("empty tensors", "(float[2,3] x) => (float[] y) {n = Neg(k) y = Concat<axis=0>(x, n)}", "concat", k=(0, 3)),
    folding("string tensors", "(float[2,3] x) => (float[] y) {e = Equal(k, l) y = Where(e, x, m)}", "where",
        fires=False, opset=19,
            k=N(["a", "b", "c"], object), l=N(["a", "c", "c"], object), m=N(0, "float32")),
    folding("a branch reads constants around it", f"(float[2,3] x, bool c) => (float[] y) {{{IF}}}",
        "multiply exp negative", k=N(2, "float32")),
    folding("constant Ifs are inlined and their names stay apart",
        f"(float[2,3] x) => (float[] y, float[] z) {{{IF} {IF.replace('y =', 'z =')}}}",
            "multiply multiply", k=N(2, "float32"), c=N(True)),
    folding("an If whose condition is computed", f"(float[2,3] x) => (float[] y) {{c = Greater(k, m) {IF}}}",
        "exp negative", fires=False,
            k=N(2, "float32"), m=N(3, "float32")),
    folding("Shape of a static input",
        "(float[2,3] x) => (float[] y) {s = Shape(x) f = Cast<to=1>(s) p = ReduceProd<keepdims=0>(f) y = Mul(x, p)}",
            "multiply", fires=False),
    folding("deep: all before Shape goes", "(float[2,3] x) => (int64[] y) {a = Exp(x) b = Relu(a) y = Shape(b)}", "",
        fires=False),
    folding("Shape start and end clamped",
        "(float[2,3] x) => (int64[] y, int64[] z) {y = Shape<start=-9,end=9>(x) z = Shape<start=1,end=-1>(x)}", "",
            fires=False),
    folding("RandomUniform before Shape",
        "(float[2,3] x) => (int64[] y) {r = RandomUniform<shape=[4,5]>() y = Shape(r)}", "", fires=False),
    folding("fp16 TopK", "(float16[2,3] x) => (float16[] y) {v, i = TopK(k, n) y = Add(x, v)}", "add",
            k=N([1, 4, 3, 2], "float16"), n=N([3])),
    folding("NonZero of a constant", "(float[2,3] x) => (int64[] y) {a = NonZero(k) y = Identity(a)}", "",
        k=N([0, 1, 0, 2], "float32")),
    folding("NonZero of a constant that is an index", "(float[4,3] x) => (float[] y) {a = NonZero(k) y = Gather(x, a)}",
        "take",
            k=N([0, 1, 0, 2], "float32")),
    folding("Size of a static tensor", "(float[2,3] x) => (float[] y) {n = Size(x) f = Cast<to=1>(n) y = Div(x, f)}",
        "divide", fires=False),
    folding("Shape(start=1) where the batch is symbolic",
        "(float[B,3,4] x) => (float[] y) {s = Shape<start=1>(x) f = Cast<to=1>(s) "
            "p = ReduceProd<keepdims=0>(f) y = Mul(x, p)}", "multiply", fires=False),
    folding("Dropout of a constant", "(float[2,3] x) => (float[] y) {d = Dropout(k) e = Exp(d) y = Add(x, e)}", "add",
        k=(3,)),
    folding("an initializer that is an input, too",
        "(float[2,3] x, float[3] k) => (float[] y) {e = Exp(k) y = Add(x, e)}", "exp add", fires=False, k=(3,)),
    folding("DequantizeLinear", "(float[2,3] x) => (float[] y) {d = DequantizeLinear(k, s) y = Add(x, d)}",
        "dequantize add", DEQUANTIZED,
            k=N([1, 2, 3], "int8"), s=N(0.5, "float32")),
    folding("DequantizeLinear, X, QuantizeLinear",
        "(int8[2,3] x) => (int8[] y) {d = DequantizeLinear(k, s, z) n = Neg(d) q = QuantizeLinear(n, s, z) "
            "y = Add(x, q)}", "add", k=N([1, 2, 3], "int8"), s=N(0.5, "float32"), z=N(0, "int8")),
)  # fmt: skip
def test_constant_folding(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("node",
    ["RandomNormal<shape=[2,3]>()", "RandomNormalLike(k)", "RandomUniform<shape=[2,3]>()", "RandomUniformLike(k)",
                                  "Bernoulli(k)", "Multinomial<sample_size=3>(k)"])  # fmt: skip
def test_random_operators_are_not_folded(node: str) -> None:
    case = folding(
        "", f"(float[2,3] x) => (float[] y) {{r = {node} y = Cast<to=1>(r)}}", "", k=(2, 3)
    )
    module = Optimizer(Selection.of("basic")).run_on_operators(import_model(case.model()).module)
    assert "random_bits" in ops(module)


@pytest.mark.parametrize("size", [2**29, 2**31 - 1])
def test_a_result_that_would_be_too_large_stays(size: int) -> None:
    case = folding(
        "",
        "(float[2,3] x) => (float[] y, float[] z) {[fill_1] y = Expand(k, s) z = Neg(x)}",
        "",
        k=(1,),
        s=N([size]),
    )
    optimizer = Optimizer(Selection.of("basic"))
    limits = Limits(elements=2**31, bytes=2**42, constant_bytes=2**42)
    module = optimizer.run_on_operators(import_model(case.model(), limits=limits).module)
    assert ops(module) == ["broadcast_to", "negative"]
    (decline,) = optimizer.report()["ConstantFolding"].declined
    assert (decline.reason, decline.nodes) == (
        "the result takes at most 1073741824 bytes",
        ("fill_1",),
    )


sharing = about("ConstantSharing")


@cases(
    sharing("equal scalars", "(float[2,3] x) => (float[] y) {a = Add(x, k) y = Mul(a, l)}", "add multiply",
        k=N(3, "float32"), l=N(3, "float32")),
    sharing("equal vectors", "(float[2,3] x) => (float[] y) {a = Add(x, k) y = Mul(a, l)}", "add multiply",
        k=np.ones(3, "float32") / 3, l=np.ones(3, "float32") / 3),
    sharing("another shape", "(float[2,3] x) => (float[] y) {a = Add(x, k) y = Mul(a, l)}", "add multiply", fires=False,
        k=N(3, "float32"), l=N([3], "float32")),
    sharing("another number", "(float[2,3] x) => (float[] y) {a = Add(x, k) y = Mul(a, l)}", "add multiply",
        fires=False, k=N(3, "float32"), l=N(4, "float32")),
    sharing("another type", "(float[2,3] x, int32[2,3] z) => (float[] y, int32[] u) {y = Mul(x, k) u = Mul(z, l)}",
        "multiply multiply", fires=False,
            k=N(3, "float32"), l=N(3, "int32")),
    sharing("zeros of both signs", "(float[2,3] x) => (float[] y, float[] z) {y = Div(x, k) z = Div(x, l)}",
        "divide divide", fires=False,
            k=N(0.0, "float32"), l=N(-0.0, "float32")),
)  # fmt: skip
def test_constant_sharing(case: Case) -> None:
    check(case)


merging = about("CommonSubexpressionElimination")


@cases(
    merging("equal nodes", "(float[2,3] x) => (float[] y) {a = Exp(x) b = Exp(x) y = Add(a, b)}", "exp add"),
    merging("equal chains", "(float[2,3] x) => (float[] y) {a = Exp(x) b = Neg(a) c = Exp(x) d = Neg(c) y = Add(b, d)}",
        "exp negative add"),
    merging("equal constants", "(float[2,3] x) => (float[] y) {a = Mul(x, k) b = Mul(x, l) c = Exp(b) y = Add(a, c)}",
        "multiply exp add",
            k=N(3, "float32"), l=N(3, "float32")),
    merging("one is an output", "(float[2,3] x) => (float[] y, float[] a) {a = Exp(x) b = Exp(x) y = Neg(b)}",
        "exp negative"),
    merging("other attributes",
        "(float[2,3] x) => (float[] y) {a = Softmax<axis=0>(x) b = Softmax<axis=1>(x) y = Add(a, b)}",
        "softmax softmax add", fires=False),
    merging("both are outputs", "(float[2,3] x) => (float[] y, float[] z) {y = Exp(x) z = Exp(x)}", "exp exp",
        "at most one of the calls is a graph output"),
    merging("in the branches of an If",
        "(float[2,3] x, bool c) => (float[] y) {a = Exp(x) b = If(c) <then_branch = t () => (float[] p) {p = Exp(x)}, "
            "else_branch = e () => (float[] q) {q = Neg(x)}> y = Add(a, b)}", "exp negative add"),
)  # fmt: skip
def test_common_subexpression_elimination(case: Case) -> None:
    check(case)


dead = about("DeadCodeElimination")


@cases(
    dead("the importer takes what is needed", "(float[2,3] x) => (float[] y) {a = Exp(x) b = Neg(a) y = Relu(x)}",
        "relu", fires=False),
    dead("a part of a split", "(float[2,3] x) => (float[] y) {a, b, c = Split<axis=1, num_outputs=3>(x) y = Exp(b)}",
        None, fires=False, opset=18),
)  # fmt: skip
def test_dead_code_elimination(case: Case) -> None:
    check(case)
