"""QDQPropagationTransformer: maxima of bytes, and bytes that move, are no real numbers between."""

from typing import Any

import numpy as np
from tier_cases import Case, about, cases, check

S, ZERO = np.float32(0.05), np.uint8(131)
Q, LEFT = "uint8[2,8,7,6] q", "d = DequantizeLinear(q, s, z)"
OTHER_STEPS = "both sides have the same scale, zero point and type"
WIDTHS = np.array([0, 1, 2, 0, 1, 0, 3, 1])
moved = about("QDQPropagationTransformer")


def between(bullet: str, body: str, left: str | None, because: str | None = None, *, x: str = Q,
            to: str = "uint8", fires: bool | None = None, **others: Any) -> Case:  # fmt: skip
    """Return a case between a dequantize and a quantize of one scale."""
    shape, dtype = [int(d) for d in x.split("[")[1].split("]")[0].split(",")], x.split("[")[0]
    limits = np.iinfo(dtype)
    feeds = {
        "q": np.random.default_rng(0).integers(limits.min, limits.max + 1, shape).astype(dtype)
    }
    given = {"s": S, "z": ZERO.astype(dtype) if dtype == "uint8" else np.int8(-3), **others}
    graph = f"({x}) => ({to}[] p) {{{LEFT} {body}}}"
    return moved(bullet, graph, left, because, fires=fires, feeds=feeds, **given)


BACK = "p = QuantizeLinear(y, s, z)"
POOL = "y = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(d)"


@cases(
    between("a pool", f"{POOL} {BACK}", "max_pool2d"),
    between("of int8", f"{POOL} {BACK}", "max_pool2d", x=Q.replace("uint8", "int8"), to="int8"),
    between("a transpose", f"y = Transpose<perm=[0,2,3,1]>(d) {BACK}", "permute_dims"),
    between("a reshape", f"y = Flatten(d) {BACK}", "reshape"),
    between("a slice", f"y = Slice(d, b, e, a) {BACK}", "strided_slice", b=np.array([1]), e=np.array([5]),
        a=np.array([2])),
    between("parts of a split", "a, b = Split<axis=1>(d) m = QuantizeLinear(a, s, z) k = QuantizeLinear(b, s, z) "
        "p = MaxPool<kernel_shape=[2,2]>(m) n = Identity(k)", "strided_slice strided_slice max_pool2d",
        to="uint8[] n, uint8"),
    between("a concatenation", f"c = DequantizeLinear(r, s, z) y = Concat<axis=1>(d, c) {BACK}", "concat",
        x="uint8[2,8,7,6] q, uint8[2,3,7,6] r"),
    between("a concatenation of several scales", "c = DequantizeLinear(r, k, u) h = Concat<axis=1>(d, c) "
        "p = QuantizeLinear(h, s, z)", "dequantize quantize concat", OTHER_STEPS, fires=True,
        x="uint8[2,8,7,6] q, uint8[2,3,7,6] r", k=np.float32(0.07), u=np.uint8(9)),
    between("a concatenation of several types", "c = DequantizeLinear(r, s, u) h = Concat<axis=1>(d, c) "
        "p = QuantizeLinear(h, s, z)", "dequantize quantize concat", OTHER_STEPS, fires=True,
        x="uint8[2,8,7,6] q, int8[2,3,7,6] r", u=np.int8(9)),
    between("rows of a table", f"y = Gather(d, i) {BACK}", "take", i=np.array([1, 0, 0])),
    between("a pad by zeros", f"y = Pad(d, w) {BACK}", "pad", w=WIDTHS),
    between("a pad by zeros, of int8", f"y = Pad(d, w) {BACK}", "pad", x=Q.replace("uint8", "int8"), to="int8",
        w=WIDTHS),
    between("a pad by a number", f"y = Pad(d, w, v) {BACK}", "pad", w=WIDTHS, v=np.float32(1.23)),
    between("a pad by a number that is dequantized", f"v = DequantizeLinear(k, s, z) y = Pad(d, w, v) {BACK}", "pad",
        w=WIDTHS, k=np.uint8(77)),
    between("a pad by an infinity", f"y = Pad(d, w, v) {BACK}", "pad", w=WIDTHS, v=np.float32(-np.inf)),
    between("a pad by what is there", f"y = Pad<mode=\"reflect\">(d, w) {BACK}", "pad", w=WIDTHS),
    between("several after each other", f"a = Gather(d, i) b = Gather<axis=2>(a, i) y = Transpose(b) {BACK}",
        "take take permute_dims", i=np.array([1, 0, 0])),
    between("one after another", f"{POOL} p1 = QuantizeLinear(y, s, z) f = DequantizeLinear(p1, s, z) "
        "g = Flatten(f) p = QuantizeLinear(g, s, z)", "max_pool2d reshape"),
    between("nothing", "p1 = QuantizeLinear(d, s, z) f = DequantizeLinear(p1, s, z) g = Neg(f) "
        "p = QuantizeLinear(g, s, z)", "lookup"),
    between("real numbers that are read as well, of what is not moved",
        "p1 = QuantizeLinear(d, s, z) f = DequantizeLinear(p1, s, z) g = Add(f, d) p = QuantizeLinear(g, s, z)",
        None),
)  # fmt: skip
def test_moves_bytes(case: Case) -> None:
    check(case)


