"""QDQSelectorActionTransformer: products of dequantized bytes are summed in integers.

Scales are powers of two: float32 computes the same numbers exactly, halves included.
"""

from typing import Any

import numpy as np
from tier_cases import Case, about, cases, check

RNG = np.random.default_rng(0)


def codes(*shape: int, dtype: str = "int8", least: int = -127) -> np.ndarray:
    limits = np.iinfo(dtype)
    return RNG.integers(max(least, limits.min), limits.max + 1, shape).astype(dtype)


def powers(*exponents: float) -> Any:
    return np.exp2(np.array(exponents if len(exponents) > 1 else exponents[0])).astype("float32")


def rounded(product: str, bias: str = "", end: str = "p = QuantizeLinear(y, t, u)") -> str:
    return f"d = DequantizeLinear(q, s, z) v = DequantizeLinear<axis=0>(w, e, o) {bias} {product} {end}"


CONV = "y = Conv<pads=[1,0,2,1], strides=[1,2]>(d, v)"
IMAGE, WEIGHTS = "uint8[2,8,7,6] q", (6, 8, 3, 2)
BIAS = "b = DequantizeLinear<axis=0>(c, f, g)"

S, T, E = powers(-5), powers(0), powers(-7, -6, -8, -7, -5, -9)
SCALES: dict[str, Any] = {"s": S, "t": T, "e": E}
ZEROS: dict[str, Any] = {"z": np.uint8(131), "u": np.uint8(117), "o": np.zeros(6, "int8")}
QUANTIZED = about("QDQSelectorActionTransformer")


def qdq(bullet: str, body: str, left: str | None, because: str | None = None, *, x: str = IMAGE,
        to: str = "uint8", w: np.ndarray | None = None, **others: Any) -> Case:  # fmt: skip
    """Return a case with bytes in its input, scales for each channel, and what others say."""
    shape = [int(d) for d in x.split("[")[1].split("]")[0].split(",")]
    feeds = {"q": codes(*shape, dtype=x.split("[")[0], least=-128)}
    given = {"w": codes(*WEIGHTS) if w is None else w, **SCALES, **ZEROS, **others}
    result = "p" if " p = " in body else "y"
    used = {
        name: value for name, value in given.items() if f"({name}," in body or f" {name}" in body
    }
    graph = f"({x}) => ({to}[] {result}) {{{body}}}"
    return QUANTIZED(bullet, graph, left, because, feeds=feeds, fires=because is None, **used)


def biased(product: str) -> str:
    return product.replace("v)", "v, b)")


ROWS: dict[str, Any] = {"x": "uint8[5,9] q", "w": codes(9, 6)}
MATMUL = "y = MatMul(d, v)"
ALONG_COLUMNS = rounded(MATMUL).replace("<axis=0>(w", "<axis=1>(w")
OTHER_ZEROS: dict[str, Any] = {"z": np.int8(-3), "u": np.int8(5)}
INT32: dict[str, Any] = {"c": codes(6, dtype="int32") % 9999, "f": E * S, "g": np.zeros(6, "int32")}


