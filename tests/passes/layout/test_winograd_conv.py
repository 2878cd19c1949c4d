"""WinogradConv: 3x3 convolutions in blocks by minimal filtering, where that is reckoned to pay."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from libraries import needs_cpu
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check
from tvm import tirx

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.layout.nchwc_transformer import NchwcTransformer
from tvmfuse.passes.layout.winograd_conv import WinogradConv
from tvmfuse.passes.nchwc.likely_size import likely_size
from tvmfuse.passes.nchwc.winograd_costs import Layer, best_size, direct, filtered
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, AVX512, ZEN4
from tvmfuse.target.resolve import resolve

pytestmark = pytest.mark.sampled(5)

filters = about("WinogradConv", disabled=("ConvAddActivationFusion",))

W = (32, 16, 3, 3)
CONV = "Conv<pads=[1,1,1,1]>"
X = "float[1,16,24,22] x"


def weights(*shape: Any) -> Any:
    """Sums of about 1: a sigmoid of hundreds shows roundings 50 times as large."""
    return np.random.default_rng(0).standard_normal(shape, "float32") / np.float32(12)


@cases(
    filters("one convolution", f"({X}) => (float[] y) {{y = {CONV}(x, w)}}", "to_blocked winograd from_blocked", w=W),
    filters("a bias", f"({X}) => (float[] y) {{y = {CONV}(x, w, b)}}", "to_blocked winograd from_blocked", w=W,
        b=(32,)),
    filters("uneven pads", f"({X}) => (float[] y) {{y = Conv<pads=[0,1,2,3]>(x, w)}}",
        "to_blocked winograd from_blocked", w=W),
    filters("no pads", f"({X}) => (float[] y) {{y = Conv(x, w)}}", "to_blocked winograd from_blocked", w=W),
    filters("blocks of 24 and 40", "(float[1,24,29,31] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}",
        "to_blocked winograd from_blocked", w=(40, 24, 3, 3)),
    filters("groups", "(float[1,64,24,22] x) => (float[] y) {y = Conv<pads=[1,1,1,1], group=2>(x, w)}",
        "to_blocked winograd from_blocked", w=(64, 32, 3, 3)),
    filters("fed weights of groups",
        "(float[4,64,24,22] x, float[32,32,3,3] w) => (float[] y) {y = Conv<pads=[1,1,1,1], group=2>(x, w)}",
        "to_blocked reshape permute_dims filter_transform winograd from_blocked"),
    filters("a batch", "(float[3,16,13,9] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}",
        "to_blocked winograd from_blocked", w=W),
    filters("a batch that is known later", "(float[n,16,24,22] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}",
        "to_blocked winograd from_blocked", w=W),
    filters("a size that is known later", "(float[1,16,h,22] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}",
        "to_blocked winograd from_blocked", w=W),
    filters("weights that are fed",
        "(float[4,16,24,22] x, float[32,16,3,3] w) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}",
        "to_blocked reshape permute_dims filter_transform winograd from_blocked"),
    filters("weights in float16", "(float16[1,16,24,22] x) => (float16[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}",
        "astype to_blocked winograd astype from_blocked", w=weights(*W).astype("float16"), tolerance=2e-3),
    filters("what follows",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = Relu(a) c = {CONV}(b, v) d = Add(c, x) y = Sigmoid(d)}}",
            "to_blocked winograd relu winograd barrier add sigmoid from_blocked", w=weights(*W),
            v=weights(16, 32, 3, 3)),
)  # fmt: skip
def test_fires(case: Case, target: str) -> None:
    check(case, target=target)


@cases(
    filters("no images", "(float[0,16,24,22] x) => (float[] y) {y = Conv(x, w)}", None,
        "the convolution gains more than its transforms and larger weights cost", w=W),
    filters("strides", f"({X}) => (float[] y) {{y = Conv<strides=[2,1], pads=[1,1,1,1]>(x, w)}}",
        "to_blocked conv_blocked from_blocked",
            "the convolution's strides and dilations are 1", w=W),
    filters("dilations", f"({X}) => (float[] y) {{y = Conv<dilations=[1,2], pads=[1,1,1,1]>(x, w)}}",
        "to_blocked conv_blocked from_blocked",
            "the convolution's strides and dilations are 1", w=W),
    filters("a plain input", "(float[1,3,24,22] x) => (float[] y) {a = Conv(x, w) y = Conv<kernel_shape=[1,1]>(a, v)}",
        "conv_blocked conv_blocked from_blocked",
            "the convolution's input comes in blocks", w=(32, 3, 3, 3), v=(32, 32, 1, 1)),
    filters("groups that share a block",
        "(float[1,32,24,22] x) => (float[] y) {a = Conv(x, v) y = Conv<pads=[1,1,1,1], group=4>(a, w)}",
            "to_blocked conv_blocked conv_blocked from_blocked",
            "a group's channels are whole blocks", w=(64, 8, 3, 3), v=(32, 32, 5, 5)),
    filters("one output for each tile",
        "(float[1,64,3,3] x) => (float[] y) {a = Conv<kernel_shape=[1,1]>(x, v) y = Conv(a, w)}", None,
            "the convolution gains more than its transforms and larger weights cost", w=(512, 512, 3, 3),
            v=(512, 64, 1, 1)),
    filters("weights that are fed for few tiles",
        "(float[1,32,16,14] x, float[32,16,3,3] w) => (float[] y) {a = Conv(x, v) y = Conv(a, w)}",
            "to_blocked conv_blocked reshape permute_dims conv_blocked from_blocked",
            "the convolution gains more than its transforms and larger weights cost", v=(16, 32, 5, 5)),
    filters("large weights in float16", "(float16[1,16,24,22] x) => (float16[] y) {y = Conv(x, w)}", None,
            "float16 holds the transformed weights", w=np.full(W, 6e4, "float16"),
            feeds={"x": np.zeros((1, 16, 24, 22), "float16")}),
)  # fmt: skip
def test_declines(case: Case, target: str) -> None:
    check(case, target=target)


@cases(
    filters("other windows", "(float[1,64,24,22] x) => (float[] y) {y = Conv<pads=[0,1,0,1]>(x, w)}",
        "to_blocked conv_blocked from_blocked", fires=False, w=(64, 64, 1, 3)),
    filters("depthwise",
        "(float[1,32,24,22] x) => (float[] y) {a = Conv<pads=[1,1,1,1]>(x, w) "
        "y = Conv<group=32, pads=[1,1,1,1]>(a, v)}", None, w=(32, 32, 3, 3), v=(32, 1, 3, 3)),
    filters("one dimension", "(float[2,64,35] x) => (float[] y) {y = Conv(x, w)}",
        "to_blocked conv_blocked from_blocked", fires=False, w=(64, 64, 3)),
)  # fmt: skip
def test_is_not_about(case: Case, target: str) -> None:
    """Not its kind of convolution: it says nothing."""
    check(case, target=target)


def model(size: int = 24, *, fed: bool = False) -> Any:
    node = helper.make_node("Conv", ["x", "w"], ["y"], name="conv", pads=[1] * 4)
    w = np.random.default_rng(0).standard_normal((16, 16, 3, 3), "float32")
    shape = ("n", 16, size, size)
    inputs = {"x": ("float32", shape)}
    if fed:
        return onnx_model([node], {**inputs, "w": ("float32", w.shape)}, {"y": "float32"}, {})
    return onnx_model([node], inputs, {"y": "float32"}, {"w": w})


@pytest.mark.parametrize("size", [8, 14, 27])
@pytest.mark.sampled(4)
def test_one_artifact_serves_every_batch(size: int) -> None:
    run = tvmfuse.compile(model(size)).load()
    for n in (1, 2, 5):
        x = np.random.default_rng(n).standard_normal((n, 16, size, size), "float32")
        assert_agrees(run(x=x), reference(model(size), {"x": x}))


@pytest.mark.sampled(3)
def test_weights_that_are_fed_are_transformed_by_a_product(target: str) -> None:
    kernels = tvmfuse.compile(model(27, fed=True), target).manifest.kernels
    assert {k.symbol: k.schedule for k in kernels}["filter_transform"] == "matmul"


def test_weights_that_are_fed_may_be_others_at_each_run() -> None:
    run = tvmfuse.compile(model(27, fed=True)).load()
    for n in (1, 3):
        feeds = {"x": weights(n, 16, 27, 27), "w": weights(16, 16, 3, 3) * np.float32(n)}
        assert_agrees(run(feeds), reference(model(27, fed=True), feeds))


def test_one_artifact_serves_every_size() -> None:
    """Tiles at the ends of images, images of several strips, and of none."""
    node = helper.make_node("Conv", ["x", "w"], ["y"], name="conv", pads=[1, 1, 0, 2])
    w = weights(16, 16, 3, 3)
    shape = ("n", 16, "h", "w")
    sized = onnx_model([node], {"x": ("float32", shape)}, {"y": "float32"}, {"w": w})
    artifact = tvmfuse.compile(sized)
    assert artifact.report["WinogradConv"].fired == 1
    run = artifact.load()
    sizes = ((1, 2, 1), (1, 3, 3), (2, 8, 5), (1, 7, 31), (3, 13, 9), (1, 41, 66), (0, 8, 8))
    for n, height, width in sizes:
        x = np.random.default_rng(n).standard_normal((n, 16, height, width), "float32")
        assert_agrees(run(x=x), reference(sized, {"x": x}))


def test_a_layer_inside_a_network_is_taken_for_as_small_as_it_likely_is() -> None:
    """Of 512 channels an image of 7 x 7 takes F(2x2), one of 224 x 224 would take F(4x4)."""
    h = tirx.Var("h", "int64")
    sizes = [likely_size(extent) for extent in (h, (h - 1) // 32 + 1, 5)]
    assert sizes == [224, 7, 5]


def of_bytes(w: Any, size: int = 12, pads: Any = (1, 0, 1, 2)) -> Any:
    """A ConvInteger with a zero point, which stands in the border, too."""
    node = helper.make_node("ConvInteger", ["x", "w", "z"], ["y"], name="conv", pads=list(pads))
    x = ("uint8", ("n", w.shape[1], size, size))
    return onnx_model([node], {"x": x}, {"y": "int32"}, {"w": w, "z": np.array(131, "uint8")})


FULL = np.random.default_rng(0).integers(-128, 128, (64, 64, 3, 3)).astype("int8")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("w", "machine"),
    [
        (FULL, "avx2"),
        (FULL // 4, "avx2"),  # which pairs of bytes add up to 16 bits at most
        (FULL // 4, "skylake-avx512"),
        (FULL, "x86-64"),
    ],
    ids=["eight bits", "six bits", "six bits by 512", "sse2"],
)
def test_bytes_are_exact(w: Any, machine: str) -> None:
    artifact = tvmfuse.compile(of_bytes(w), machine)
    assert artifact.report["WinogradConv"].fired == 1
    assert [k.schedule for k in artifact.manifest.kernels].count("winograd") == 1
    needs_cpu(resolve(machine))
    for n in (1, 2):
        x = np.random.default_rng(n).integers(0, 256, (n, 64, 12, 12)).astype("uint8")
        (found,) = artifact.load()(x=x).values()
        (expected,) = reference(of_bytes(w), {"x": x}).values()
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("w", "machine", "reason"),
    [
        (FULL, "znver4", "gains more than its transforms"),  # one instruction adds up four products
        (FULL, "alderlake", "gains more than its transforms"),
        (FULL[:16, :16], "avx2", "gains more than its transforms"),
        (np.full((16, 256, 3, 3), 127, "int8"), "avx2", "no sum can be more than an int32 holds"),
    ],
    ids=["vnni", "avxvnni", "few channels", "long sums"],
)
def test_bytes_are_summed_directly(w: Any, machine: str, reason: str) -> None:
    report = tvmfuse.compile(of_bytes(w, 28), machine).report["WinogradConv"]
    assert report.fired == 0
    assert [reason in declined.reason for declined in report.declined] == [True]


def test_disabled_by_name_infinity_stays_where_it_is() -> None:
    x = np.ones((1, 16, 24, 24), "float32")
    x[0, 3, 5, 6] = np.inf
    run = tvmfuse.compile(model(), disabled_pass=["WinogradConv"]).load()
    assert_agrees(run(x=x), reference(model(), {"x": x}))


def test_the_report_says_what_becomes_of_infinity() -> None:
    report = tvmfuse.compile(model()).report["WinogradConv"]
    assert report.fired == 1
    assert "infinity" in report.note


def test_the_report_on_bytes_says_nothing_of_infinity() -> None:
    report = tvmfuse.compile(of_bytes(FULL // 4, 28), "avx2").report["WinogradConv"]
    assert (report.fired, report.note) == (1, "")


def test_stops_at_the_limit() -> None:
    trace = Trace(limit=0)
    module = NchwcTransformer()(import_model(model()).module)
    assert WinogradConv()(module, trace).same_as(module)
    assert trace.fired == []


def resnet(size: int, channels: int, images: int = 1) -> Layer:
    return Layer(images, size, size, channels, channels, 16)


def test_costs_choose_what_was_measured() -> None:
    """ResNet's layers on Zen 3, one core: docs/machine-model.md has the times."""
    layers = {(56, 64): 4, (28, 128): 4, (14, 256): 4, (7, 512): 2}
    assert {layer: best_size(resnet(*layer), AVX2) for layer in layers} == layers
    assert best_size(resnet(7, 512, images=8), AVX2) == 4


