"""BiasGeluFusion: a bias joins the gelu that reads the sum, unless a product has taken it."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, run, tensor
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute
from tvm import relax
from tvm.relax.op import add

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ops import bias_gelu
from tvmfuse.passes.extended.bias_gelu_fusion import BiasGeluFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.testing import assert_rewrites

RULE = BiasGeluFusion()
EXACT, TANH = "y = Gelu(s)", 'y = Gelu<approximate="tanh">(s)'
X = "float[2,3,8] x"


def fused(
    bullet: str,
    body: str,
    *rest: str | None,
    x: str = f"{X}, float[8] b",
    outputs: str = "float[] y",
    **more: Any,
) -> Case:
    return about("BiasGeluFusion")(
        bullet, f"({x}) => ({outputs}) {{{body}}}", *rest, opset=20, **more
    )


@cases(
    fused("a bias that is fed", f"s = Add(x, b) {EXACT}", "bias_gelu"),
    fused("the bias first", f"s = Add(b, x) {EXACT}", "bias_gelu"),
    fused("tanh", f"s = Add(x, b) {TANH}", "bias_gelu"),
    fused("a constant bias", f"s = Add(x, b) {EXACT}", "bias_gelu", x=X, b=(8,)),
    fused("one row", f"s = Add(x, b) {EXACT}", "bias_gelu", x="float[8] x", b=(8,)),
    fused("symbolic rows", f"s = Add(x, b) {EXACT}", "bias_gelu", x="float[n,m,8] x, float[8] b"),
    fused("a symbolic bias", f"s = Add(x, b) {TANH}", "bias_gelu", x="float[n,m] x, float[m] b"),
    fused("a length that the model demands", f"s = Add(x, b) {EXACT}", "bias_gelu", x=f"{X}, float[m] b",
        feeds={"b": np.ones(8, "float32")}),
    fused("a bias that is computed", f"c = Exp(b) s = Add(c, x) {EXACT}", "exp bias_gelu"),
    fused("half precision", f"s = Add(x, b) {EXACT}", "bias_gelu", x="float16[2,3,8] x, float16[8] b",
        outputs="float16[] y", tolerance=2e-3),
    fused("half precision and tanh", f"s = Add(x, b) {TANH}", "bias_gelu", x="float16[2,3,8] x, float16[8] b",
        outputs="float16[] y", tolerance=2e-3),
    fused("written with erf", "s = Add(x, b) a = Div(s, k) e = Erf(a) f = Add(e, one) p = Mul(s, f) y = Mul(p, half)",
        "bias_gelu", k=np.float32(np.sqrt(2)), one=np.float32(1), half=np.float32(0.5)),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


@cases(
    fused("a bias of two axes", f"s = Add(x, b) {EXACT}", "add gelu", "the bias has one axis", x=f"{X}, float[1,8] b"),
    fused("one number", f"s = Add(x, b) {EXACT}", "add gelu", "the bias is as long as the last axis",
        x=f"{X}, float[1] b"),
    fused("a number without axes", f"s = Add(x, b) {EXACT}", "add gelu", "the bias has one axis", x=f"{X}, float b"),
    fused("a bias that widens", f"s = Add(x, b) {EXACT}", "add gelu", "the sum has the other operand's shape",
        x="float[2,1] x, float[8] b"),
    fused("two tensors", f"s = Add(x, b) {EXACT}", "add gelu", "the bias has one axis", x=f"{X}, float[2,3,8] b"),
    fused("a sum that is an output", f"s = Add(x, b) {EXACT}", "add gelu", "nobody else reads the sum",
        outputs="float[] y, float[] s"),
    fused("a sum that is read again", f"s = Add(x, b) {EXACT} z = Relu(s)", "add gelu relu",
        "nobody else reads the sum", outputs="float[] y, float[] z"),
    fused("a product of matrices", f"m = MatMul(x, w) s = Add(m, b) {EXACT}", "matmul add gelu",
        "a product keeps its bias", x="float[2,3,4] x, float[2,4,8] w, float[8] b"),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("no bias", "y = Gelu(x)", "gelu", x=X, fires=False),
    fused("a gemm's", f"m = MatMul(x, w) s = Add(m, b) {EXACT}", "gemm gelu", x="float[5,4] x", fires=False, w=(4, 8),
        b=(8,)),
    fused("another activation", "s = Add(x, b) y = Tanh(s)", "add tanh", fires=False),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("body", "x", "disabled", "kernels"),
    [
        ("s = Add(x, b)", f"{X}, float[8] b", (), 1),
        ("s = Add(x, b)", f"{X}, float[8] b", ["FuseOps"], 1),
        ("s = Add(x, b)", f"{X}, float[8] b", ["BiasGeluFusion"], 2),
        ("m = MatMul(x, w) s = Add(m, b)", "float[3,4] x, float[4,8] w, float[8] b", (), 1),
        (
            "m = MatMul(x, w) s = Add(m, b)",
            "float[3,4] x, float[4,8] w, float[8] b",
            ["FuseOps"],
            2,
        ),
        (
            "m = MatMul(x, w) s = Add(m, b)",
            "float[3,4] x, float[4,8] w, float[8] b",
            ["MatMulAddFusion"],
            2,
        ),
        ("m = MatMul(x, w) s = Add(m, b)", "float[2,3,4] x, float[2,4,8] w, float[8] b", (), 1),
    ],
)
@pytest.mark.parametrize("gelu", [EXACT, TANH], ids=["exact", "tanh"])
def test_kernels(body: str, x: str, disabled: Any, kernels: int, gelu: Any) -> None:
    """A product, its bias and the gelu are one kernel, as a sum and its gelu are."""
    module = import_model(fused("", f"{body} {gelu}", None, x=x).model()).module
    calls = kernel_calls(optimize(module, Selection.of("extended", disabled)).kernels)
    assert len(calls) == kernels


EDGES = np.array([[np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 1e38, -1e38]], "float32")


@pytest.mark.parametrize("gelu", [EXACT, TANH], ids=["exact", "tanh"])
def test_nan_infinities_and_the_ends_of_the_range(gelu: Any) -> None:
    model = fused("", f"s = Add(x, b) {gelu}", None, x="float[1,8] x, float[8] b").model()
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    for bias in (0.0, 1.0, np.inf):
        feeds = {"x": EDGES, "b": np.full(8, bias, "float32")}
        with np.errstate(all="ignore"):
            assert_agrees(compute(imported, optimized, feeds), reference(model, feeds))


@pytest.mark.parametrize("approximate", [False, True])
def test_double_precision(approximate: bool) -> None:
    gelu = relax.op.nn.gelu_tanh if approximate else relax.op.nn.gelu
    x, b = tensor(2, 7, dtype="float64"), tensor(7, dtype="float64")
    before = graph(lambda x, b, _: gelu(add(b, x)), x, b)
    after = graph(lambda x, b, _: bias_gelu(x, b, approximate=approximate), x, b)
    assert_rewrites(RULE, before, after, rtol=1e-12)
    numbers = np.linspace(-6, 6, 14).reshape(2, 7), np.linspace(-1, 1, 7)
    np.testing.assert_allclose(run(before, *numbers)[0], run(after, *numbers)[0], rtol=1e-12)