@cases(
    qdq("a convolution", rounded(CONV), "conv requantize"),
    qdq("with a bias of int32", rounded(biased(CONV), BIAS), "conv requantize", **INT32),
    qdq("with a bias in another scale", rounded(biased(CONV), BIAS),
        "conv add astype multiply add quantize", **{**INT32, "f": E}),
    qdq("with a bias in real numbers", rounded(biased(CONV)), "conv add astype multiply add quantize",
        b=powers(1, 2, -1, 0, 3, -4)),
    qdq("with a bias beyond float32", rounded(biased(CONV), BIAS), "conv add astype multiply add quantize",
        **{**INT32, "f": np.full(6, 1e38, "float32")}),
    qdq("activated by relu", rounded(CONV, end="r = Relu(y) p = QuantizeLinear(r, t, u)"), "conv requantize"),
    qdq("clipped", rounded(CONV, end="r = Clip(y, l, h) p = QuantizeLinear(r, t, u)"), "conv requantize",
        l=np.float32(-3.5), h=np.float32(20.25)),
    qdq("clipped at more steps than float32 counts", rounded(CONV, end="r = Clip(y, l, h) p = QuantizeLinear(r, t, u)"),
        "conv requantize", l=np.float32(-3.5), h=np.finfo("float32").max, t=powers(-3)),
    qdq("int8", rounded(CONV), "astype add conv requantize", x=IMAGE.replace("uint8", "int8"), to="int8",
        **OTHER_ZEROS),
    qdq("uint8 weights, which become int8", rounded(CONV), "conv requantize",
        w=codes(*WEIGHTS, dtype="uint8") % 100, o=np.full(6, 50, "uint8")),
    qdq("uint8 weights, which become int16", rounded(CONV), "conv requantize",
        w=codes(*WEIGHTS, dtype="uint8"), o=np.arange(6, dtype="uint8")),
    qdq("one scale for all weights", rounded(CONV), "conv requantize", e=powers(-7), o=np.int8(3)),
    qdq("one channel in each group", rounded("y = Conv<group=8, pads=[1,1,1,1]>(d, v)"), "conv requantize",
        w=codes(8, 1, 3, 3), e=powers(-7), o=np.int8(0)),
    qdq("one dimension", rounded("y = Conv<pads=[2,1], dilations=[2]>(d, v)"), "conv requantize",
        x="uint8[2,5,9] q", w=codes(6, 5, 3)),
    qdq("read as real numbers", rounded(CONV, end=""), "conv add astype multiply", to="float"),
    qdq("rounded twice", rounded(CONV, end="r = QuantizeLinear(y, t, z) n = QuantizeLinear(y, t, u) p = Max(r, n)"),
        "conv add astype multiply quantize quantize maximum"),
    qdq("a matrix product", ALONG_COLUMNS, "gemm requantize", **ROWS),
    qdq("of batches", ALONG_COLUMNS, "gemm requantize", **{**ROWS, "x": "uint8[2,5,9] q"}),
    qdq("a gemm", rounded("y = Gemm<transB=1>(d, v, b)", BIAS), "gemm requantize", x="uint8[5,9] q", w=codes(6, 9),
        **INT32),
)  # fmt: skip
def test_sums_integers(case: Case) -> None:
    check(case)


@cases(
    qdq("a scale that is fed", "d = DequantizeLinear(q, k, z) v = DequantizeLinear<axis=0>(w, e, o) " + CONV, None,
        "scales and zero points are constant", x=IMAGE + ", float k", to="float"),
    qdq("16 bits", rounded(CONV, end=""), None, "both operands are dequantized from 8 bits", to="float",
        w=codes(*WEIGHTS).astype("int32"), o=np.zeros(6, "int32")),
    qdq("a scale of zero", rounded(CONV, end=""), None, "the first operand has one scale, finite and positive",
        to="float", s=np.float32(0)),
    qdq("a scale for each input channel", rounded(CONV, end="").replace("Linear(q", "Linear<axis=1>(q"), None,
        "the first operand has one scale, finite and positive", to="float", s=powers(*range(-8, 0)),
        z=np.full(8, 9, "uint8")),
    qdq("weights that are computed", "d = DequantizeLinear(q, s, z) a = Add(q, q) v = DequantizeLinear(a, s, z) "
        "y = MatMul(d, v)", None, "the second operand is constant", x="uint8[5,5] q", to="float"),
    qdq("a batch of matrices", rounded(MATMUL, end="").replace("<axis=0>", ""), None, "the second operand is a matrix",
        x="uint8[2,5,9] q", w=codes(2, 9, 6), to="float", e=E[0], o=np.int8(0)),
    qdq("a scaled product", rounded("y = Gemm<alpha=0.5, transB=1>(d, v)", end=""), None,
        "the product is neither scaled nor of a transposed operand", x="uint8[5,9] q", w=codes(6, 9), to="float"),
    qdq("a scale for each row", rounded(MATMUL, end=""), None, "each output channel has one scale", to="float",
        x="uint8[5,6] q", w=codes(6, 4)),
    qdq("an infinite scale", rounded(CONV, end=""), None, "the weights' scales are finite and positive", to="float",
        e=np.array([1, 1, np.inf, 1, 1, 1], "float32")),
    qdq("scales whose product is infinite", rounded(CONV, end=""), None, "the sums' scales are finite", to="float",
        s=np.float32(1e30), e=np.full(6, 1e30, "float32")),
    qdq("a bias that is fed", rounded("y = Gemm<transB=1>(d, v, b)", end=""), None,
        "the bias is constant, one number for each output channel", x="uint8[5,9] q, float[6] b", w=codes(6, 9),
        to="float"),
    qdq("a bias beyond int32", rounded(biased(CONV), BIAS, ""), None,
        "no sum can be more than an int32 holds", to="float", **{**INT32, "c": np.full(6, 2**31 - 1, "int32")}),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)
