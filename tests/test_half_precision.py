"""float16 and bfloat16: sums are accumulated in float32 and rounded once, as in onnxruntime."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from named_calls import emit, module
from onnx import numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from reference import assert_agrees, reference
from tvm import relax
from tvm_ffi import structural_equal

import tvmfuse
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.ops.lowering.rounding import round_once
from tvmfuse.testing import evaluate

LEVELS = "none", "all"
RNG = np.random.default_rng(0)


def half(*shape: Any, scale: int = 1) -> Any:
    return (RNG.standard_normal(shape) * scale).astype("float16")


def model_of(text: Any, **constants: Any) -> Any:
    """Return a model from ONNX's text form, ``(inputs) => (y) { nodes }``."""
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()]
    model.graph.initializer.extend(tensors)
    return model


def assert_same(model: Any, **feeds: Any) -> None:
    expected = reference(model, feeds)
    for level in LEVELS:
        found = tvmfuse.compile(model, level=level).load()(**feeds)
        assert_agrees(found, expected, tolerance=2e-3)  # two units in the last of 11 bits


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("node", "shape", "value"),
    [
        ("ReduceMean<axes=[1]>(x)", (1, 4096), 40),
        ("ReduceMean<axes=[0]>(x)", (4096, 3), 40),
        ("GlobalAveragePool(x)", (1, 3, 64, 64), 40),
        ("GlobalAveragePool(x)", (2, 3, 4097), 40),
        ("AveragePool<kernel_shape=[8,8]>(x)", (1, 3, 16, 16), 2000),
        ("ReduceL2<axes=[1]>(x)", (2, 768), 20),
        ("ReduceL2<axes=[1], keepdims=0>(x)", (2, 5, 768), 20),
        ("ReduceLogSum<axes=[1]>(x)", (2, 768), 200),
        ("LpNormalization<axis=1, p=2>(x)", (2, 900), 20),
    ],
)
def test_sums_that_float16_does_not_hold(node: str, shape: tuple[int, ...], value: int) -> None:
    sizes = ",".join(map(str, shape))
    model = model_of(f"(float16[{sizes}] x) => (float16[] y) {{ y = {node} }}")
    assert_same(model, x=np.full(shape, value, "float16"))


