"""FastGeluFusion: gelu with a tanh, however its polynomial is written."""

import io
import math
import warnings
from typing import Any, cast

import numpy as np
import onnx
import pytest
from graphs import graph, ops, run, tensor
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute
from tvm import relax
from tvm.relax.op import add, multiply, power, tanh

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.types import constant
from tvmfuse.passes.extended.fast_gelu_fusion import FastGeluFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.testing import assert_rewrites

fused = about("FastGeluFusion")
RULE = FastGeluFusion()

SCALE, CUBED, ONE, HALF, TWO, THREE = (
    np.float32(c) for c in (math.sqrt(2 / math.pi), 0.044715, 1, 0.5, 2, 3)
)
CONSTANTS = {"c": SCALE, "k": CUBED, "one": ONE, "half": HALF, "two": TWO, "three": THREE}
CUBE = "q = Pow(x, three)"
SUM = "m = Mul(q, k) a = Add(x, m) i = Mul(a, c)"
NESTED = "d = Mul(x, k) q = Mul(d, x) m = Add(q, one) g = Mul(x, c) i = Mul(g, m)"
GATE = "t = Tanh(i) s = Add(t, one) h = Mul(x, half) y = Mul(h, s)"


def gelu(
    inside: str = f"{CUBE} {SUM}",
    gate: str = GATE,
    x: str = "float[2,7] x",
    outputs: str = "float[] y",
    bullet: str = "",
    left: str | None = "gelu_tanh",
    because: str | None = None,
    **options: Any,
) -> Case:
    """Return a case with those constants that its graph reads."""
    text = f"({x}) => ({outputs}) {{{inside} {gate}}}"
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").split())
    constants = {
        n: c
        for n, c in (CONSTANTS | options.pop("replaced", {})).items()
        if n in words and f"[1] {n}" not in x
    }
    return fused(bullet, text, left, because, **constants, **options)


