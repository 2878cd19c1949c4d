"""Operators of `com.microsoft` in tiny: a case is one node, and what it is fed.

Sizes of what is fed tell what they are, so that each can become a symbol: 2 sequences of 5
elements, behind 7 that are past, 12 in all. No other size is one of these.
"""

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
from operator_case import INF, NAN, Case, K, case

SYMBOLS = {2: "batch", 5: "queries", 7: "past", 12: "keys"}
B, S, P, T = SYMBOLS
N, H = 3, 8
RNG = np.random.default_rng(7)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, dtype="float32")


def ms(op: str, *operands: object, **more: Any) -> Case:
    return case(f"com.microsoft::{op}", *operands, **more)


X = floats(B, S, 24)
HOLED = X.copy()
HOLED[0, 1, 3], HOLED[1, 2, 4], HOLED[1, 4, 0] = NAN, INF, -INF
ROW = floats(24)


def activations() -> Iterator[Case]:
    for op in ("Gelu", "FastGelu", "QuickGelu"):
        yield ms(op, X)
    yield ms("BiasGelu", X, K(ROW))
    yield ms("BiasGelu", X, ROW, note="fed")
    yield ms("FastGelu", X, K(ROW), note="bias")
    yield ms("QuickGelu", X, alpha=1.0)


def products() -> Iterator[Case]:
    a, b = floats(B, 3, S, 4), floats(B, 3, 4, S)
    yield ms("FusedMatMul", a, b, alpha=0.3)
    yield ms("FusedMatMul", a, a, transB=1, alpha=2.0)
    yield ms("FusedMatMul", a, a, transA=1)
    yield ms("FusedMatMul", floats(S), floats(S, 3), transA=1, note="vector")
    yield ms(
        "FusedMatMul", floats(3, B, 4), floats(3, B, 4), transBatchA=1, transBatchB=1, transB=1
    )
    yield ms("TransposeMatMul", X, K(floats(9, 24)), transB=1, alpha=0.5)
    left, right, column = floats(S, 9), K(floats(9, 6)), K(floats(6))
    for name, parameters in {
        "Relu": {},
        "Tanh": {},
        "LeakyRelu": {"activation_alpha": 0.2},
        "HardSigmoid": {"activation_alpha": 0.3, "activation_beta": 0.4},
        "Elu": {"activation_alpha": 0.7},
    }.items():
        said = {"activation": name, **parameters}
        yield ms("FusedGemm", left, right, column, alpha=0.5, **said)
    yield ms("FusedGemm", floats(9, S), right, transA=1, activation="Sigmoid", note="no c")


def convolutions() -> Iterator[Case]:
    image, weight, bias = floats(B, 4, 9, 8), K(floats(6, 4, 3, 3)), K(floats(6))
    for name, parameters in {
        "Relu": [],
        "Sigmoid": [],
        "LeakyRelu": [0.2],
        "Clip": [-1.0, 2.0],
        "HardSigmoid": [0.3, 0.4],
    }.items():
        said = {"activation_params": parameters} if parameters else {}
        yield ms("FusedConv", image, weight, bias, activation=name, pads=[1] * 4, **said)
    yield ms(
        "FusedConv", image, weight, bias, floats(B, 6, 4, 3), activation="Relu", strides=[2, 2]
    )
    yield ms("FusedConv", image, weight, None, floats(B, 6, 9, 8), auto_pad="SAME_UPPER")


