"""ConvAddActivationFusion: a residual sum and its activation become a convolution's epilogue."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.layout.conv_add_activation_fusion import ConvAddActivationFusion
from tvmfuse.passes.trace import Trace

pytestmark = pytest.mark.sampled(5)

LAYOUTS = ("NchwcTransformer", "WinogradConv")
ends = about("ConvAddActivationFusion", disabled=LAYOUTS)
in_blocks = about("ConvAddActivationFusion", disabled=LAYOUTS[1:])
filtered = about("ConvAddActivationFusion")

W = (16, 16, 3, 3)
X = "float[1,16,24,22] x"
C = "c = Conv<pads=[1,1,1,1]>(x, w)"


@cases(
    ends("a sum", f"({X}) => (float[] y) {{{C} y = Add(c, x)}}", "conv", w=W),
    ends("a sum, reversed", f"({X}) => (float[] y) {{{C} y = Add(x, c)}}", "conv", w=W),
    ends("Relu", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Relu(s)}}", "conv", w=W),
    ends("Relu, reversed, a bias",
        f"({X}) => (float[] y) {{c = Conv<pads=[1,1,1,1]>(x, w, b) s = Add(x, c) y = Relu(s)}}", "conv", w=W, b=(16,)),
    ends("Clip", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Clip(s, l, h)}}", "conv", w=W, l=np.float32(-1),
        h=np.float32(2)),
    ends("Clip without a bound", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Clip(s, l)}}", "conv", w=W,
        l=np.float32(-1)),
    ends("LeakyRelu", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = LeakyRelu<alpha=0.3>(s)}}", "conv", w=W),
    ends("Sigmoid", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Sigmoid(s)}}", "conv", w=W),
    ends("Tanh", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Tanh(s)}}", "conv", w=W),
    ends("two convolutions, one sum",
        f"({X}) => (float[] y) {{{C} d = Conv<pads=[1,1,1,1]>(x, v) s = Add(c, d) y = Relu(s)}}", "conv conv", w=W,
        v=W),
    ends("a convolution with another reader beside one without",
        f"({X}) => (float[] y, float[] c) {{{C} d = Conv<pads=[1,1,1,1]>(x, v) s = Add(c, d) y = Relu(s)}}",
        "conv conv", w=W, v=W),
    ends("no activation of its kind", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Exp(s)}}", "conv exp", w=W),
    ends("one dimension", "(float[2,8,15] x) => (float[] y) {c = Conv<pads=[1,1]>(x, w) s = Add(c, x) y = Relu(s)}",
        "conv", w=(8, 8, 3)),
    in_blocks("in blocks", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Relu(s)}}",
        "to_blocked conv_blocked from_blocked", w=W),
    filtered("by minimal filtering", f"({X}) => (float[] y) {{{C} s = Add(c, x) y = Relu(s)}}",
        "to_blocked winograd from_blocked", w=W),
    filtered("a chain",
        f"({X}) => (float[] y) {{{C} s = Add(c, x) r = Relu(s) d = Conv<pads=[1,1,1,1]>(r, v) t = Add(d, r) "
        "y = Relu(t)}",
             "to_blocked winograd winograd from_blocked", w=W, v=W),
)  # fmt: skip
def test_fires(case: Case, target: str) -> None:
    check(case, target=target)


@cases(
    ends("the sum has another reader: it is fused, the activation is not",
        f"({X}) => (float[] y, float[] z) {{{C} s = Add(c, x) y = Relu(s) z = Exp(s)}}", "conv relu exp", w=W),
    ends("the sum is an output, too", f"({X}) => (float[] y, float[] s) {{{C} s = Add(c, x) y = Relu(s)}}", "conv relu",
        w=W),
)  # fmt: skip
def test_fires_in_part(case: Case, target: str) -> None:
    check(case, target=target)


@cases(
    ends("the convolution has another reader",
        f"({X}) => (float[] y, float[] z) {{{C} s = Add(c, x) y = Relu(s) z = Exp(c)}}", "conv add relu exp",
         "the sum is the convolution's only reader", w=W),
    ends("the convolution is an output", f"({X}) => (float[] y, float[] c) {{{C} s = Add(c, x) y = Relu(s)}}",
        "conv add relu",
         "the sum is the convolution's only reader", w=W),
    ends("an addend for each channel, fed", f"({X}, float[16,1,1] k) => (float[] y) {{{C} s = Add(c, k) y = Relu(s)}}",
        "conv add relu",
         "the addend has the convolution's shape", w=W),
    ends("a sum that is larger", "(float[1,16,1,1] x, float[2,16,5,5] k) => (float[] y) {c = Conv(x, w) y = Add(c, k)}",
        "conv add",
         "the addend has the convolution's shape", w=(16, 16, 1, 1)),
    ends("the convolution twice", f"({X}) => (float[] y) {{{C} y = Add(c, c)}}", None,
        "the sum is the convolution's only reader", w=W),
)  # fmt: skip
def test_declines(case: Case, target: str) -> None:
    check(case, target=target)


def test_declines_float64(target: str) -> None:
    graph = "(double[1,8,9,9] x) => (double[] y) {c = Conv<pads=[1,1,1,1]>(x, w) y = Add(c, x)}"
    case = ends(
        "float64", graph, "conv add", "the convolution is in float32", w=np.ones((8, 8, 3, 3))
    )
    check(case, numbers=False, target=target)  # onnxruntime has no such convolution


def residual(activation: str = "Relu") -> Any:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1] * 4),
        helper.make_node("Add", ["c", "x"], ["s"], name="sum"),
        helper.make_node(activation, ["s"], ["y"], name="activation"),
    ]
    weights = np.random.default_rng(0).standard_normal((16, 16, 3, 3), "float32")
    return onnx_model(
        nodes, {"x": ("float32", ("n", 16, "h", 22))}, {"y": "float32"}, {"w": weights}
    )


@pytest.mark.parametrize("activation", ["Relu", "LeakyRelu", "Sigmoid", "Tanh"])
def test_nan_and_infinity_in_any_batch(activation: str) -> None:
    # Winograd's algorithm spreads what is not finite to whole tiles.
    run = tvmfuse.compile(residual(activation), disabled_pass=["WinogradConv"]).load()
    for n, h in ((1, 7), (3, 24)):
        x = np.random.default_rng(n).standard_normal((n, 16, h, 22), "float32")
        x[0, 3, 0, 5], x[-1, 7, -1, 0] = np.nan, np.inf
        assert_agrees(run(x=x), reference(residual(activation), {"x": x}))


def test_without_fuse_ops_it_is_one_kernel_still() -> None:
    off = ["FuseOps", "FuseTIR", "NchwcTransformer"]
    assert len(tvmfuse.compile(residual(), disabled_pass=off).manifest.kernels) == 1


def test_disabled_it_stays_undone() -> None:
    kernels = tvmfuse.compile(
        residual(), disabled_pass=["ConvAddActivationFusion"]
    ).manifest.kernels
    convolution = next(k for k in kernels if "conv" in k.nodes)
    assert set(convolution.nodes) == {"conv"}


def test_stops_at_the_limit() -> None:
    trace = Trace(limit=0)
    module = import_model(residual()).module
    assert ConvAddActivationFusion()(module, trace).same_as(module)


def test_an_activation_of_a_sum_with_other_readers_says_why_it_stays() -> None:
    graph = f"({X}) => (float[] y, float[] z) {{{C} s = Add(c, x) y = Relu(s) z = Exp(s)}}"
    nothing = Trace(limit=0)
    ConvAddActivationFusion()(import_model(ends("", graph, None, w=W).model()).module, nothing)
    assert set(nothing.reasons) == {"the activation is the sum's only reader"}
