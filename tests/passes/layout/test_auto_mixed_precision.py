"""AutoMixedPrecision: products with constant weights in bfloat16, where a caller asks for it."""

from typing import Any

import numpy as np
import onnx
import pytest
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check
from tvm.relax import BlockBuilder, TensorType, Var

import tvmfuse
from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.types import dtype_of, shape_of
from tvmfuse.ops import attention
from tvmfuse.passes.bfloat16_products import dot_requires
from tvmfuse.passes.layout.auto_mixed_precision import AutoMixedPrecision
from tvmfuse.passes.layout.nchwc_transformer import NchwcTransformer
from tvmfuse.passes.layout.prepack_weights import PrepackWeights
from tvmfuse.passes.layout.winograd_conv import WinogradConv
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, ZEN4

LAID_OUT = ("NchwcTransformer", "WinogradConv", "ConvAddActivationFusion", "PrepackWeights")
TOLERANCE = 2e-2
narrows = about("AutoMixedPrecision", enabled=True, disabled=LAID_OUT)
whole = about("AutoMixedPrecision", enabled=True)

X, A = "float[1,16,9,11] x", "float[13,32] a"
RESIDUAL = (
    f"({X}) => (float[] y) {{c = Conv(x, u) d = Relu(c) e = Conv<pads=[1,0,1,2]>(d, v, b) "
    "f = Add(e, d) g = Relu(f) y = Conv(g, w)}"
)
DEPTHWISE = (
    f"({X}) => (float[] y) {{c = Conv(x, u) d = Relu(c) "
    "e = Conv<group=24, pads=[1,1,1,1]>(d, v, b) y = Conv(e, w)}"
)
DEPTHWISE_FILTERS = {"u": (24, 16, 1, 1), "v": (24, 1, 3, 3), "b": (24,), "w": (8, 24, 1, 1)}
ATTEND = (
    "(float[2,9,48] a) => (float[] y) {{q = MatMul(a, u) k = MatMul(a, v) w = MatMul(a, x) "
    "i = Reshape(q, s) j = Reshape(k, s) l = Reshape(w, s) "
    "m = Transpose<perm=[0,2,1,3]>(i) n = Transpose<perm=[0,2,3,1]>(j) o = Transpose<perm=[0,2,1,3]>(l) "
    "p = MatMul(m, n) r = Softmax(p) t = MatMul(r, o) c = Transpose<perm=[0,2,1,3]>(t) "
    "d = Reshape(c, z) {}}}"
)
#: Weights that keep scores near 1, so that they are as exact as what they are products of.
WEIGHTS = np.random.default_rng(0).standard_normal((3, 48, 64), "float32") / np.float32(7)
SQUARE = np.random.default_rng(1).standard_normal((64, 64), "float32") / np.float32(8)
PROJECTED = {
    **dict(zip("uvx", WEIGHTS, strict=True)),
    "s": np.array([0, 0, 4, 16]),
    "z": np.array([0, 0, 64]),
}
HEADS = "(float[2,4,{1},{0}] q0, {2} k0, float[2,4,11,{0}] v0) => (float[] y) {{"
FILTERS = {"u": (24, 16, 1, 1), "v": (24, 24, 3, 3), "b": (24,), "w": (8, 24, 1, 1)}