def norms() -> Iterator[Case]:
    gamma, beta, bias = K(ROW), K(floats(24)), K(floats(24))
    four = ("float32", "", "", "float32")
    yield ms("SkipLayerNormalization", X, X[::-1].copy(), gamma, beta, bias, to=four, epsilon=1e-5)
    yield ms("SkipLayerNormalization", X, X[::-1].copy(), gamma, note="no beta")
    yield ms("SkipLayerNormalization", X, X[:1], gamma, beta, note="one skip")
    yield ms("SkipLayerNormalization", X, X[0], gamma, beta, note="matrix")
    yield ms("SkipSimplifiedLayerNormalization", X, X[::-1].copy(), gamma, bias, to=four)
    yield ms("SkipSimplifiedLayerNormalization", X, X[::-1].copy(), gamma, note="no bias")
    words, segments = K(floats(11, 24)), K(floats(3, 24))
    places, ids = K(floats(16, 24)), RNG.integers(0, 11, (B, S)).astype("int32")
    kinds, mask = ids % 3, (ids > 3).astype("int32")
    said = {"to": ("float32", "int32", "float32"), "epsilon": 1e-5}
    yield ms(
        "EmbedLayerNormalization", ids, kinds, words, places, segments, gamma, beta, mask, **said
    )
    yield ms(
        "EmbedLayerNormalization",
        ids,
        None,
        words,
        places,
        None,
        gamma,
        beta,
        **said,
        note="no mask",
    )
    tables = [
        K(RNG.integers(0, 256, shape), "uint8")
        for shape in ((50, 24), (9, 24), (3, 24), (24,), (24,))
    ]
    one_each = [k(0.01), k(0.02), k(0.03), k(0.011), k(0.012)]
    zeros = [k(number, "uint8") for number in (128, 100, 0, 9, 255)]
    yield ms(
        "QEmbedLayerNormalization", ids, kinds, *tables, mask, *one_each, *zeros,
        to=("float32", "int32"), epsilon=1e-5,
    )  # fmt: skip
    yield ms(
        "QEmbedLayerNormalization", ids, None, *tables[:2], None, *tables[3:], None,
        *one_each[:2], None, *one_each[3:], *zeros[:2], None, *zeros[3:],
        to=("float32", "int32"), note="no segments",
    )  # fmt: skip
    at = np.arange(S, dtype="int32")[None, ::-1] + np.array([[0], [3]], "int32")
    yield ms(
        "EmbedLayerNormalization", ids, None, words, places, None, gamma, beta, None, at,
        to=("float32", "int32"), note="positions",
    )  # fmt: skip


def k(number: float, dtype: str = "float32") -> K:
    return K(number, dtype)


def quantized() -> Iterator[Case]:
    bytes_ = RNG.integers(0, 256, (B, S, 9)).astype("uint8")
    weight = K(RNG.integers(-64, 64, (9, 6)), "int8")  # onnxruntime's AVX2 clips larger products
    scales, zeros, bias = K(abs(floats(6)) + 0.1), K([1, 2, 0, -3, 4, 5], "int8"), K(floats(6))
    one, zero = k(0.25), k(3, "uint8")
    yield ms("MatMulIntegerToFloat", bytes_, weight, one, scales, zero, zeros, bias, to="float32")
    yield ms("MatMulIntegerToFloat", bytes_, weight, one, k(0.5), to="float32", note="no zeros")
    x = floats(B, S, 9)
    for kind, note in ((0, "FP4"), (1, "NF4")):
        packed, largest = K(RNG.integers(0, 256, 27), "uint8"), K(abs(floats(4)))
        said = {"K": 9, "N": 6, "block_size": 16, "quant_type": kind}
        yield ms("MatMulBnb4", x, packed, largest, **said, note=note)
    yield ms("DynamicQuantizeMatMul", x, weight, scales, zeros, bias)
    yield ms("DynamicQuantizeMatMul", x, weight, k(0.5), note="one scale")
    left, right = bytes_[0], K(RNG.integers(0, 256, (6, 9)), "uint8")
    c = K(RNG.integers(-99, 99, 6), "int32")
    yield ms("QGemm", left, one, zero, right, k(0.5), k(9, "uint8"), c, to="float32", transB=1)
    yield ms(
        "QGemm", left, one, zero, right, k(0.5), k(9, "uint8"), c, k(16.0), k(7, "uint8"),
        to="uint8", transB=1, alpha=0.5,
    )  # fmt: skip


def linear() -> Iterator[Case]:
    a, b = (RNG.integers(0, 256, (B, S, 8)).astype("uint8") for _ in range(2))
    of_a, of_b, of_c = ((k(s), k(z, "uint8")) for s, z in ((0.25, 100), (0.5, 140), (0.5, 120)))
    yield ms("QLinearAdd", a, *of_a, b, *of_b, *of_c)
    yield ms("QLinearAdd", a, *of_a, b[0, 0], *of_b, *of_c, note="row")
    yield ms("QLinearMul", a, *of_a, b, *of_b, k(4.0), k(90, "uint8"))
    yield ms("QLinearSigmoid", a, k(0.05), k(128, "uint8"), k(1 / 256), k(0, "uint8"))
    yield ms("QLinearLeakyRelu", a, *of_a, *of_c, alpha=0.25)
    yield ms("QLinearConcat", *of_c, a, *of_a, b, *of_b, to="uint8", axis=2)
    yield ms(
        "QLinearSoftmax",
        a,
        k(0.05),
        k(128, "uint8"),
        k(1 / 256),
        k(0, "uint8"),
        attributes={"axis": -1, "opset": 13},
    )
    yield ms("QLinearWhere", a > b, a, *of_a, b, *of_b, *of_c, to="uint8")
    image = RNG.integers(-128, 128, (B, 4, 8, 6)).astype("int8")
    parameters = (k(0.25), k(5, "int8"), k(0.25), k(-4, "int8"))
    yield ms("QLinearGlobalAveragePool", image, *parameters)
    yield ms("QLinearGlobalAveragePool", image, *parameters, channels_last=1)
    yield ms("QLinearAveragePool", image, *parameters, kernel_shape=[2, 2], strides=[2, 2])


