"""LookupTableFusion: a function of one tensor of bytes is a table of its 256 results."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import helper, numpy_helper
from reference import reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.target.resolve import resolve

S, ZERO, T, U = np.float32(0.05), np.uint8(131), np.float32(0.031), np.uint8(40)
STEPS = {"s": S, "z": ZERO, "t": T, "u": U}
EVERY = np.arange(256, dtype="uint8")
table = about("LookupTableFusion")

UNARY: Mapping[str, str] = {
    "Sigmoid": "y = Sigmoid(x)",
    "Tanh": "y = Tanh(x)",
    "HardSigmoid": "y = HardSigmoid<alpha=0.17>(x)",
    "HardSwish": "y = HardSwish(x)",
    "LeakyRelu": "y = LeakyRelu<alpha=0.07>(x)",
    "Elu": "y = Elu<alpha=0.9>(x)",
    "Selu": "y = Selu(x)",
    "Celu": "y = Celu<alpha=1.3>(x)",
    "Softplus": "y = Softplus(x)",
    "Softsign": "y = Softsign(x)",
    "Erf": "y = Erf(x)",
    "Exp": "y = Exp(x)",
    "Neg": "y = Neg(x)",
    "Relu": "y = Relu(x)",
    "ThresholdedRelu": "y = ThresholdedRelu<alpha=0.6>(x)",
    "Clip": "y = Clip(x, low, high)",
    "Mish": "a = Softplus(x) b = Tanh(a) y = Mul(x, b)",
    "Gelu": "a = Div(x, root) b = Erf(a) c = Add(b, one) d = Mul(x, c) y = Mul(d, half)",
    "SiLU": "a = Sigmoid(x) y = Mul(x, a)",
    "SiLU, quantized between": "a = Sigmoid(x) b = QuantizeLinear(a, v, w) c = DequantizeLinear(b, v, w) y = Mul(x, c)",
    "a square root of what is positive": "a = Abs(x) y = Sqrt(a)",
}
NUMBERS: Mapping[str, Any] = {
    "low": np.float32(-0.4), "high": np.float32(2.9), "root": np.float32(math.sqrt(2)), "one": np.float32(1),
    "half": np.float32(0.5), "v": np.float32(1 / 256), "s": S, "t": T,
}  # fmt: skip


def model_of(body: str, dtype: str) -> onnx.ModelProto:
    """Return a function between a dequantize and a quantize, both of bytes of a type."""
    lines = f"x = DequantizeLinear(q, s, z) {body} p = QuantizeLinear(y, t, u)"
    graph = onnx.parser.parse_graph(f"f ({dtype}[2,128] q) => ({dtype}[2,128] p) {{ {lines} }}")
    zeros = {"uint8": (131, 40, 0), "int8": (-3, -88, -128)}[dtype]
    stored = dict(zip("zuw", (np.array(zero, dtype) for zero in zeros), strict=True))
    for name, value in {**NUMBERS, **stored}.items():
        graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.sampled(4)
def test_the_table_is_what_would_be_computed(name: str, dtype: str) -> None:
    model, feeds = model_of(UNARY[name], dtype), {"q": EVERY.view(dtype).reshape(2, 128)}
    found = tvmfuse.compile(model).load()(feeds)["p"]
    ours = tvmfuse.compile(model, disabled_pass=["LookupTableFusion"]).load()(feeds)["p"]
    np.testing.assert_array_equal(found, ours)
    np.testing.assert_array_equal(found, reference(model, feeds)["p"])


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize("operator", ["QLinearSigmoid", "QLinearLeakyRelu"])
def test_operators_of_onnxruntime(operator: str, dtype: str) -> None:
    q, p = (helper.make_tensor_value_info(n, {"uint8": 2, "int8": 3}[dtype], [256]) for n in "qp")
    zero, last = np.array(-100 if dtype == "int8" else 9, dtype), np.array(3, dtype)
    node = helper.make_node(operator, ["q", "s", "z", "t", "u"], ["p"], domain="com.microsoft")
    numbers = {"s": S, "z": zero, "t": np.float32(0.07), "u": last}
    stored = [numpy_helper.from_array(np.asarray(v), n) for n, v in numbers.items()]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph([node], "f", [q], [p], stored)
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    assert operators(model) == ["tvmfuse.lookup"]
    feeds = {"q": EVERY.view(dtype)}
    found = tvmfuse.compile(model).load()(feeds)["p"]
    ours = tvmfuse.compile(model, disabled_pass=["LookupTableFusion"]).load()(feeds)["p"]
    np.testing.assert_array_equal(found, ours)
    np.testing.assert_array_equal(found, reference(model, feeds)["p"])


def operators(model: onnx.ModelProto) -> list[str | None]:
    """Return what is left of a model when its operators are optimized."""
    optimized = optimize(
        import_model(model).module, Selection.of("extended"), target=resolve("avx2")
    )
    return [op_name(value) for _, value in Dataflow.of(optimized.operators["main"]).bindings]


Q, DEQUANTIZE = "uint8[2,8,7] q", "x = DequantizeLinear(q, s, z)"
BACK = "p = QuantizeLinear(y, t, u)"
SILU = f"a = Sigmoid(x) y = Mul(x, a) {BACK}"


def between(bullet: str, body: str, left: str | None, because: str | None = None, *, x: str = Q,
            to: str = "uint8", opset: int = 17, fires: bool | None = None, **others: Any) -> Case:  # fmt: skip
    """Return a case of functions of bytes."""
    feeds = {"q": np.random.default_rng(0).integers(0, 128, (2, 8, 7)).astype(x.split("[")[0])}
    given = STEPS | others
    graph = f"({x}) => ({to}[] p) {{{body}}}"
    return table(bullet, graph, left, because, opset=opset, fires=fires, feeds=feeds, **given)


@cases(
    between("a function", f"{DEQUANTIZE} {SILU}", "lookup"),
    between("of a dequantized tensor that others read", f"{DEQUANTIZE} {SILU} n = Neg(x)", "dequantize lookup negative",
        to="float[] n, uint8"),
    between("of bytes that a product makes", f"{DEQUANTIZE} g = DequantizeLinear(k, s, c) m = MatMul(x, g) "
        f"h = QuantizeLinear(m, s, z) x2 = DequantizeLinear(h, s, z) a = Sigmoid(x2) y = Mul(x2, a) {BACK}",
        "gemm requantize lookup", k=np.ones((7, 5), "int8"), c=np.int8(0)),
    between("one after another", f"{DEQUANTIZE} b = Tanh(x) c = QuantizeLinear(b, t, u) d = DequantizeLinear(c, t, u) "
        f"y = Exp(d) {BACK}", "lookup"),
    between("one after another, whose bytes are read as well", f"{DEQUANTIZE} b = Tanh(x) c = QuantizeLinear(b, t, u) "
        f"d = DequantizeLinear(c, t, u) y = Exp(d) {BACK}", "lookup lookup", to="uint8[] c, uint8"),
    between("with constants that are dequantized", f"{DEQUANTIZE} k = DequantizeLinear(o, s, z) y = Mul(x, k) {BACK}",
        "lookup", o=np.uint8(200)),
    between("of real numbers that are cut", f"{DEQUANTIZE} a = Cast<to=2>(x) b = Cast<to=1>(a) y = Neg(b) {BACK}",
        "dequantize astype lookup", z=np.uint8(0)),
    between("what is looked up, in another scale", f"{DEQUANTIZE} a = Tanh(x) c = QuantizeLinear(a, s, z) "
        "d = DequantizeLinear(c, s, z) p = QuantizeLinear(d, t, u)", "lookup"),
    between("of sizes known later", f"{DEQUANTIZE} {SILU}", "lookup", x="uint8[n,8,m] q"),
)  # fmt: skip
def test_becomes_a_table(case: Case) -> None:
    check(case)


WHOLE = "it is computed from one tensor of bytes and constants"
ONE = "its constants, scales and zero points are one number each"


@cases(
    between("nothing between", f"{DEQUANTIZE} p = QuantizeLinear(x, t, u)", "dequantize quantize", fires=False),
    between("a result of 16 bits", f"{DEQUANTIZE} {SILU}", "dequantize silu quantize",
        "the result has 8 bits", to="uint16", opset=21, u=np.uint16(40)),
    between("16 bits", f"{DEQUANTIZE} {SILU}", "dequantize silu quantize", WHOLE, x="uint16[2,8,7] q",
        opset=21, z=np.uint16(131)),
    between("two tensors", f"{DEQUANTIZE} o = DequantizeLinear(r, s, z) y = Add(x, o) {BACK}",
        "dequantize dequantize add quantize", WHOLE, x=f"{Q}, uint8[2,8,7] r"),
    between("a tensor of float32", f"{DEQUANTIZE} y = Add(x, r) {BACK}", "dequantize add quantize", WHOLE,
        x=f"{Q}, float[2,8,7] r"),
    between("a scale that is fed", f"x = DequantizeLinear(q, k, z) {SILU}", "dequantize silu quantize", WHOLE,
        x=f"{Q}, float k"),
    between("a scale for each channel", f"x = DequantizeLinear<axis=1>(q, k, c) {SILU}",
        "dequantize silu quantize", ONE, k=np.full(8, 0.05, "float32"), c=np.full(8, 131, "uint8")),
    between("a constant for each channel", f"{DEQUANTIZE} y = Mul(x, k) {BACK}", "dequantize multiply quantize", ONE,
        k=np.full((8, 1), 0.5, "float32")),
    between("a scale that is none", f"{DEQUANTIZE} {SILU}", "dequantize silu quantize",
        "its scales are finite and positive", s=np.float32(-0.05)),
    between("real numbers that are read as well", f"{DEQUANTIZE} {SILU}", "dequantize silu quantize",
        "nobody else reads the real numbers in between", to="float[] y, uint8"),
    between("another shape", f"{DEQUANTIZE} y = Mul(x, k) {BACK}", "dequantize multiply quantize",
        "the result has the shape of the bytes", k=np.full((1, 1, 1, 1), 0.5, "float32")),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_declines_what_nan_is_rounded_to() -> None:
    # Which onnxruntime and we do each in a way of their own.
    case = between("NaN", f"{DEQUANTIZE} y = Sqrt(x) {BACK}", "dequantize sqrt quantize",
                   "each result is a number that can be computed beforehand")  # fmt: skip
    check(case, numbers=False)
