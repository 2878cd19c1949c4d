"""NchwcTransformer: channels in blocks from one convolution to the next, one reorder at each end."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, ops
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.layout.nchwc_transformer import NchwcTransformer
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Trace
from tvmfuse.pipeline.optimize import Optimizer

pytestmark = pytest.mark.sampled(5)

blocks = about("NchwcTransformer", disabled=("WinogradConv", "ConvAddActivationFusion"))

#: Weights: between 16 and 32 channels, of 3x3 and of 1x1.
W, V, ONE = (32, 16, 3, 3), (16, 32, 3, 3), (32, 16, 1, 1)
CONV = "Conv<pads=[1,1,1,1]>"
X = "float[1,16,12,11] x"
QX = "uint8[1,16,12,11] q"
DQ = "x = DequantizeLinear(q, s, z) w = DequantizeLinear(k, s, o)"
BYTES = {"s": np.float32(0.25), "z": np.uint8(7), "o": np.int8(0)}
HIGH = {**BYTES, "z": np.uint8(128)}
FED = "float[2,16,12,11] x, float[32,16,3,3] w"


def byte_weights(*shape: int, most: int = 64) -> np.ndarray:
    return np.random.default_rng(0).integers(-most, most + 1, shape).astype("int8")


@cases(
    blocks("one convolution", f"({X}) => (float[] y) {{y = {CONV}(x, w)}}", "to_blocked conv_blocked from_blocked",
        w=W),
    blocks("a bias", f"({X}) => (float[] y) {{y = {CONV}(x, w, b)}}", "to_blocked conv_blocked from_blocked", w=W,
        b=(32,)),
    blocks("a chain", f"({X}) => (float[] y) {{a = {CONV}(x, w) b = Relu(a) y = {CONV}(b, v)}}",
           "to_blocked conv_blocked relu conv_blocked from_blocked", w=W, v=V),
    blocks("three channels are read as they are",
        f"(float[1,3,12,11] x) => (float[] y) {{a = {CONV}(x, w) y = {CONV}(a, v)}}",
           "conv_blocked conv_blocked from_blocked", w=(16, 3, 3, 3), v=(16, 16, 3, 3)),
    blocks("blocks of 24 and of 40", f"(float[1,24,9,9] x) => (float[] y) {{a = {CONV}(x, w) y = {CONV}(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=(40, 24, 3, 3), v=(24, 40, 3, 3)),
    blocks("blocks of 8 and of 16", f"(float[1,8,9,9] x) => (float[] y) {{a = {CONV}(x, w) y = {CONV}(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=(16, 8, 3, 3), v=(56, 16, 3, 3)),
    blocks("blocks of 16 to blocks of 24", f"({X}) => (float[] y) {{a = {CONV}(x, w) y = {CONV}(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=(24, 16, 3, 3), v=(16, 24, 3, 3)),
    blocks("depthwise", f"({X}) => (float[] y) {{a = {CONV}(x, w) y = Conv<pads=[1,1,1,1], group=32>(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=W, v=(32, 1, 3, 3)),
    blocks("groups of whole blocks",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) y = Conv<pads=[1,1,1,1], group=2>(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=W, v=(64, 16, 3, 3)),
    blocks("groups that share a block",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) y = Conv<pads=[1,1,1,1], group=4>(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=W, v=(64, 8, 3, 3)),
    blocks("groups of two blocks that share one",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) y = Conv<pads=[1,1,1,1], group=4>(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=W, v=(128, 8, 3, 3)),
    blocks("groups of 8 and of 24",
        "(float[1,16,9,9] x) => (float[] y) {a = Conv<pads=[1,1,1,1], group=2>(x, w) y = Conv<group=2>(a, v)}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=(48, 8, 3, 3), v=(16, 24, 3, 3)),
    blocks("groups of few channels", f"({X}) => (float[] y) {{a = {CONV}(x, w) y = Conv<group=8>(a, v)}}",
           "to_blocked conv_blocked conv_blocked from_blocked", w=W, v=(64, 4, 3, 3)),
    blocks("strides, dilation, uneven pads",
        f"({X}) => (float[] y) {{y = Conv<strides=[2,1], dilations=[1,2], pads=[0,1,2,3]>(x, w)}}",
           "to_blocked conv_blocked from_blocked", w=W),
    blocks("a residual", f"({X}) => (float[] y) {{a = {CONV}(x, w) b = {CONV}(a, v) y = Add(b, x)}}",
           "to_blocked conv_blocked conv_blocked barrier add from_blocked", w=W, v=V),
    blocks("one reorder for two readers", f"({X}) => (float[] y, float[] z) {{y = {CONV}(x, w) z = {CONV}(x, v)}}",
           "to_blocked conv_blocked from_blocked conv_blocked from_blocked", w=W, v=W),
    blocks("both layouts are read",
        f"({X}) => (float[] y, float[] z) {{a = {CONV}(x, w) y = {CONV}(a, v) z = Softmax<axis=1>(a)}}",
           "to_blocked conv_blocked conv_blocked from_blocked from_blocked softmax", w=W, v=V),
    blocks("pools",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(a) "
           "c = AveragePool<kernel_shape=[2,2], ceil_mode=1>(b) y = GlobalAveragePool(c)}",
           "to_blocked conv_blocked max_pool2d avg_pool2d mean reshape", w=W),
    blocks("a concatenation",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = {CONV}(x, v) c = Concat<axis=1>(a, b) y = {CONV}(c, u)}}",
           "to_blocked conv_blocked conv_blocked concat conv_blocked from_blocked", w=W, v=W, u=(16, 64, 3, 3)),
    blocks("a concatenation of narrower blocks",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = {CONV}(x, u) c = Concat<axis=1>(a, b) y = {CONV}(c, v)}}",
           "to_blocked conv_blocked conv_blocked concat conv_blocked from_blocked",
           w=(8, 16, 3, 3), u=(8, 16, 3, 3), v=(16, 16, 3, 3)),
    blocks("a depthwise convolution of a concatenation of narrower blocks",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = {CONV}(x, v) c = Concat<axis=1>(a, b) "
        "y = Conv<pads=[1,1,1,1], group=48>(c, u)}",
           "to_blocked conv_blocked conv_blocked concat conv_blocked from_blocked",
           w=(24, 16, 3, 3), v=(24, 16, 3, 3), u=(48, 1, 3, 3)),
    blocks("a sum of other blocks",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = {CONV}(x, u) c = Concat<axis=1>(a, b) d = {CONV}(x, v) "
        f"e = Add(c, d) y = {CONV}(e, v)}}",
           "to_blocked conv_blocked conv_blocked concat conv_blocked barrier from_blocked from_blocked add to_blocked "
           "conv_blocked from_blocked",
           w=(8, 16, 3, 3), u=(8, 16, 3, 3), v=(16, 16, 3, 3)),
    blocks("one number for each channel", f"({X}) => (float[] y) {{a = {CONV}(x, w) b = Relu(a) y = Mul(b, k)}}",
           "to_blocked conv_blocked relu multiply from_blocked", w=W, k=(32, 1, 1)),
    blocks("one number for each place", f"({X}) => (float[] y) {{a = {CONV}(x, w) b = Relu(a) y = Add(k, b)}}",
           "to_blocked conv_blocked relu add from_blocked", w=W, k=(12, 11)),
    blocks("a gate for each channel",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) b = GlobalAveragePool(a) g = Conv(b, v) s = Sigmoid(g) "
        "y = Mul(a, s)}",
           "to_blocked conv_blocked mean conv_blocked sigmoid multiply from_blocked", w=W, v=(32, 32, 1, 1)),
    blocks("one dimension", "(float[2,64,15] x) => (float[] y) {y = Conv<pads=[1,1]>(x, w)}",
        "to_blocked conv_blocked from_blocked", w=(64, 64, 3)),
    blocks("three dimensions", "(float[1,32,5,6,7] x) => (float[] y) {y = Conv<pads=[1,1,1,1,1,1]>(x, w)}",
        "to_blocked conv_blocked from_blocked", w=(16, 32, 3, 3, 3)),
    blocks("weights and a bias that are fed", f"({FED}, float[32] b) => (float[] y) {{y = {CONV}(x, w, b)}}",
        "to_blocked reshape permute_dims reshape conv_blocked from_blocked"),
    blocks("fed weights of three channels",
        "(float[2,3,19,17] x, float[16,3,7,7] w) => (float[] y) {y = Conv(x, w)}",
        "reshape permute_dims conv_blocked from_blocked"),
    blocks("fed weights of each channel",
        f"({FED}, float[32,1,3,3] v) => (float[] y) {{a = {CONV}(x, w) y = Conv<group=32>(a, v)}}",
        "to_blocked reshape permute_dims conv_blocked reshape permute_dims conv_blocked from_blocked"),
    blocks("bytes", f"({QX}) => (uint8[] y) {{{DQ} a = {CONV}(x, w) y = QuantizeLinear(a, t, z)}}",
        "to_blocked conv_blocked requantize from_blocked", **BYTES, t=np.float32(16), k=byte_weights(*W)),
    blocks("bytes of three channels, which become four",
        f"(uint8[1,3,12,11] q) => (float[] y) {{{DQ} y = {CONV}(x, w)}}",
        "pad to_blocked conv_blocked add astype multiply from_blocked", **BYTES, k=byte_weights(16, 3, 3, 3)),
    blocks("bytes of twelve channels, which become sixteen",
        f"(uint8[1,12,12,11] q) => (float[] y) {{{DQ} y = {CONV}(x, w)}}",
        "pad to_blocked conv_blocked add astype multiply from_blocked", **BYTES, k=byte_weights(16, 12, 3, 3)),
    blocks("bytes, depthwise", f"({QX}) => (float[] y) {{{DQ} v = DequantizeLinear(j, s, o) a = {CONV}(x, w) "
           "b = QuantizeLinear(a, t, z) c = DequantizeLinear(b, t, z) y = Conv<pads=[1,1,1,1], group=32>(c, v)}",
        "to_blocked conv_blocked requantize conv_blocked add astype multiply from_blocked", **BYTES,
        k=byte_weights(*W), t=np.float32(16), j=byte_weights(32, 1, 3, 3)),
    *(blocks(f"bytes, groups of {channels}",
        f"({QX}) => (float[] y) {{{DQ} v = DequantizeLinear(j, s, o) a = {CONV}(x, w) b = QuantizeLinear(a, t, z) "
        f"c = DequantizeLinear(b, t, z) y = Conv<pads=[1,1,1,1], group={32 // channels}>(c, v)}}",
        "to_blocked conv_blocked requantize conv_blocked add astype multiply from_blocked", **BYTES,
        k=byte_weights(*W), t=np.float32(16), j=byte_weights(32 // channels * 16, channels, 3, 3))
      for channels in (4, 8, 16)),
    blocks("bytes of two channels, in pairs and in fours",
        f"(uint8[1,2,12,11] q) => (float[] y, float[] u) {{{DQ} v = DequantizeLinear(j, s, o) y = {CONV}(x, w) "
        f"u = {CONV}(x, v)}}", None, **BYTES, k=byte_weights(16, 2, 3, 3, most=127), j=byte_weights(16, 2, 3, 3)),
    blocks("bytes, widened", f"({QX}) => (float[] y) {{{DQ} y = {CONV}(x, w)}}",
        "to_blocked astype conv_blocked add astype multiply from_blocked", **HIGH, k=byte_weights(*W, most=127)),
    blocks("bytes near zero, as after a ReLU", f"({QX}) => (float[] y) {{{DQ} y = {CONV}(x, w)}}",
        "to_blocked conv_blocked add astype multiply from_blocked", **BYTES, k=byte_weights(*W, most=127)),
    blocks("bytes of a depthwise convolution, widened",
        f"({QX}) => (float[] y) {{{DQ} v = DequantizeLinear(j, s, o) u = DequantizeLinear(i, s, o) a = {CONV}(x, w) "
        "b = QuantizeLinear(a, t, z) c = DequantizeLinear(b, t, z) d = Conv<group=32>(c, v) "
        "e = QuantizeLinear(d, t, z) f = DequantizeLinear(e, t, z) y = Conv(f, u)}",
        "to_blocked conv_blocked requantize conv_blocked requantize astype conv_blocked add astype multiply "
        "from_blocked", **BYTES, k=byte_weights(*W), t=np.float32(16), j=byte_weights(32, 1, 3, 3),
        i=byte_weights(16, 32, 1, 1, most=127)),
    blocks("bytes near zero, groups of two, widened",
        f"({QX}) => (float[] y) {{{DQ} v = DequantizeLinear(j, s, o) a = {CONV}(x, w) b = QuantizeLinear(a, t, z) "
        "c = DequantizeLinear(b, t, z) y = Conv<group=16>(c, v)}",
        "to_blocked conv_blocked requantize astype conv_blocked add astype multiply from_blocked", **BYTES,
        k=byte_weights(*W), t=np.float32(16), j=byte_weights(256, 2, 3, 3, most=127)),
)  # fmt: skip
def test_fires(case: Case, target: str) -> None:
    check(case, target=target)


@cases(
    blocks("other channel counts", f"(float[1,8,9,9] x) => (float[] y) {{y = {CONV}(x, w)}}", "conv",
           "the number of output channels, of each group, is a multiple of 8", w=(12, 8, 3, 3)),
    blocks("groups of four outputs", "(float[1,32,9,9] x) => (float[] y) {y = Conv<group=8>(x, w)}", "conv",
           "the number of output channels, of each group, is a multiple of 8", w=(32, 4, 3, 3)),
    blocks("a plain input, groups of four", "(float[1,32,9,9] x) => (float[] y) {y = Conv<group=8>(x, w)}", "conv",
           "a group's input channels are whole blocks, or blocks are whole groups", w=(64, 4, 3, 3)),
    blocks("weights that are fed, for one image",
        f"({X}, float[32,16,3,3] w) => (float[] y) {{y = {CONV}(x, w)}}", "conv",
        "the convolution gains more than its reorders cost"),
    blocks("few input channels, many outputs", "(float[1,3,32,32] x) => (float[] y) {y = Conv(x, w)}", "conv",
           "the convolution gains more than its reorders cost", w=(64, 3, 3, 3)),
    blocks("little work for a large input", "(float[1,64,9,9] x) => (float[] y) {y = Conv<group=64>(x, w)}", "conv",
           "the convolution gains more than its reorders cost", w=(64, 1, 1, 1)),
)  # fmt: skip
def test_declines(case: Case, target: str) -> None:
    check(case, target=target)


def test_declines_float64(target: str) -> None:
    graph = "(double[1,8,9,9] x) => (double[] y) {y = Conv(x, w)}"
    case = blocks(
        "float64",
        graph,
        "conv",
        "the convolution is in float32, or of bytes",
        w=np.ones((8, 8, 3, 3)),
    )
    check(case, numbers=False, target=target)  # onnxruntime has no such convolution


def chain(batch: int | str = 1) -> Any:
    rng = np.random.default_rng(0)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="first", pads=[1] * 4),
        helper.make_node("Relu", ["a"], ["b"], name="relu"),
        helper.make_node("Conv", ["b", "v"], ["c"], name="second", pads=[1] * 4),
        helper.make_node("Add", ["c", "x"], ["y"], name="sum"),
    ]
    weights = {"w": rng.standard_normal(W, "float32"), "v": rng.standard_normal(V, "float32")}
    return onnx_model(nodes, {"x": ("float32", (batch, 16, "h", 13))}, {"y": "float32"}, weights)


@pytest.mark.parametrize("target", ["llvm", "avx2"])
def test_symbolic_sizes_with_nan_and_infinity(target: str) -> None:
    # Winograd's algorithm spreads what is not finite to whole tiles.
    run = tvmfuse.compile(chain("n"), target, disabled_pass=["WinogradConv"]).load()
    for n, h in ((1, 7), (3, 16), (2, 1)):
        x = np.random.default_rng(n).standard_normal((n, 16, h, 13), "float32")
        x[0, 3, 0, 5], x[-1, 7, -1, 0] = np.nan, np.inf
        assert_agrees(run(x=x), reference(chain("n"), {"x": x}))


@pytest.mark.parametrize("target", ["llvm", "avx2"])
@pytest.mark.parametrize("shape", [(32, 8, 3, 3), (64, 8, 3, 3), (64, 16, 3, 3)], ids=str)
def test_groups_stay_apart(shape: tuple[int, ...], target: str) -> None:
    """Of four groups, or two, symbolic sizes; what is not finite reaches no other group."""
    groups = 32 // shape[1]
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], pads=[1] * 4),
        helper.make_node("Conv", ["a", "v"], ["b"], pads=[1] * 4, group=groups, strides=[1, 2]),
        helper.make_node("Relu", ["b"], ["y"]),
    ]
    drawn = np.random.default_rng(0).standard_normal
    weights = {"w": drawn(W, "float32"), "v": drawn(shape, "float32")}
    weights["w"][5] = np.inf
    model = onnx_model(nodes, {"x": ("float32", ("n", 16, "h", 13))}, {"y": "float32"}, weights)
    run = tvmfuse.compile(model, target, disabled_pass=["WinogradConv"]).load()
    for n, h in ((1, 7), (3, 16), (2, 1)):
        x = np.abs(drawn((n, 16, h, 13), "float32")) + 1
        found = run(x=x)
        assert np.isfinite(found["y"][:, shape[0] // groups :]).all()
        assert_agrees(found, reference(model, {"x": x}))


def test_reorders_and_kernels_know_their_nodes() -> None:
    kernels = tvmfuse.compile(chain()).manifest.kernels
    assert {node for kernel in kernels for node in kernel.nodes} == {
        "first",
        "relu",
        "second",
        "sum",
    }
    assert all(kernel.nodes for kernel in kernels)


def test_again_changes_nothing() -> None:
    module = import_model(chain()).module
    once = NchwcTransformer()(module)
    trace = Trace()
    assert NchwcTransformer()(once, trace).same_as(once)
    assert trace.fired == []


def test_stops_at_the_limit() -> None:
    trace = Trace(limit=1)
    module = NchwcTransformer()(import_model(chain()).module, trace)
    assert trace.fired == [("first",)]
    assert ops(module) == ["to_blocked", "conv_blocked", "relu", "from_blocked", "conv", "add"]


def test_what_a_later_round_leaves_unread_is_dropped(target: str) -> None:
    """Blocks of 8 that a group gives, by a gate of other blocks, are multiplied as such at last."""
    graph = """(float[1,16,8,8] x) => (float[] y) {
        b = Conv<pads=[1,1,1,1]>(x, u) a = Conv<pads=[1,1,1,1], group=2>(b, w)
        g = GlobalAveragePool(a) r = Conv<kernel_shape=[1,1]>(g, f) s = Conv<kernel_shape=[1,1]>(r, e)
        h = Sigmoid(s) m = Mul(a, h) y = Conv<kernel_shape=[1,1]>(m, v)
    }"""
    ones = {"f": (4, 16, 1, 1), "e": (16, 4, 1, 1), "v": (16, 16, 1, 1)}
    case = blocks("a gate", graph, None, u=(16, 16, 3, 3), w=(16, 8, 3, 3), **ones)
    artifact = tvmfuse.compile(case.model(), target, strict=True)
    feeds = {"x": np.random.default_rng(0).standard_normal((1, 16, 8, 8), "float32")}
    left = [
        kernel.symbol for kernel in artifact.manifest.kernels if "from_blocked" in kernel.symbol
    ]
    assert len(left) == 1
    if target == "avx2":
        assert_agrees(artifact.load()(feeds), reference(case.model(), feeds))


def test_gpus_keep_their_layout() -> None:
    from tvmfuse.target.resolve import resolve

    optimizer = Optimizer(Selection.of("all"), target=resolve("cuda"))
    assert "conv_blocked" not in ops(optimizer.run_on_operators(import_model(chain()).module))
    assert optimizer.report()["NchwcTransformer"].status == "not for this target"


def test_disabled_fusions_stay_undone() -> None:
    kernels = tvmfuse.compile(chain(), disabled_pass=["NchwcTransformer"]).manifest.kernels
    assert not [kernel for kernel in kernels if "blocked" in kernel.symbol]