def channels_last() -> Iterator[Case]:
    image = RNG.integers(0, 256, (B, 8, 6, 4)).astype("uint8")
    weight = K(RNG.integers(-64, 64, (6, 4, 3, 3)), "int8")
    bias = K(RNG.integers(-999, 999, 6), "int32")
    said = (k(0.25), k(9, "uint8")), (k(0.5), k(0, "int8")), (k(64.0), k(120, "uint8"))
    x, w, y = said
    first = image.transpose(0, 3, 1, 2).copy()
    yield ms("QLinearConv", image, *x, weight, *w, *y, bias, channels_last=1, strides=[2, 1])
    yield ms("QLinearConv", first, *x, weight, *w, *y, bias, pads=[1] * 4)
    yield ms("NhwcMaxPool", image, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
    yield ms("QuantizeLinear", X, k(0.02), k(99, "uint8"), to="uint8")
    yield ms(
        "DequantizeLinear", image, K(abs(floats(4))), K([1, 2, 3, 4], "uint8"), to="float32", axis=3
    )
    numbers = RNG.integers(0, 256, (B, S, 9)).astype("uint8")
    weights, row = K(RNG.integers(0, 256, (9, 72)), "uint8"), K(floats(72))
    scales, zeros = (k(0.01), k(0.02)), (k(128, "uint8"), k(120, "uint8"))
    mask = np.array([3, 5], "int32")
    of = {"num_heads": N, "to": "float32"}
    yield ms("QAttention", numbers, weights, row, *scales, mask, *zeros, **of)
    cache = floats(2, B, N, P, H)
    of = {**of, "unidirectional": 1, "to": ("float32", "float32")}
    yield ms("QAttention", numbers, weights, row, *scales, None, *zeros, cache, **of)


def others() -> Iterator[Case]:
    yield ms("Pad", X, K([0, 0, 1, 0, 0, 3]), K(2.0, "float32"))
    yield ms("Pad", X, K([0, 0, 1, 0, 0, 3]), mode="edge")
    yield ms("Trilu", floats(B, 4, 6), K(1))
    yield ms("Trilu", floats(B, 4, 6), upper=0)
    yield ms("Range", K(1), K(9), K(3), to="int64")
    yield ms("Range", K(1), K(9), to="int64", note="by one")
    numbers = np.array([3, 1, 3, 2, 1], "float32")
    yield ms("Unique", numbers, to=("float32", "int64", "int64"))
    yield ms("GatherND", floats(B, 4, 6), K([[1, 2], [0, 3]]), to="float32")


def heads(length: int = S) -> np.ndarray:
    return floats(B, N, length, H)


def attentions() -> Iterator[Case]:
    x, w, b = floats(B, S, 9), K(floats(9, 72) / 3), K(floats(72))
    two, ends = ("float32", "float32"), np.array([3, 5], "int32")
    starts, mask = np.array([3, 5, 1, 0], "int32"), (np.arange(S) < ends[:, None]).astype("int32")
    past, later = floats(2, B, N, P, H), np.ones((B, T), "int32")
    later[0, :4] = 0
    bias = floats(B, N, S, S)

    def attention(*operands: object, **more: Any) -> Case:
        return ms("Attention", x, w, b, *operands, num_heads=N, **more)

    yield attention()
    yield attention(ends, note="ends", mask_filter_value=-1000.0)
    yield attention(starts, note="starts")
    yield attention(mask, note="mask", unidirectional=1)
    yield attention(np.repeat(mask[:, None], S, 1), note="masks", scale=0.5)
    yield attention(None, None, bias, note="bias")
    yield attention(mask, None, bias[:1, :1], note="bias and mask")
    yield attention(None, past, to=two, note="past", unidirectional=1)
    yield attention(later, past, to=two, note="past and mask", unidirectional=1)
    wide = ms(
        "Attention",
        x,
        K(floats(9, 60) / 3),
        K(floats(60)),
        num_heads=N,
        qkv_hidden_sizes=[24, 24, 12],
    )
    yield wide


def many_heads() -> Iterator[Case]:
    q, same, other = (floats(B, S, 24) for _ in range(3))
    k_, v, b = floats(B, P, 24), floats(B, P, 36), floats(72)
    mask, three = np.ones((B, P), "int32"), ("float32",) * 3
    mask[0, 4:] = 0

    def attention(*operands: object, **more: Any) -> Case:
        return ms("MultiHeadAttention", *operands, num_heads=N, **more)

    yield attention(q, same, other)
    yield attention(q, same, other, K(b), note="bias", unidirectional=1)
    yield attention(q, k_, v, note="cross", scale=0.3)
    yield attention(q, k_, v, None, mask, note="mask")
    yield attention(q, k_, v, None, np.array([4, 6], "int32"), note="ends")
    yield attention(q, k_, v, None, None, floats(1, N, S, P), note="scores")
    yield attention(q, heads(P), heads(P), note="split")
    yield attention(q, same, other, to=three, note="present")
    cache = heads(P), heads(P)
    yield attention(
        q, same, other, None, None, None, *cache, to=three, note="past", unidirectional=1
    )
    yield attention(q, same, other, None, None, floats(B, 1, S, T), *cache, to=three, note="both")
    yield ms("DecoderMaskedMultiHeadAttention", q[:, :1], heads(P), heads(P), num_heads=N)


def rotations() -> Iterator[Case]:
    cos, sin = K(floats(16, 4)), K(floats(16, 4))
    positions = RNG.integers(0, 16, (B, S))
    for more in ({}, {"interleaved": 1}):
        yield ms("RotaryEmbedding", X, positions, cos, sin, **more)
        yield ms("RotaryEmbedding", heads(), positions, cos, sin, **more, note="split")
    yield ms("RotaryEmbedding", X, np.array([3]), cos, sin, note="from")
    partly = {"num_heads": N, "rotary_embedding_dim": 4}
    few = K(cos.array[:, :2]), K(sin.array[:, :2])
    yield ms("RotaryEmbedding", X, positions, *few, attributes=partly, note="partly")
    yield ms(
        "RotaryEmbedding", X, positions, *few, attributes={**partly, "interleaved": 1}, note="pairs"
    )


def few_bits() -> Iterator[Case]:
    def packed(*shape: int) -> K:
        return K(RNG.integers(0, 256, shape), "uint8")

    def product(depth: int, block: int, bits: int, *more: object, note: str, many: int = 9) -> Case:
        blocks = -(-depth // block)
        operands = packed(many, blocks, block * bits // 8), K(floats(many * blocks))
        said = {"K": depth, "N": many, "bits": bits, "block_size": block}
        return ms("MatMulNBits", floats(B, S, depth), *operands, *more, attributes=said, note=note)

    yield product(64, 32, 4, note="four bits")
    yield product(80, 32, 4, packed(9 * 2), note="ragged, zeros")
    yield product(64, 32, 4, K(floats(9 * 2)), None, K(floats(9)), note="float zeros, bias")
    yield product(64, 16, 8, packed(9 * 4), note="bytes")
    yield product(64, 32, 4, packed(64), note="panels, zeros", many=64)
    yield product(64, 16, 2, packed(32), None, K(floats(32)), note="panels of two bits", many=32)
    yield product(64, 32, 8, None, None, K(floats(9)), note="bytes, bias")
    ids = RNG.integers(0, 6, (B, S))
    table = packed(6, 32), ids, K(floats(6, 4))
    said = {"block_size": 16, "bits": 4, "to": "float32", "gather_axis": 0, "quantize_axis": 1}
    yield ms("GatherBlockQuantized", *table, **said)
    yield ms("GatherBlockQuantized", *table, packed(6, 2), **said, note="zeros")
    said |= {"bits": 8}
    yield ms("GatherBlockQuantized", packed(6, 64), *table[1:], packed(6, 4), **said)
    numbers = K(RNG.integers(-8, 8, (6, 40, 3)), ml_dtypes.int4)
    across = {"block_size": 16, "to": "float32", "gather_axis": 2, "quantize_axis": 1}
    few, scales = RNG.integers(-3, 3, (B, S)), K(floats(6, 3, 3))
    yield ms("GatherBlockQuantized", numbers, few, scales, **across, note="int4")
    zeros = K(RNG.integers(-8, 8, (6, 3, 3)), ml_dtypes.int4)
    yield ms("GatherBlockQuantized", numbers, few, scales, zeros, **across, note="int4, zeros")


SECTIONS = (
    activations,
    products,
    convolutions,
    norms,
    quantized,
    linear,
    channels_last,
    others,
    attentions,
    many_heads,
    rotations,
    few_bits,
)
WITH_SYMBOLS = (products, norms, attentions, many_heads, rotations, few_bits)
"""Those that read sizes; the others' converters are ONNX's."""