@pytest.mark.parametrize(
    "node",
    [
        "Softmax(x)",
        "Softmax<axis=1>(x)",
        "LogSoftmax(x)",
        "LayerNormalization(x, w, w)",
        "ReduceSumSquare<axes=[2]>(x)",
        "ReduceLogSumExp<axes=[2], keepdims=0>(x)",
        "ReduceL1<axes=[1,2]>(x)",
        "MatMul(x, m)",
        "MatMul(x, w)",
        "Einsum<equation=\"abk,kc->abc\">(x, m)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", [1, 7])
@pytest.mark.sampled(4)
def test_long_rows(node: str, rows: int) -> None:
    text = f"(float16[N,R,768] x) => (float16[] y) {{ y = {node} }}"
    used = {"w": half(768), "m": half(768, 5)}
    model = model_of(text, **{n: a for n, a in used.items() if f" {n}" in node})
    assert_same(model, x=half(2, rows, 768))


@pytest.mark.parametrize(
    ("a", "b"),
    [((64,), (64,)), ((64,), (3, 64, 7)), ((2, 5, 64), (64,)), ((2, 1, 5, 64), (3, 64, 7))],
)
def test_products_of_any_rank(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    left, right = (",".join(map(str, s)) for s in (a, b))
    model = model_of(
        f"(float16[{left}] x, float16[{right}] z) => (float16[] y) {{ y = MatMul(x, z) }}"
    )
    assert_same(model, x=half(*a), z=half(*b))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("node", "shape", "weights"),
    [
        ("Gemm<alpha=0.5, beta=2.0>(x, w, b)", (33, 4096), ((4096, 16), (16,))),
        ("Gemm<transA=1, transB=1>(x, w, b)", (4096, 5), ((16, 4096), (5, 1))),
        ("Conv<pads=[1,1,1,1]>(x, w, b)", (1, 512, 6, 6), ((8, 512, 3, 3), (8,))),
        ("Conv<group=8>(x, w, b)", (1, 8, 9, 9), ((8, 1, 7, 7), (8,))),
        ("ConvTranspose<strides=[2,2]>(x, w, b)", (1, 256, 5, 5), ((256, 4, 3, 3), (4,))),
        ("InstanceNormalization(x, w, b)", (2, 8, 30, 40), ((8,), (8,))),
        ("BatchNormalization(x, w, b, b, v)", (2, 8, 3, 4), ((8,), (8,))),
    ],
)  # fmt: skip
def test_weighted_sums(
    node: str, shape: tuple[int, ...], weights: tuple[tuple[int, ...], ...]
) -> None:
    sizes = ",".join(map(str, shape))
    given: dict[str, Any] = {"w": half(*weights[0]), "b": half(*weights[1])}
    if " v" in node:
        given["v"] = np.full(8, 0.5, "float16")
    model = model_of(f"(float16[{sizes}] x) => (float16[] y) {{ y = {node} }}", **given)
    scale = 300 if "Instance" in node else 1  # its variance is more than float16 holds
    assert_same(model, x=half(*shape, scale=scale))


@pytest.mark.parametrize(
    "node",
    [
        "ReduceMean<axes=[1]>(w)",
        "ReduceL2<axes=[2]>(w)",
        "MatMul(w, v)",
        "InstanceNormalization(w, s, s)",
        "LayerNormalization(w, v, v)",
    ],
)
def test_sums_of_constants(node: str) -> None:
    used = {"w": half(2, 3, 768, scale=300), "v": half(768), "s": half(3)}
    model = model_of(
        f"(float16[1] x) => (float16[] y) {{ c = {node} y = Add(c, x) }}",
        **{n: a for n, a in used.items() if n == "w" or f" {n}" in node},
    )
    assert_same(model, x=half(1))


def test_running_sums() -> None:
    model = model_of("(float16[2,900] x) => (float16[] y) { y = CumSum(x, a) }", a=np.int64(1))
    assert_same(model, x=np.abs(half(2, 900)))


def test_a_decomposed_layer_norm() -> None:
    model = model_of(
        """(float16[2,N,768] x) => (float16[] y) {
            m = ReduceMean<axes=[-1]>(x)
            d = Sub(x, m)
            p = Pow(d, two)
            v = ReduceMean<axes=[-1]>(p)
            e = Add(v, eps)
            s = Sqrt(e)
            q = Div(d, s)
            y = Mul(q, g)
        }""",
        two=np.float16(2), eps=np.float16(1e-3), g=half(768),
    )  # fmt: skip
    assert_same(model, x=half(2, 16, 768, scale=3))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_both_half_precisions(dtype: str) -> None:
    def total(bb: Any, x: Any) -> Any:
        narrow = bb.emit(relax.op.astype(x, dtype))
        summed = emit(bb, relax.op.mean(narrow, 1), "mean")
        return [bb.emit(relax.op.astype(summed, "float32"))]

    x = np.full((3, 4096), 40, "float32")
    lowered = lower(module(total, x)).module
    np.testing.assert_array_equal(evaluate(lowered, [x])[0], np.full(3, 40, "float32"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "nodes",
    [
        "s = Sigmoid(x) y = Mul(x, s)",
        "g = Gelu(x) e = Exp(g) y = Add(e, x)",
        "y = Pow(x, x)",
        "t = Tanh(x) l = Log(t) y = Mul(l, x)",
    ],
)
def test_functions_of_bfloat16(nodes: str, level: Any) -> None:
    narrow, wide = (
        parser.parse_model(
            f'<ir_version: 10, opset_import: ["":22]> g ({t}[2,N] x) => ({t}[2,N] y) {{ {nodes} }}'
        )
        for t in ("bfloat16", "float")
    )
    x = RNG.uniform(0.5, 1.5, (2, 37)).astype(ml_dtypes.bfloat16)
    found = tvmfuse.compile(narrow, level=level, strict=True).load()(x=x)["y"].astype("float32")
    expected = reference(wide, {"x": x.astype("float32")})["y"]
    # Rounded to 8 bits once, or after each node where none is fused.
    assert_agrees({"y": found}, {"y": expected}, tolerance=4e-3 if level == "all" else 4e-2)


ELEMENTARY = {
    **dict.fromkeys(("Acos", "Asin", "Atan", "Atanh", "Tan"), (0.1, 0.9)),
    **dict.fromkeys(("Acosh", "Asinh", "Cos", "Cosh", "Sin", "Sinh"), (1.1, 5)),
}
"""Function -> of which numbers it is taken."""


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_elementary_functions(dtype: str) -> None:
    """The reference is ONNX's, in float64: onnxruntime has few of them in other dtypes."""
    texts, feeds = {}, {}
    for kept, name in ((dtype, "narrow"), ("double", "wide")):
        inputs = ", ".join(f"{kept}[N] x{op}" for op in ELEMENTARY)
        outputs = ", ".join(f"{kept}[N] y{op}" for op in ELEMENTARY)
        nodes = " ".join(f"y{op} = {op}(x{op})" for op in ELEMENTARY)
        texts[name] = (
            f'<ir_version: 10, opset_import: ["":22]> g ({inputs}) => ({outputs}) {{ {nodes} }}'
        )
    narrow = np.dtype(dtype) if dtype == "float16" else ml_dtypes.bfloat16
    for op, (low, high) in ELEMENTARY.items():
        feeds[f"x{op}"] = RNG.uniform(low, high, 37).astype(narrow)
    wide = {name: x.astype("float64") for name, x in feeds.items()}
    exact = ReferenceEvaluator(parser.parse_model(texts["wide"])).run(None, wide)
    expected = {f"y{op}": np.asarray(y) for op, y in zip(ELEMENTARY, exact, strict=True)}
    tolerance = {"float16": 2**-10, "bfloat16": 2**-7}[dtype]  # a unit in the last place
    model = tvmfuse.compile(parser.parse_model(texts["narrow"]), strict=True)
    found = {name: y.astype("float64") for name, y in model.load()(**feeds).items()}
    assert_agrees(found, expected, tolerance=tolerance)


def test_a_sum_is_one_kernel_and_a_product_is_scheduled_as_one() -> None:
    text = "(float16[N,256] x) => (float16[] y) { p = MatMul(x, w) q = Add(p, b) y = Relu(q) }"
    model = model_of(text, w=half(256, 64), b=half(64))
    for level, schedules in (
        ("none", ["matmul", "elementwise", "elementwise"]),
        ("all", ["elementwise", "matmul"]),  # the input is brought to float32 first
    ):
        kernels = tvmfuse.compile(model, level=level).manifest.kernels
        assert [kernel.schedule for kernel in kernels] == schedules


@pytest.mark.parametrize("names", [("l2", "l2"), ("square", "sum")])
def test_only_calls_of_one_node_pass_on_what_is_not_rounded(names: tuple[str, ...]) -> None:
    def chain(bb: Any, x: Any) -> Any:
        square = emit(bb, relax.op.multiply(x, x), names[0])
        return [emit(bb, relax.op.sum(square, 1), names[1])]

    x = np.full((2, 3), 300, "float16")  # its squares are more than float16 holds
    main = module(chain, x)["main"]
    assert structural_equal(round_once(main), main) is (names[0] != names[1])
    lowered = lower(map_functions(module(chain, x), round_once)).module
    found = evaluate(lowered, [x / 10 if names[0] == names[1] else x])[0]
    assert np.isinf(found).all() == (names[0] != names[1])


def test_an_activation_of_several_calls_rounds_once() -> None:
    x = np.r_[np.linspace(-8, 8, 999), np.nan, np.inf].astype("float16")
    model = model_of("(float16[N] x) => (float16[] y) { y = HardSwish(x) }")
    sixth = float(np.float16(1 / 6))
    wide = x.astype("float64")
    expected = (wide * np.clip(wide * sixth + 0.5, 0, 1)).astype("float16")
    for level in LEVELS:
        found = tvmfuse.compile(model, level=level).load()(x=x)["y"]
        np.testing.assert_array_equal(found, expected)


def test_float32_is_lowered_as_it_was() -> None:
    def chain(bb: Any, x: Any) -> Any:
        square = emit(bb, relax.op.multiply(x, x), "l2")
        return [emit(bb, relax.op.sqrt(emit(bb, relax.op.sum(square, 1), "l2")), "l2")]

    mod = module(chain, np.ones((2, 3), "float32"))
    assert structural_equal(round_once(mod["main"]), mod["main"])
    stock = relax.transform.LegalizeOps()(
        module(lambda bb, x: [bb.emit(relax.op.sum(x, 1))], np.ones((2, 3), "float32"))
    )
    ours = lower(
        module(lambda bb, x: [bb.emit(relax.op.sum(x, 1))], np.ones((2, 3), "float32"))
    ).module
    assert structural_equal(ours["sum"], stock["sum"])
    assert [name for name, _ in kernel_calls(lower(mod).module)] == ["multiply", "sum", "tir_sqrt"]


@pytest.mark.parametrize("sizes", ["42", "N"])
def test_what_is_cast_to_bfloat16_is_rounded_where_it_is_not_stored(sizes: str) -> None:
    edges = [np.nan, -np.inf, 3.4e38, 1e-40, -0.0, 1 + 2**-8, 1 + 3 * 2**-8, np.float32(-np.nan)]
    x = np.array([*edges, *np.linspace(-3, 3, 34)], "float32")
    model = parser.parse_model(
        f'<ir_version: 10, opset_import: ["":22]> g (float[{sizes}] x) => (float[{sizes}] y, '
        f"double[{sizes}] z, float[{sizes}] w) {{ a = Neg(x) b = Cast<to=16>(a) y = Cast<to=1>(b) "
        f"c = Cast<to=16>(y) z = Cast<to=11>(c) h = Cast<to=10>(a) d = Cast<to=16>(h) w = Cast<to=1>(d) }}"
    )
    b = (-x).astype(ml_dtypes.bfloat16)
    found = tvmfuse.compile(model, strict=True).load()(x=x)
    np.testing.assert_array_equal(found["y"], b.astype("float32"))
    np.testing.assert_array_equal(found["z"], b.astype("float64"))
    with np.errstate(over="ignore"):
        halves = (-x).astype("float16").astype("float32").astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(found["w"], halves.astype("float32"))
