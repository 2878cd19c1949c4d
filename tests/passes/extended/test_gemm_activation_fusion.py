"""GemmActivationFusion: activations are computed in the gemm's kernel."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse

pytestmark = pytest.mark.sampled(5)

fused = about("GemmActivationFusion")

GEMM = "p = Gemm(a, b, c)"
INPUTS = "float[5,8] a, float[8,7] b, float[7] c"


def model(body: str, inputs: str = INPUTS, outputs: str = "float[] y") -> str:
    return f"({inputs}) => ({outputs}) {{{body}}}"


def activated(node: str, **options: Any) -> Case:
    return fused(node, model(f"{GEMM} y = {node}"), None, **options)


ACTIVATIONS = [
    "Relu(p)",
    "LeakyRelu<alpha=0.3>(p)",
    "Sigmoid(p)",
    "Tanh(p)",
    "Elu<alpha=0.7>(p)",
    "HardSigmoid(p)",
    "Selu(p)",
    "Softplus(p)",
    "Softsign(p)",
    "ThresholdedRelu<alpha=0.5>(p)",
    "Mish(p)",
    "HardSwish(p)",
    "Celu<alpha=0.5>(p)",
]


@cases(
    *(activated(node, opset=18) for node in ACTIVATIONS),
    activated("Clip(p, l, h)", l=np.float32(-1), h=np.float32(0.5)),
    activated("Clip(p, l)", l=np.float32(-1)),
    activated("PRelu(p, s)", s=np.full((1,), 0.2, "float32")),
    activated("Gelu(p)", opset=20),
    activated('Gelu<approximate="tanh">(p)', opset=20),
    about("GemmActivationFusion", disabled=("EliminateIdentity",))(
        "behind a node that hands on", model(f"{GEMM} i = Identity(p) y = Relu(i)"), "gemm identity relu",
        feeds={"a": np.array([[np.nan, 1, 2, 3, 4, 5, 6, 7]] * 2 + [[np.inf, 1, 2, 3, 4, 5, 6, 7]] + [[-1.0, 1, 2, 3, 4,
        5, 6, 7]] * 2, "float32")}),
    fused("x sigmoid(x)", model(f"{GEMM} s = Sigmoid(p) y = Mul(p, s)"), None),
    fused("a gelu in five nodes", model(f"{GEMM} d = Div(p, r) e = Erf(d) s = Add(e, o) m = Mul(p, s) y = Mul(m, h)"),
        None, r=np.float32(2**0.5), o=np.float32(1), h=np.float32(0.5)),
    fused("a product and its bias", model("q = MatMul(a, b) p = Add(q, c) y = Relu(p)"), "gemm relu"),
    fused("leading dimensions that are symbols",
        model("q = MatMul(a, b) p = Add(q, c) y = Relu(p)", "float[n,s,8] a, float[8,7] b, float[7] c"), "gemm relu"),
    fused("double precision", model(f"{GEMM} y = Tanh(p)", INPUTS.replace("float", "double"), "double[] y"),
        "gemm tanh"),
    fused("half precision", model(f"{GEMM} y = Relu(p)", INPUTS.replace("float", "float16"), "float16[] y"),
        "gemm relu", tolerance=2e-3),
    fused("an activation that is read twice", model(f"{GEMM} y = Relu(p) z = Exp(y)", outputs="float[] y, float[] z"),
        "gemm relu exp"),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


ONLY = "only the activation reads the product"


@cases(
    fused("a gemm that is an output", model(f"{GEMM} y = Relu(p)", outputs="float[] y, float[] p"), "gemm relu", ONLY),
    fused("a gemm that is read again", model(f"{GEMM} y = Relu(p) z = Exp(p)", outputs="float[] y, float[] z"),
        "gemm relu exp", ONLY),
    fused("two activations", model(f"{GEMM} y = Relu(p) z = Tanh(p)", outputs="float[] y, float[] z"), "gemm relu tanh",
        ONLY),
    fused("an activation's middle that is an output",
        model(f"{GEMM} s = Sigmoid(p) y = Mul(p, s)", outputs="float[] y, float[] s"), None, ONLY),
    fused("a bound that is fed", model(f"{GEMM} y = Clip(p, l)", INPUTS + ", float l"), None,
        "the activation's numbers are known before the model runs"),
    fused("a number that adds a dimension", model(f"{GEMM} y = Max(p, l)"), None, "the activation adds no dimension",
        l=np.zeros((1, 1, 1), "float32")),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("no activation", model(f"{GEMM} y = Exp(p)"), "gemm exp", fires=False),
    fused("a sum with another tensor before it", model(f"{GEMM} s = Add(p, r) y = Relu(s)", INPUTS + ", float[5,7] r"),
        None, fires=False),
    fused("a slope for each column", model(f"{GEMM} y = PRelu(p, s)"), None, fires=False, s=(7,)),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    "node",
    ["Relu", "HardSwish", "Mish", "Elu", "Softplus", "Celu", "Selu", "Softsign", "HardSigmoid"],
)
def test_one_kernel_and_two_when_disabled(node: str) -> None:
    weights = {
        "w": np.random.default_rng(0).standard_normal((70, 48), "float32"),
        "c": np.ones(48, "float32"),
    }
    nodes = [
        helper.make_node("Gemm", ["x", "w", "c"], ["p"], name="gemm"),
        helper.make_node(node, ["p"], ["y"], name="activation"),
    ]
    made = onnx_model(nodes, {"x": ("float32", (33, 70))}, {"y": "float32"}, weights, opset=18)
    x = np.random.default_rng(1).standard_normal((33, 70), "float32")
    x[3, 2], x[4, 1], x[5, 0] = np.nan, np.inf, -np.inf
    artifact = tvmfuse.compile(made)
    assert len(artifact.manifest.kernels) == 1
    assert_agrees(artifact.load()(x=x), reference(made, {"x": x}))
    apart = tvmfuse.compile(made, disabled_pass=["GemmActivationFusion"])
    assert len(apart.manifest.kernels) == 2
    assert_agrees(apart.load()(x=x), reference(made, {"x": x}))
