"""ZeroPointFolding: bytes are multiplied as they are stored, zero points taken from the sums."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, tensor
from tier_cases import Case, about, cases, check
from tvm.relax.op import astype, matmul

from tvmfuse.ir.types import constant
from tvmfuse.passes.extended.zero_point_folding import ZeroPointFolding
from tvmfuse.passes.trace import Trace

RNG = np.random.default_rng(0)
folded = about("ZeroPointFolding", disabled=("QDQSelectorActionTransformer",))
ROWS, IMAGE = "uint8[2,5,9] q", "uint8[1,4,7,6] q"
SAID = "pads=[1,0,2,1], strides=[1,2]"


def codes(*shape: int, dtype: str = "int8") -> np.ndarray:
    limits = np.iinfo(dtype)
    return RNG.integers(limits.min, limits.max + 1, shape).astype(dtype)


def weights(*shape: int, dtype: str = "int8") -> np.ndarray:
    """Return numbers of 7 bits: onnxruntime clips the sum of two products at 16 bits on AVX2."""
    return codes(*shape, dtype=dtype) // 2


def integers(bullet: str, body: str, left: str | None, because: str | None = None, *, x: str = ROWS,
             to: str = "int32", **others: Any) -> Case:  # fmt: skip
    shape, dtype = [int(d) for d in x.split("[")[1].split("]")[0].split(",")], x.split("[")[0]
    given = {
        "w": weights(9, 6),
        "z": codes(dtype="uint8" if dtype == "float" else dtype),
        "v": np.int8(0),
        **others,
    }
    used = {n: a for n, a in given.items() if any(f"{c}{n}{d}" in body for c in "( " for d in ",)")}
    feeds = {
        "q": RNG.random(shape, "float32") - 0.3 if dtype == "float" else codes(*shape, dtype=dtype)
    }
    return folded(bullet, f"({x}) => ({to}[] y) {{{body}}}", left, because, feeds=feeds, **used)


CONV, LINEAR = (
    f"y = ConvInteger<{SAID}>(q, w, z, v)",
    f"y = QLinearConv<{SAID}>(q, s, z, w, t, v, s, z, b)",
)
IMAGES: dict[str, Any] = {"x": IMAGE, "w": weights(6, 4, 3, 2)}
SCALES: dict[str, Any] = {"s": np.float32(0.05), "t": np.full(6, 0.02, "float32"), "b": codes(6, dtype="int32") % 99,
                          "v": np.zeros(6, "int8")}  # fmt: skip
MATMUL = "y = MatMulInteger(q, w, z, v)"


@cases(
    integers("MatMulInteger", MATMUL, "gemm add"),
    integers("of int8", MATMUL, "astype add gemm add", x="int8[2,5,9] q"),
    integers("without zero points", "y = MatMulInteger(q, w)", "gemm"),
    integers("uint8 weights with a zero point", MATMUL, "gemm add", w=weights(9, 6, dtype="uint8"), v=np.uint8(200)),
    integers("a zero point that is fed", MATMUL, "astype gemm multiply subtract", x=f"{ROWS}, uint8 z"),
    integers("ConvInteger", CONV, "conv", **IMAGES),
    integers("of a zero point that is fed, without a border", "y = ConvInteger(q, w, z)",
        "astype conv multiply subtract", **{**IMAGES, "x": f"{IMAGE}, uint8 z"}),
    integers("QLinearConv", LINEAR, None, to="uint8", **IMAGES, **SCALES),
    integers("QLinearMatMul", "y = QLinearMatMul(q, s, z, w, s, v, t, z)", None, to="uint8", s=np.float32(0.05),
        t=np.float32(9)),
    integers("DynamicQuantizeLinear", "d, s, k = DynamicQuantizeLinear(q) y = MatMulInteger(d, w, k)", None,
        x="float[2,5,9] q"),
)  # fmt: skip
def test_multiplies_what_is_stored(case: Case) -> None:
    check(case)


@cases(
    integers("a bias that is fed", LINEAR, None, "the bias is constant", to="uint8",
        **{**IMAGES, **{name: value for name, value in SCALES.items() if name != "b"},
           "x": f"{IMAGE}, int32[6] b"}),
    integers("a batch of matrices", "y = MatMulInteger(q, w, z)", None, "the second operand is a matrix",
        w=weights(2, 9, 6)),
    integers("a zero point that is fed, with a border", f"y = ConvInteger<{SAID}>(q, w, z)", None,
        "the zero point is known where the image has a border", **{**IMAGES, "x": f"{IMAGE}, uint8 z"}),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_declines_weights_of_more_bits() -> None:
    trace, wide = Trace(), constant(np.full((9, 6), 2**15, "int32"))
    module = graph(
        lambda q, emit: matmul(emit(astype(q, "int32")), wide), tensor(5, 9, dtype="uint8")
    )
    assert ZeroPointFolding()(module, trace).same_as(module)
    assert [reason for reason, _ in trace.declined] == ["the weights are bytes, less a zero point"]


@pytest.mark.parametrize("rows", ["5", "m"])
def test_declines_a_zero_point_for_each_row(rows: str) -> None:
    case = folded(
        "by rows", f"(uint8[{rows},9] q, uint8[{rows}] z) => (int32[] y) {{{MATMUL}}}", None,
        "the zero point is one number", w=weights(9, 6), v=np.int8(0),
    )  # fmt: skip
    check(case, numbers=False)  # onnxruntime has no such product
