"""ConvAddFusion, ConvMulFusion, ConvBNFusion, Pad_Fusion: every bullet of their specification."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm
from reference import TOLERANCE
from tier_cases import Case, cases, check, check_refused

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

W, W1, W3 = (4, 3, 3, 3), (4, 3, 3), (4, 3, 3, 3, 3)
ALONE = {
    "Add": "the sum is the convolution's only reader",
    "Mul": "the product is the convolution's only reader",
}
PER_CHANNEL = {
    "Add": "the addend is one number for each output channel",
    "Mul": "the factor is one number for each output channel",
}
CONSTANT = {"Add": "the addend is constant", "Mul": "the factor is constant"}
LEFT = {"Add": "conv add", "Mul": "conv multiply"}
X = "float[1,3,6,6] x"


def half(*shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape)).reshape(shape) % 7 / 4 - 0.5).astype("float16")


def arithmetic(op: str) -> list[Case]:
    """The bullets that are the same for a sum and for a product."""

    def case(bullet: str, nodes: str, left: str = "conv", because: str | None = None, *,
             inputs: str = X, outputs: str = "float[] y", opset: int = 17, **constants: Any) -> Case:  # fmt: skip
        graph = f"({inputs}) => ({outputs}) {{{nodes.replace('OP', op)}}}"
        fires = because is None
        constants = constants if "] w" in inputs else {"w": W} | constants
        tolerance = 2e-3 if "float16" in inputs else TOLERANCE
        return Case(
            f"{op}: {bullet}", f"Conv{op}Fusion", graph, left, because, fires, constants,
            opset=opset, tolerance=tolerance,
        )  # fmt: skip

    plain = "c = Conv(x, w) y = OP(c, k)"
    fuses = [(1, 4, 1, 1), (4, 1, 1), (), (1,), (1, 1, 1), (1, 1, 1, 1)]
    others = [(4, 4, 4), (1, 4, 4, 4), (4, 1, 4), (2, 4, 1, 1), (4,), (1, 1, 1, 4)]
    return [
        *[case(f"k {shape}", plain, k=shape) for shape in fuses],
        *[case(f"reversed k {shape}", "c = Conv(x, w) y = OP(k, c)", k=shape) for shape in fuses],
        *[case(f"k {shape}", plain, LEFT[op], PER_CHANNEL[op], k=shape) for shape in others],
        *[case(f"opset {n}", plain, opset=n, k=(4, 1, 1)) for n in (7, 11, 13, 14, 21, 22, 24)],
        case("with bias", "c = Conv(x, w, b) y = OP(c, k)", k=(4, 1, 1), b=(4,)),
        case("1-D", plain, inputs="float[1,3,6] x", w=W1, k=(4, 1)),
        case("3-D", plain, inputs="float[1,3,4,4,4] x", w=W3, k=(1, 4, 1, 1, 1)),
        case("depthwise", "c = Conv<group=4>(x, w) y = OP(c, k)", inputs="float[1,4,6,6] x", w=(4, 1, 3, 3),
            k=(4, 1, 1)),
        case("symbolic batch and size", plain, inputs="float[N,3,H,6] x", w=(4, 3, 2, 2), k=(4, 1, 1)),
        case("transposed", "c = ConvTranspose(x, w) y = OP(c, k)", "conv_transpose", w=(3, 4, 3, 3), k=(4, 1, 1)),
        case("through Unsqueeze", "u = Unsqueeze<axes=[1,2]>(k) c = Conv(x, w) y = OP(c, u)", opset=11, k=(4,)),
        case("through Identity", "c = Conv(x, w) i = Identity(c) y = OP(i, k)", k=(4, 1, 1)),
        case("through Dropout", "c = Conv(x, w) i = Dropout(c) y = OP(i, k)", k=(4, 1, 1)),
        case("Constant node", "c = Conv(x, w) k = Constant<value = float[1] {3}>() y = OP(c, k)"),
        case("shared W", "c = Conv(x, w) y = OP(c, k) z = Conv<strides=[2,2]>(x, w)", "conv conv",
             outputs="float[] y, float[] z", k=(4, 1, 1)),
        case("fp16", plain, inputs="float16[1,3,4,4] x", outputs="float16[] y", w=half(*W), k=half(4, 1, 1)),
        case("conv is a graph output", plain, LEFT[op], ALONE[op], outputs="float[] y, float[] c", k=(4, 1, 1)),
        case("conv has 2 consumers", plain + " z = Neg(c)", LEFT[op] + " negative", ALONE[op],
             outputs="float[] y, float[] z", k=(4, 1, 1)),
        case("conv squared", "c = Conv(x, w) y = OP(c, c)", LEFT[op], CONSTANT[op]),
        case("runtime k", plain, LEFT[op], CONSTANT[op], inputs=f"{X}, float[4,1,1] k"),
        case("runtime W", plain, LEFT[op], "the convolution's weights are constant",
             inputs=f"{X}, float[4,3,3,3] w", k=(4, 1, 1)),
        case("an initializer that is an input, too", plain, LEFT[op], CONSTANT[op], inputs=f"{X}, float[4,1,1] k",
            k=(4, 1, 1)),
        case("runtime bias", "c = Conv(x, w, b) y = OP(c, k)", LEFT[op], "the convolution's bias is constant",
             inputs=f"{X}, float[4] b", k=(4, 1, 1)),
    ]  # fmt: skip


@cases(*arithmetic("Add"))
def test_conv_add_fusion(case: Case) -> None:
    check(case)


@cases(*arithmetic("Mul"))
def test_conv_mul_fusion(case: Case) -> None:
    check(case)


NORM = dict.fromkeys("gbm", (4,)) | {"v": np.array([0.5, 1, 2, 0], "float32")}
BN = "n = BatchNormalization(c, g, b, m, v)"
BN_ALONE = "the batch norm is the convolution's only reader"


def norm(bullet: str, nodes: str, left: str = "conv", because: str | None = None, *,
         inputs: str = X, outputs: str = "float[] n", opset: int = 17, **constants: Any) -> Case:  # fmt: skip
    graph = f"({inputs}) => ({outputs}) {{{nodes}}}"
    rule, tolerance = "ConvBNFusion", 4e-3 if "float16" in inputs else TOLERANCE
    known = {k: v for k, v in ({"w": W} | NORM | constants).items() if f"] {k}" not in inputs}
    return Case(
        bullet, rule, graph, left, because, because is None, known, opset=opset, tolerance=tolerance
    )


@cases(
    *[norm(f"opset {n}", f"c = Conv(x, w) {BN}", opset=n) for n in (7, 9, 14, 15, 21, 22, 24)],
    norm("bias", f"c = Conv(x, w, a) {BN}", a=(4,)),
    norm("no bias", f"c = Conv(x, w) {BN}"),
    norm("epsilon", "c = Conv(x, w) n = BatchNormalization<epsilon = 0.5>(c, g, b, m, v)"),
    norm("depthwise", f"c = Conv<group=4>(x, w) {BN}", inputs="float[1,4,6,6] x", w=(4, 1, 3, 3)),
    norm("grouped", f"c = Conv<group=2>(x, w) {BN}", inputs="float[1,4,6,6] x", w=(4, 2, 3, 3)),
    norm("1-D", f"c = Conv(x, w) {BN}", inputs="float[1,3,6] x", w=W1),
    norm("3-D", f"c = Conv(x, w) {BN}", inputs="float[1,3,4,4,4] x", w=W3),
    norm("symbolic", f"c = Conv<pads=[1,1,1,1]>(x, w) {BN}", inputs="float[N,3,H,V] x"),
    norm("transposed", f"c = ConvTranspose(x, w) {BN}", "conv_transpose", w=(3, 4, 2, 2)),
    norm("transposed in groups", f"c = ConvTranspose<group=2>(x, w) {BN}", "conv_transpose",
         inputs="float[1,4,3,3] x", w=(4, 2, 2, 2)),
    norm("fp16", f"c = Conv(x, w) {BN}", inputs="float16[1,3,4,4] x", outputs="float16[] n", w=half(*W),
         g=half(4), b=half(4), m=half(4), v=np.ones(4, "float16")),
    norm("Conv, Mul, Add, BN collapse", "d = Conv(x, w) e = Mul(d, k) c = Add(e, a) " + BN, k=(4, 1, 1), a=(4, 1, 1)),
    norm("BN before Conv", "c = Identity(x) " + BN + " y = Conv(n, w)", inputs="float[1,4,6,6] x",
         outputs="float[] y", w=(5, 4, 3, 3)),
    norm("padded Conv after BN", "c = Identity(x) " + BN + " y = Conv<pads=[0,0,0,1]>(n, w)",
        "batch_norm TupleGetItem conv",
         "the convolution pads nothing", inputs="float[1,4,6,6] x", outputs="float[] y", w=(5, 4, 3, 3)),
    norm("conv is a graph output", f"c = Conv(x, w) {BN}", "conv batch_norm TupleGetItem", BN_ALONE,
        outputs="float[] n, float[] c"),
    norm("conv has 2 consumers", f"c = Conv(x, w) {BN} y = Add(c, n)", "conv batch_norm TupleGetItem add", BN_ALONE,
        outputs="float[] y"),
    norm("runtime W", f"c = Conv(x, w) {BN}", "conv batch_norm TupleGetItem", "the convolution's weights are constant",
         inputs=f"{X}, float[4,3,3,3] w"),
    norm("runtime scale", f"c = Conv(x, w) {BN}", "conv batch_norm TupleGetItem",
        "the batch norm's parameters are constant",
         inputs=f"{X}, float[4] g"),
    norm("runtime bias", f"c = Conv(x, w, a) {BN}", "conv batch_norm TupleGetItem",
        "the convolution's bias is constant",
         inputs=f"{X}, float[4] a"),
    norm("training_mode=0 said", "c = Conv(x, w) n = BatchNormalization<training_mode=0>(c, g, b, m, v)"),
)  # fmt: skip
def test_conv_bn_fusion(case: Case) -> None:
    check(case)


def test_empty_named_optional_outputs_are_none() -> None:
    """Compared with the model that does not write them: onnxruntime 1.31.1 crashes on them."""
    plain = check(norm("", f"c = Conv(x, w) {BN}", opset=9))
    written = norm("", 'c = Conv(x, w) n, "", "", "", "" = ' + BN.removeprefix("n = "), opset=9)
    module = import_model(written.model()).module
    optimized = optimize(module, Selection.of("basic"))
    tvm.ir.assert_structural_equal(optimized.operators, plain.operators)


@pytest.mark.parametrize(
    ("opset", "norm_", "words"),
    [
        (9, "n, p, q, r, s = BatchNormalization(c, g, b, m, v)", "training mode"),
        (9, "n, o, q, r, s = BatchNormalization(c, g, b, m, v)  p = Neg(c)", "training mode"),
    ],
)
def test_real_optional_outputs_are_refused_by_name(opset: int, norm_: str, words: str) -> None:
    case = norm("", f"c = Conv(x, w) [norm_1] {norm_}", outputs="float[] n, float[] p", opset=opset)
    check_refused(case, "norm_1", words)