@cases(
    narrows("a matrix product", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "astype gemm",
        w=(32, 48), tolerance=TOLERANCE),
    narrows("a Gemm", f"({A}) => (float[] y) {{y = Gemm<transB=1, alpha=0.5>(a, w, c)}}", "astype gemm",
        w=(48, 32), c=(48,), tolerance=TOLERANCE),
    narrows("a convolution", f"({X}) => (float[] y) {{y = Conv<strides=[2,1]>(x, w, b)}}", "astype conv",
        w=(24, 16, 3, 2), b=(24,), tolerance=TOLERANCE),
    narrows("what lies between is stored in half", RESIDUAL,
        "astype conv relu astype conv barrier astype add relu astype conv", tolerance=TOLERANCE, **FILTERS),
    narrows("an output stays", f"({A}) => (float[] b, float[] y) {{b = Relu(a) y = MatMul(b, w)}}",
        "relu astype gemm", w=(32, 48), tolerance=TOLERANCE),
    narrows("what others read stays",
        f"({A}) => (float[] s, float[] y) {{b = Relu(a) s = Softmax(b) y = MatMul(b, w)}}",
        None, w=(32, 48), tolerance=TOLERANCE),
    narrows("a depthwise convolution between", DEPTHWISE, "astype conv relu astype conv astype conv",
        tolerance=TOLERANCE, **DEPTHWISE_FILTERS),
    whole("a depthwise convolution in blocks", DEPTHWISE, None, tolerance=TOLERANCE, **DEPTHWISE_FILTERS),
    narrows("an attention, whose operands and results are stored in half", ATTEND.format("y = MatMul(d, f)"),
        "astype gemm astype reshape attention reshape gemm", tolerance=TOLERANCE, f=(64, 48), **PROJECTED),
    narrows("an attention, whose results others read", ATTEND.format("y = Softmax(d)"),
        "astype gemm astype reshape attention reshape softmax", tolerance=TOLERANCE, **PROJECTED),
    narrows("an attention, whose results are added", ATTEND.format("e = MatMul(d, f) g = Tanh(e) y = Add(d, g)"),
        "astype gemm astype reshape attention reshape gemm tanh astype add", tolerance=TOLERANCE, f=SQUARE,
        **PROJECTED),
    whole("an attention", ATTEND.format("y = MatMul(d, f)"), None, tolerance=TOLERANCE, f=(64, 48), **PROJECTED),
    whole("in blocks", RESIDUAL, None, tolerance=TOLERANCE, **FILTERS),
    whole("an image of three channels", "(float[2,3,9,11] x) => (float[] y) {y = Conv(x, w)}", None,
        w=(16, 3, 3, 3), tolerance=TOLERANCE),
    whole("a ragged matrix", "(float[n,35] a) => (float[] y) {b = MatMul(a, w) c = Relu(b) y = MatMul(c, v)}",
        None, w=(35, 157), v=(157, 48), feeds={"a": np.ones((7, 35), "float32")},
        tolerance=TOLERANCE),
)  # fmt: skip
def test_fires(case: Case) -> None:
    check(case, target="znver4")


@cases(
    narrows("weights that are fed", f"({A}, float[32,48] w) => (float[] y) {{y = MatMul(a, w)}}", "matmul",
        "the product is with constant weights"),
    narrows("groups", f"({X}) => (float[] y) {{y = Conv<group=2>(x, w)}}", "conv",
        "the convolution has one group", w=(16, 8, 3, 3)),
    narrows("a depthwise convolution without padding", f"({X}) => (float[] y) {{y = Conv<group=16>(x, w)}}", "conv",
        "the image of a depthwise convolution is padded, with zeros", w=(16, 1, 3, 3)),
    narrows("a large window", f"({X}) => (float[] y) {{y = Conv<group=16, pads=[3,3,3,3]>(x, w)}}", "conv",
        "the weights of a channel's window fit the registers", w=(16, 1, 7, 7)),
    narrows("channels that fill no blocks", f"({X}) => (float[] y) {{y = Conv(x, w)}}", "conv",
        "the number of output channels is a multiple of 8", w=(12, 16, 3, 3)),
    narrows("minimal filtering", "(float[1,32,56,56] x) => (float[] y) {y = Conv(x, w)}", "conv",
        "dot products take fewer cycles than Winograd's algorithm does in float32", w=(16, 32, 3, 3)),
    narrows("batches of weights", "(float[2,13,32] a) => (float[] y) {y = MatMul(a, w)}", "matmul",
        "the weights are a matrix", w=(2, 32, 48)),
    narrows("columns of the first operand", "(float[32,13] a) => (float[] y) {y = Gemm<transA=1>(a, w)}", "gemm",
        "the first operand lies by rows", w=(32, 48)),
    narrows("few columns", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "matmul",
        "the columns are whole vectors, or many", w=(32, 5)),
    narrows("keys whose neighbours are of other heads", HEADS.format(16, 9, "float[2,4,16,11]")
        + "q = Relu(q0) v = Relu(v0) s = MatMul(q, k0) p = Softmax(s) y = MatMul(p, v)}",
        None, "elements of a head lie side by side"),
    narrows("heads of twelve elements", HEADS.format(12, 9, "float[2,4,11,12]")
        + "q = Relu(q0) v = Relu(v0) k = Relu(k0) t = Transpose<perm=[0,1,3,2]>(k) s = MatMul(q, t) "
        "p = Softmax(s) y = MatMul(p, v)}", None, "a head has a multiple of 8 elements"),
    narrows("keys and values that are fed", HEADS.format(16, 9, "float[2,4,11,16]")
        + "q = Relu(q0) t = Transpose<perm=[0,1,3,2]>(k0) s = MatMul(q, t) p = Softmax(s) y = MatMul(p, v0)}",
        None, "what an attention multiplies is neither fed nor returned"),
    narrows("weights that bfloat16 does not hold", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "matmul",
        "the weights are finite in bfloat16", w=np.full((32, 48), np.finfo("float32").max)),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case, target="znver4")