def test_small_groups_gain_less() -> None:
    """Transforms are of all channels, and a sum of few channels is soon at its end."""
    layers = {(28, 256, 4): 4, (14, 1024, 32): 4, (7, 256, 16): 4, (7, 1024, 32): None}
    found = {
        layer: best_size(replace(resnet(*layer[:2]), groups=layer[2]), ZEN4) for layer in layers
    }
    assert found == layers


def test_larger_weights_count() -> None:
    """Where few tiles use each weight, four times as many weights cost more than they save."""
    few, many = resnet(4, 1024), resnet(56, 1024)
    assert filtered(few, 4, AVX2) > filtered(few, 2, AVX2)
    assert filtered(many, 4, AVX2) < filtered(many, 2, AVX2) < direct(many, AVX2)


def test_transforms_at_each_run_count() -> None:
    """Of one image the products that are saved take less time, of eight they take more."""
    few, many = (replace(resnet(7, 512, images=images), computed=True) for images in (1, 8))
    assert filtered(few, 2, AVX2) > filtered(resnet(7, 512), 2, AVX2)
    assert [best_size(few, AVX2), best_size(many, AVX2)] == [None, 4]


def test_wider_registers_take_fewer_cycles() -> None:
    layer = resnet(28, 128)
    assert filtered(layer, 4, AVX512) < filtered(layer, 4, AVX2)
    assert direct(layer, AVX512) < direct(layer, AVX2)
