"""Pad_Fusion, GatherToSliceFusion, SliceConcatToSpaceToDepthFusion: every bullet of their specification.

What is tested elsewhere on a whole model (tests/passes/basic) is not repeated here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tier_cases import Case, about, cases, check

N = np.array  # of int64
SPATIAL = N([0, 0, 1, 0, 0, 0, 2, 1])

pad = about("Pad_Fusion")
CONV = "(float[1,2,6,6] x) => (float[] y) {p = Pad(x, k) y = Conv(p, w)}"
POOL = "(float[1,2,6,6] x) => (float[] y) {p = Pad(x, k%s) y = %s(p)}"
W: dict[str, Any] = {"w": (3, 2, 3, 3)}


@cases(
    *[pad(f"Conv, opset {n}", CONV, "conv", opset=n, k=SPATIAL, **W) for n in (11, 13, 18, 19, 21, 23, 24)],
    pad("attributes, opset 2", "(float[1,2,6,6] x) => (float[] y) {p = Pad<pads=[0,0,1,0,0,0,2,1]>(x) y = Conv(p, w)}",
        "conv", opset=7, **W),
    pad("Conv pads, too",
        "(float[1,2,6,6] x) => (float[] y) {p = Pad(x, k) y = Conv<pads=[1,0,0,1], strides=[2,2]>(p, w)}", "conv",
        k=SPATIAL, **W),
    pad("Cast between", "(float16[1,2,6,6] x) => (float[] y) {p = Pad(x, k) c = Cast<to=1>(p) y = Conv(c, w)}",
        "astype conv", k=SPATIAL, **W),
    pad("AveragePool", POOL % ("", "AveragePool<kernel_shape=[3,3]>"), "avg_pool2d", k=SPATIAL),
    pad("AveragePool, opset 24", POOL % ("", "AveragePool<kernel_shape=[3,3]>"), "avg_pool2d", opset=24, k=SPATIAL),
    pad("MaxPool over minus infinity", POOL % (", v", "MaxPool<kernel_shape=[3,3]>"), "max_pool2d", k=SPATIAL,
        v=N(-np.inf, "float32")),
    pad("MaxPool over zeros", POOL % ("", "MaxPool<kernel_shape=[3,3]>"), "pad max_pool2d",
        "the pad's value is minus infinity", k=SPATIAL,
        feeds={"x": -np.ones((1, 2, 6, 6), "float32")}),
    pad("another value", CONV.replace("k)", "k, v)"), "pad conv", "the pad's value is zero", k=SPATIAL,
        v=N(1, "float32"), **W),
    pad("reflect", CONV.replace("Pad", 'Pad<mode="reflect">'), "pad conv", "the pad repeats one value", k=SPATIAL, **W),
    pad("channels", CONV, "pad conv", "only spatial dimensions are padded", k=N([0, 1, 1, 0, 0, 0, 2, 1]),
        w=(3, 3, 3, 3)),
    pad("negative pads: the importer cuts, then pads", CONV, "strided_slice conv", k=N([0, 0, -1, 0, 0, 0, 2, 1]), **W),
    pad("the pad is an output", "(float[1,2,6,6] x) => (float[] y, float[] p) {p = Pad(x, k) y = Conv(p, w)}",
        "pad conv",
        "the padded tensor has one reader", k=SPATIAL, **W),
    pad("the pad has 2 consumers",
        "(float[1,2,6,6] x) => (float[] y, float[] z) {p = Pad(x, k) y = Conv(p, w) z = Neg(p)}", "pad conv negative",
        "the padded tensor has one reader", k=SPATIAL, **W),
)  # fmt: skip
def test_pad_fusion(case: Case) -> None:
    check(case)


gather = about("GatherToSliceFusion")
GATHER = "(float[5,6] x) => (float[] y) {g = Gather<axis=1>(x, k) y = Exp(g)}"


@cases(
    *[gather(f"opset {n}", GATHER, "strided_slice exp", opset=n, k=N([1, 2, 3])) for n in (7, 11, 13, 24)],
    gather("of a Range", "(float[5,6] x) => (float[] y) {r = Range(a, b, c) g = Gather(x, r) y = Exp(g)}",
        "strided_slice exp", a=N(0), b=N(5), c=N(2)),
    gather("counted from the back", GATHER, "strided_slice exp", k=N([-3, -2, -1])),
    gather("falling", GATHER, "take exp", "the indices rise in equal steps", k=N([3, 2, 1])),
    gather("a scalar", GATHER, "take exp", "the indices are a list", k=N(2)),
    gather("fed", "(float[5,6] x, int64[2] k) => (float[] y) {g = Gather<axis=1>(x, k) y = Exp(g)}", None,
           "the indices are known before the model runs", feeds={"k": N([1, -2])}),
)  # fmt: skip
def test_gather_to_slice_fusion(case: Case) -> None:
    check(case)


focus = about("SliceConcatToSpaceToDepthFusion")
QUARTERS = [(0, 0), (1, 0), (0, 1), (1, 1)]


def slices(
    order: list[tuple[int, int]],
    *,
    inputs: str = "(float[1,3,4,6] x)",
    outputs: str = "(float[] y)",
    axis: int = 1,
) -> str:
    parts = [f"p{i} = Slice(x, s{a}{b}, e, a, t)" for i, (a, b) in enumerate(order)]
    return f"{inputs} => {outputs} {{{' '.join(parts)} y = Concat<axis={axis}>(p0, p1, p2, p3)}}"


BOUNDS: dict[str, Any] = {
    **{f"s{a}{b}": N([a, b]) for a, b in QUARTERS},
    "e": N([2**63 - 1] * 2),
    "a": N([2, 3]),
    "t": N([2, 2]),
}
REARRANGED = "reshape permute_dims reshape"
KEPT = " ".join(["strided_slice"] * 4 + ["concat"])


@cases(
    focus("by columns, as in YOLO", slices(QUARTERS), REARRANGED, **BOUNDS),
    focus("by rows, as SpaceToDepth", slices([(0, 0), (0, 1), (1, 0), (1, 1)]), REARRANGED, **BOUNDS),
    focus("opset 11", slices(QUARTERS), REARRANGED, opset=11, **BOUNDS),
    focus("opset 24, a symbolic batch", slices(QUARTERS, inputs="(float[N,3,4,6] x)"), REARRANGED, opset=24, **BOUNDS),
    focus("another order", slices([(1, 1), (0, 0), (0, 1), (1, 0)]), KEPT,
        "the slices come row by row or column by column", **BOUNDS),
    focus("another axis", slices(QUARTERS, axis=2), KEPT, "the slices become channels", **BOUNDS),
    focus("an odd size",
        slices(QUARTERS, inputs="(float[1,3,5,6] x)", axis=3).replace("Concat<axis=3>(p0, p1, p2, p3)",
        "Concat<axis=1>(p0, p0, p2, p2)"),
          "strided_slice strided_slice concat",
          "each slice takes every second row and column of an even number of them", **BOUNDS),
    focus("a slice is an output", slices(QUARTERS, outputs="(float[] y, float[] p0)"), KEPT,
        "the concatenation is the slices' only reader", **BOUNDS),
)  # fmt: skip
def test_slice_concat_to_space_to_depth_fusion(case: Case) -> None:
    check(case)


FUSIONS = {
    "ConvAddFusion": ("c = Conv(x, w) p = Add(c, k)", "conv"),
    "ConvMulFusion": ("c = Conv(x, w) p = Mul(k, c)", "conv"),
    "FuseReluClip": ("c = Relu(x) p = Clip(c, zero)", "clip"),
    "MatMulAddFusion": ("c = MatMul(x, m) p = Add(c, k)", "gemm"),
    "ReshapeFusion": ("c = Flatten(x) p = Reshape(c, s)", "reshape"),
    "ConstantFolding": ("c = Exp(k) p = Add(x, c)", "add"),
}


@pytest.mark.parametrize("rule", FUSIONS)
def test_branches_are_optimized_too(rule: str) -> None:
    nodes, left = FUSIONS[rule]
    graph = (f"(float[1,2,4,4] x, bool b) => (float[] y) {{y = If(b) <then_branch = t () => (float[] p) {{{nodes}}}, "
             "else_branch = e () => (float[] q) {q = Neg(x)}>}")  # fmt: skip
    constants: dict[str, Any] = {
        "w": (2, 2, 1, 1),
        "k": (2, 1, 1),
        "zero": N(-1, "float32"),
        "m": (4, 4),
        "s": N([1, 4, 2, 4]),
    }
    check(about(rule)("", graph, f"{left} negative", **constants))