@pytest.mark.parametrize("target", ["avx2", "avx512"])
def test_declines_where_no_instruction_multiplies_pairs(target: str) -> None:
    words = "the machine multiplies pairs of bfloat16"
    case = narrows(
        target, f"({A}) => (float[] y) {{y = MatMul(a, w)}}", "matmul", words, w=(32, 48)
    )
    check(case, target=target)


def test_an_attention_is_of_one_type() -> None:
    """Keys that are stored in half of their queries' type are not rounded twice."""
    types = ("float32", "bfloat16", "bfloat16")
    operands = [Var("x", TensorType((1, 9, 2, 16), dtype)) for dtype in types]
    call = BlockBuilder().normalize(attention(*operands, scale=1.0))
    words = [said for holds, said in dot_requires(call, ZEN4) if not holds]
    assert words == ["keys and values are of the queries' type"]


def test_winograd_multiplies_pairs() -> None:
    graph = "(float[1,64,20,22] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}"
    case = whole("tiles", graph, None, w=(96, 64, 3, 3), tolerance=TOLERANCE)
    flow = Dataflow(check(case, target="znver4").operators["main"])
    (product,) = flow.calls("tvmfuse.winograd")
    weights = flow.values[product].args[1]
    assert (dtype_of(weights), shape_of(weights)) == ("bfloat16", (3, 4, 4, 2, 16, 32, 2))
    assert dtype_of(flow.values[product]) == "float32"


@pytest.mark.parametrize(
    ("size", "w", "words"),
    [
        (3, np.ones((64, 64, 3, 3), "float32"),
            "the convolution gains more than its transforms and larger weights cost"),
        (20, np.full((64, 64, 3, 3), 3e38, "float32"), "bfloat16 holds the transformed weights"),
    ],
)  # fmt: skip
def test_winograd_declines(size: int, w: np.ndarray, words: str) -> None:
    graph = f"(float[1,64,{size},{size}] x) => (float[] y) {{y = Conv<pads=[1,1,1,1]>(x, w)}}"
    model = whole("no tiles", graph, None, w=w).model()
    declined = tvmfuse.explain(model, target="znver4", precision="bf16")["WinogradConv"].declined
    assert [d.reason for d in declined] == [words]


def test_winograd_declines_where_nothing_multiplies_pairs() -> None:
    graph = "(float[1,64,20,22] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}"
    model = whole("no pairs", graph, None, w=(64, 64, 3, 3)).model()
    halves, trace = AutoMixedPrecision(ZEN4)(import_model(model).module), Trace()
    in_blocks = NchwcTransformer(AVX2)(halves)
    assert WinogradConv(AVX2)(in_blocks, trace) == in_blocks
    assert trace.reasons == {"dot products take pairs of its weights": 1}


def test_winograd_declines_where_a_matrix_unit_multiplies_pairs() -> None:
    graph = "(float[1,64,20,22] x) => (float[] y) {y = Conv<pads=[1,1,1,1]>(x, w)}"
    model = whole("unit", graph, None, w=(64, 64, 3, 3)).model()
    found = tvmfuse.explain(model, target="sapphirerapids", precision="bf16")
    assert found["AutoMixedPrecision"].fired == 1
    declined = found["WinogradConv"].declined
    assert [d.reason for d in declined] == ["no matrix unit multiplies them as they are"]