@cases(
    between("another scale", f"{POOL} p = QuantizeLinear(y, t, z)", "dequantize max_pool2d quantize",
        "both sides have the same scale, zero point and type", t=np.float32(0.1)),
    between("another zero point", f"{POOL} p = QuantizeLinear(y, s, u)", "dequantize max_pool2d quantize",
        "both sides have the same scale, zero point and type", u=np.uint8(3)),
    between("another type", f"{POOL} p = QuantizeLinear(y, s, u)", "dequantize max_pool2d quantize",
        "both sides have the same scale, zero point and type", u=np.int8(3), to="int8"),
    between("a scale for each channel", "c = DequantizeLinear<axis=1>(q, t, u) y = Flatten(c) "
        "p = QuantizeLinear(y, s, z)", None, "scales and zero points are constant, one number each",
        t=np.full(8, 0.05, "float32"), u=np.full(8, 131, "uint8")),
    between("a scale that is fed", "c = DequantizeLinear(q, k, z) y = Flatten(c) p = QuantizeLinear(y, k, z)", None,
        "scales and zero points are constant, one number each", x=f"{Q}, float k"),
    between("steps too small to be told apart", f"{POOL} {BACK}", "dequantize max_pool2d quantize",
        "the scale is such that all steps are told apart", s=np.float32(1e-44)),
    between("steps of which 16 bits are too many", f"{POOL} {BACK}", "dequantize max_pool2d quantize",
        "the scale is such that all steps are told apart", s=np.float32(6e35)),
    between("a move that others read", f"a = Gather(d, i) y = Transpose(a) {BACK} n = Neg(a)",
        "dequantize take permute_dims quantize negative", fires=False, to="float[] n, uint8", i=np.array([1, 0, 0])),
    between("several moves into another scale", "a = Gather(d, i) y = Transpose(a) p = QuantizeLinear(y, t, z)",
        "dequantize take permute_dims quantize", OTHER_STEPS, i=np.array([1, 0]), t=np.float32(0.1)),
    between("a pool that others read", f"{POOL} p1 = QuantizeLinear(y, s, z) f = DequantizeLinear(p1, s, z) "
        "g = Sub(y, f) p = QuantizeLinear(g, s, z)", None, "nobody else reads the real numbers that are moved"),
    between("the bytes that are fed", BACK.replace("(y", "(d"), "dequantize quantize",
        "the quantized tensor is no output where nothing is moved"),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_leaves_a_pad_by_nan() -> None:
    # Which onnxruntime and we round each in a way of their own.
    case = between("a pad by NaN", f"y = Pad(d, w, v) {BACK}", "dequantize pad quantize", fires=False, w=WIDTHS,
                   v=np.float32(np.nan))  # fmt: skip
    check(case, numbers=False)
