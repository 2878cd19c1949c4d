"""ConvActivationFusion: activations are computed in the convolution's kernel, in any layout."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse

fused = about("ConvActivationFusion")

X = "float[1,16,12,10] x"
CONV = "p = Conv<pads=[1,1,1,1]>(x, w)"
W = (16, 16, 3, 3)
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


def model(body: str, inputs: str = X, outputs: str = "float[] y") -> str:
    return f"({inputs}) => ({outputs}) {{{body}}}"


def activated(node: str, **options: Any) -> Case:
    return fused(node, model(f"{CONV} y = {node}"), None, w=W, **options)


@cases(
    *(activated(node, opset=18) for node in ACTIVATIONS),
    activated("Clip(p, l, h)", l=np.float32(0), h=np.float32(6)),
    activated("Clip(p, l)", l=np.float32(-1)),
    activated("Gelu(p)", opset=20),
    fused("x sigmoid(x)", model(f"{CONV} s = Sigmoid(p) y = Mul(p, s)"), None, w=W),
    fused("a hard swish in four nodes", model(f"{CONV} s = Add(p, t) c = Clip(s, l, h) d = Div(c, h) y = Mul(p, d)"),
        None, w=W, t=np.float32(3), l=np.float32(0), h=np.float32(6)),
    fused("one dimension and a bias", model("p = Conv(x, w, b) y = Relu(p)", "float[2,3,15] x"), "conv relu",
        w=(5, 3, 3), b=(5,)),
    fused("a batch of any size", model(f"{CONV} y = Tanh(p)", "float[n,16,12,10] x"), None, w=W),
    fused("an activation that is read twice", model(f"{CONV} y = Relu(p) z = Exp(y)", outputs="float[] y, float[] z"),
        None, w=W),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


ONLY = "only the activation reads the product"


@cases(
    fused("a convolution that is an output", model(f"{CONV} y = Relu(p)", outputs="float[] y, float[] p"), None, ONLY,
        w=W),
    fused("a convolution that is read again", model(f"{CONV} y = Relu(p) z = Exp(p)", outputs="float[] y, float[] z"),
        None, ONLY, w=W),
    fused("a bound that is fed", model(f"{CONV} y = Clip(p, l)", X + ", float l"), None,
        "the activation's numbers are known before the model runs", w=W),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("no activation", model(f"{CONV} y = Exp(p)"), None, fires=False, w=W),
    fused("a residual sum before it", model(f"{CONV} s = Add(p, x) y = Relu(s)"), None, fires=False, w=W),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    check(case)


def test_the_residual_sum_is_another_pass_s() -> None:
    case = fused("", model(f"{CONV} s = Add(p, x) y = Relu(s)"), None, fires=False, w=W)
    kernels = tvmfuse.compile(case.model()).report.passes
    assert {p.name: p.fired for p in kernels}["ConvAddActivationFusion"] == 1


@pytest.mark.parametrize(
    ("layout", "node"),
    [
        *(("plain", node) for node in ("Relu", "HardSwish", "Mish", "Softplus", "Celu")),
        *((layout, node) for layout in ("blocked", "winograd") for node in ("Relu", "Celu")),
    ],
)
@pytest.mark.sampled(4)
def test_one_kernel_in_every_layout_and_the_activation_apart_when_disabled(
    node: str, layout: str
) -> None:
    weights = {"w": np.random.default_rng(0).standard_normal((32, 32, 3, 3), "float32")}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["p"], name="conv", pads=[1] * 4),
        helper.make_node(node, ["p"], ["y"], name="activation"),
    ]
    made = onnx_model(
        nodes, {"x": ("float32", (1, 32, 24, 24))}, {"y": "float32"}, weights, opset=18
    )
    off = {"plain": ["NchwcTransformer"], "blocked": ["WinogradConv"], "winograd": []}[layout]
    x = np.random.default_rng(1).standard_normal((1, 32, 24, 24), "float32")
    artifact, apart = (
        tvmfuse.compile(made, disabled_pass=[*off, *more])
        for more in ([], ["ConvActivationFusion"])
    )
    assert len(artifact.manifest.kernels) == (1 if layout == "plain" else 3)
    for each, together in ((artifact, True), (apart, False)):
        computing = next(k for k in each.manifest.kernels if k.schedule in ("conv", "winograd"))
        assert (set(computing.nodes) > {"conv"}) == together
    for each in (artifact, apart):
        assert_agrees(each.load()(x=x), reference(made, {"x": x}))