@pytest.mark.parametrize(("rows", "width"), [(13, 32), (1, 96)])
def test_panels_are_two_tiles_of_a_matrix_unit_wide(rows: int, width: int) -> None:
    """One row is a vector, which tiles would be mostly empty of."""
    graph = f"(float[{rows},32] a) => (float[] y) {{y = MatMul(a, w)}}"
    case = whole("unit", graph, None, w=(32, 96), tolerance=TOLERANCE)
    flow = Dataflow(check(case, target="sapphirerapids").operators["main"])
    (product,) = flow.calls("tvmfuse.gemm")
    assert shape_of(flow.values[product].args[1]) == (96 // width, 16, width, 2)


def test_each_prefix_of_its_rewrites_is_a_model() -> None:
    module = import_model(whole("one", RESIDUAL, None, **FILTERS).model()).module
    for limit in range(4):
        trace = Trace(limit)
        AutoMixedPrecision(ZEN4)(module, trace)
        assert len(trace.fired) == min(limit, 3)


def test_it_has_nothing_to_do_twice() -> None:
    once = AutoMixedPrecision(ZEN4)(
        import_model(whole("one", RESIDUAL, None, **FILTERS).model()).module
    )
    trace = Trace()
    assert AutoMixedPrecision(ZEN4)(once, trace) == once
    assert not trace.fired + trace.declined


def test_weights_lie_as_they_did_where_nothing_multiplies_pairs() -> None:
    case = whole("one", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", None, w=(32, 48))
    once, trace = AutoMixedPrecision(ZEN4)(import_model(case.model()).module), Trace()
    assert PrepackWeights(AVX2)(once, trace) == once
    assert trace.reasons == {"the machine has dot products of what is multiplied": 1}


def test_branches_have_their_own_copies() -> None:
    """A tensor in bfloat16 is known in the block that it is made in alone."""
    branch = "{{ {0} = MatMul(b, {1}) }}"
    graph = (
        f"(bool go, {A}) => (float[] y) {{b = Relu(a) m = MatMul(b, w) i = If(go) "
        "<then_branch = t () => (float[13,48] p) "
        f"{branch.format('p', 'w')}, else_branch = e () => (float[13,48] q) {branch.format('q', 'v')}> y = Add(i, m)}}"
    )
    sizes = {"w": (32, 48), "v": (32, 48)}
    feeds = {"go": np.array(True)}
    check(
        whole("branches", graph, None, tolerance=TOLERANCE, feeds=feeds, **sizes), target="znver4"
    )


def compiled(**said: Any) -> tuple[tvmfuse.Artifact, onnx.ModelProto, dict[str, np.ndarray]]:
    model = whole("one", RESIDUAL, None, **FILTERS).model()
    feeds = {"x": np.random.default_rng(0).standard_normal((1, 16, 9, 11), "float32")}
    return tvmfuse.compile(model, **said), model, feeds


def test_a_compiled_model_agrees_here() -> None:
    artifact, model, feeds = compiled(precision="bf16")
    assert_agrees(artifact.load()(feeds), reference(model, feeds), tolerance=TOLERANCE)
    assert "AutoMixedPrecision" in artifact.manifest.passes_ran


@pytest.mark.parametrize(
    ("op", "graph", "w", "stored"),
    [
        ("gemm", f"({A}) => (float[] y) {{y = MatMul(a, w)}}", (32, 48), (1, 16, 48, 2)),
        ("gemm", "(float[1,33] a) => (float[] y) {y = MatMul(a, w)}", (33, 96), (1, 17, 96, 2)),
        ("conv_blocked", f"({X}) => (float[] y) {{y = Conv(x, w)}}", (64, 16, 3, 2), (2, 1, 3, 2, 8, 32, 2)),
    ],
)  # fmt: skip
def test_pairs_lie_side_by_side(
    op: str, graph: str, w: tuple[int, ...], stored: tuple[int, ...]
) -> None:
    case = whole("pairs", graph, None, w=w, tolerance=TOLERANCE)
    flow = Dataflow(check(case, target="znver4").operators["main"])
    (product,) = flow.calls(f"tvmfuse.{op}")
    weights = flow.values[product].args[1]
    assert (dtype_of(weights), shape_of(weights)) == ("bfloat16", stored)


def test_it_is_asked_for_in_words() -> None:
    assert not compiled()[0].report["AutoMixedPrecision"].fired
    with pytest.raises(
        ConfigurationError, match="precision: expected one of f32, bf16, f16, found 'int4'"
    ):
        compiled(precision="int4")
    with pytest.raises(ConfigurationError, match="cannot enable AutoMixedPrecision: level basic"):
        compiled(precision="bf16", level="basic")
    with pytest.raises(ConfigurationError, match="precision='bf16' is for the CPU"):
        compiled(precision="bf16", target="cuda")