@cases(
    gelu(bullet="a power"),
    gelu(f"{CUBE} m = Mul(k, q) a = Add(m, x) i = Mul(c, a)",
        "t = Tanh(i) s = Add(one, t) h = Mul(half, x) y = Mul(s, h)", bullet="all operands swapped"),
    gelu(f"p = Mul(x, x) q = Mul(p, x) {SUM}", bullet="x x x"),
    gelu(f"p = Mul(x, x) q = Mul(x, p) {SUM}", bullet="x (x x)"),
    gelu(f"p = Pow(x, two) q = Mul(x, p) {SUM}", bullet="x times its square"),
    gelu("p = Mul(k, x) r = Mul(p, x) m = Mul(r, x) a = Add(x, m) i = Mul(a, c)", bullet="((k x) x) x"),
    gelu("p = Mul(x, x) r = Mul(k, x) m = Mul(r, p) a = Add(x, m) i = Mul(a, c)", bullet="(k x) (x x)"),
    gelu(NESTED, bullet="c x (1 + k x x)"),
    gelu("p = Mul(x, x) q = Mul(p, k) m = Add(one, q) g = Mul(m, x) i = Mul(c, g)", bullet="c (x (1 + k x x))"),
    gelu("p = Pow(x, two) q = Mul(p, k) m = Add(one, q) g = Mul(m, c) i = Mul(x, g)", bullet="x (c (1 + k x x))"),
    gelu(f"{CUBE} m = Mul(q, k) a = Mul(x, c) b = Mul(m, c) i = Add(a, b)", bullet="c x + c k x x x"),
    gelu(f"{CUBE} m = Mul(q, k) a = Add(x, m) i = Div(a, c)", replaced={"c": np.float32(math.sqrt(math.pi / 2))},
        bullet="divided by sqrt(pi / 2)"),
    gelu(gate="t = Tanh(i) s = Add(t, one) h = Mul(x, s) y = Mul(h, half)", bullet="halved last"),
    gelu(gate="t = Tanh(i) s = Add(t, one) h = Mul(s, half) y = Mul(x, h)", bullet="the weight halved"),
    gelu(gate="t = Tanh(i) s = Add(t, one) h = Div(x, two) y = Mul(h, s)", bullet="divided by 2"),
    gelu(replaced={"c": np.float32(0.7978845608)}, bullet="the scale in ten digits"),
    gelu(NESTED, x="float[n,m] x", bullet="symbolic shapes"),
    gelu(x="float16[2,7] x", outputs="float16[] y", replaced={n: c.astype("float16") for n, c in CONSTANTS.items()},
        tolerance=3e-3, bullet="half precision"),
    gelu("i = Identity(x)", "y = Gelu<approximate=\"tanh\">(i)", fires=False, opset=20, bullet="opset 20"),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


ALONE = "nobody else reads what is computed on the way"
INSIDE = "it is the tanh of sqrt(2 / pi) * (x + 0.044715 * x ** 3)"


@cases(
    *(gelu(outputs=f"float[] y, float[] {name}", left=None, because=ALONE, bullet=f"{name} is an output")
      for name in "qmaitsh"),
    *(gelu(gate=f"{GATE} z = Relu({name})", outputs="float[] y, float[] z", left=None, because=ALONE, bullet=
    f"{name} is read again") for name in "qmaitsh"),
    gelu(replaced={"three": TWO}, left=None, because=INSIDE, bullet="another exponent"),
    gelu(replaced={"three": np.float32(2.5)}, left=None, because=INSIDE, bullet="no whole exponent"),
    gelu("q = Pow(three, x) " + SUM, left=None, because=INSIDE, bullet="the power the other way round"),
    gelu(replaced={"k": np.float32(0.0448)}, left=None, because=INSIDE, bullet="another coefficient"),
    gelu(replaced={"c": np.float32(0.798)}, left=None, because=INSIDE, bullet="another scale"),
    gelu(f"{CUBE} m = Mul(q, k) a = Add(x, m) i = Div(c, a)", left=None, because=INSIDE,
        bullet="a quotient the other way round"),
    gelu(f"q = Pow(z, three) {SUM}", x="float[2,7] x, float[2,7] z", left=None, because=INSIDE,
        bullet="the cube of another tensor"),
    gelu(x="float[2,7] x, float[1] k", left=None, because=INSIDE, bullet="a coefficient that is fed"),
    gelu(replaced={"k": np.full(7, CUBED)}, left=None, because=INSIDE, bullet="a coefficient for each column"),
    gelu(replaced={"one": np.float32(1.001)}, left=None, because="1 is added to tanh", bullet="another one"),
    gelu(replaced={"half": np.float32(0.501)}, left=None, because="the product is halved", bullet="another half"),
    gelu(replaced={"half": np.full((1, 1, 1), 0.5, "float32")}, left=None, because="no constant adds an axis",
        bullet="a constant that adds an axis"),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    gelu(
        "i = Relu(x)",
        "t = Tanh(i) y = Mul(x, t)",
        left="relu tanh multiply",
        fires=False,
        bullet="nothing added",
    )
)
def test_ignores(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("disabled", "kernels"),
    [((), 1), (["FastGeluFusion"], 3), (["FuseOps"], 1), (["FastGeluFusion", "FuseOps"], 8)],
)
def test_kernels_of_a_gelu_alone(disabled: Any, kernels: int) -> None:
    """Disabled by name, it leaves three kernels: tanh's argument, tanh, and what reads tanh."""
    optimized = optimize(import_model(gelu().model()).module, Selection.of("extended", disabled))
    calls = kernel_calls(optimized.kernels)
    assert len(calls) == kernels
    assert len({n for _, nodes in calls for n in nodes}) == 8


def test_ends_the_product_before_it() -> None:
    case = gelu(
        f"m0 = MatMul(i0, w) x = Add(m0, b) {CUBE} {SUM}",
        x="float[2,5] i0, float[5,7] w, float[7] b",
    )
    optimized = optimize(import_model(case.model()).module, Selection.of("extended"))
    assert ops(optimized.operators) == ["gemm", "gelu_tanh"]
    assert len(kernel_calls(optimized.kernels)) == 1


EDGES = np.array(
    [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 1e30, -1e30, 1e38, -1e38, -6, 6, -13, 5e-5],
    "float32",
)


@pytest.mark.parametrize(
    "inside", [f"{CUBE} {SUM}", NESTED, None], ids=["power", "nested", "opset 20"]
)
def test_nan_infinities_and_the_ends_of_the_range(inside: Any) -> None:
    case = (
        gelu(inside, x="float[15] x")
        if inside
        else gelu("i = Identity(x)", 'y = Gelu<approximate="tanh">(i)', x="float[15] x", opset=20)
    )
    model = case.model()
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    with np.errstate(all="ignore"):
        assert_agrees(compute(imported, optimized, {"x": EDGES}), reference(model, {"x": EDGES}))


def test_double_precision() -> None:
    def number(value: float) -> Any:
        return constant(np.array(float(value)))

    def before(x: Any, _: Any) -> Any:
        inner = add(x, multiply(number(0.044715), power(x, number(3))))
        weight = add(tanh(multiply(number(math.sqrt(2 / math.pi)), inner)), number(1))
        return multiply(multiply(number(0.5), x), weight)

    x = tensor(2, 7, dtype="float64")
    assert_rewrites(
        RULE, graph(before, x), graph(lambda x, _: relax.op.nn.gelu_tanh(x), x), rtol=1e-12
    )
    numbers = np.linspace(-6, 6, 14).reshape(2, 7)
    expected = (
        0.5 * numbers * (1 + np.tanh(math.sqrt(2 / math.pi) * (numbers + 0.044715 * numbers**3)))
    )
    np.testing.assert_allclose(
        run(RULE(graph(before, x)), numbers)[0], expected, rtol=1e-12, atol=1e-15
    )


def exported(activation: str) -> onnx.ModelProto:
    """Return what torch's classic exporter makes of an activation of transformers'."""
    import torch
    from transformers import activations

    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            getattr(activations, activation)().eval(), (torch.zeros(2, 7),), cast("Any", file),
            opset_version=17, dynamo=False, input_names=["x"], output_names=["y"],
        )  # fmt: skip
    return onnx.load_from_string(file.getvalue())


@pytest.mark.parametrize(
    ("activation", "operator"),
    [
        ("NewGELUActivation", "gelu_tanh"), ("FastGELUActivation", "gelu_tanh"), ("GELUTanh", "gelu_tanh"),
        ("AccurateGELUActivation", "gelu_tanh"), ("GELUActivation", "gelu"), ("QuickGELUActivation", "quick_gelu"),
        ("SiLUActivation", "silu"),
    ],
)  # fmt: skip
def test_what_transformers_exports_becomes_one_operator(activation: str, operator: str) -> None:
    model = exported(activation)
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    assert ops(optimized.operators) == [operator]
    feeds = {"x": np.random.default_rng(0).normal(0, 3, (2, 7)).astype("float32")}
    assert_agrees(compute(imported, optimized, feeds), reference(model, feeds))
