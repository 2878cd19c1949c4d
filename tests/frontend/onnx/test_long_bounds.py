"""Slices whose bounds are long expressions of sizes: the run computes them once, not each index."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser

from tvmfuse.frontend.onnx.convert.indexing import MOST_TERMS
from tvmfuse.frontend.symbols import as_dim, terms
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.imported import ImportedModel

pytestmark = pytest.mark.sampled(5)

RNG = np.random.default_rng(0)

GRAPHS = {
    "to numbers": """(float[A, B, C, D] x) => (float[P, Q, R, S] y) <int64[4] s = {7, 2, 3, 5}> {
        y = CenterCropPad(x, s) }""",
    "some axes": """(float[A, B, C, D] x) => (float[P, Q, R, S] y) <int64[2] s = {7, 2}> {
        y = CenterCropPad<axes = [-2, 1]>(x, s) }""",
    "to another's sizes": """(float[A, B, C, D] x, float[E, F, G, H] z) => (float[P, Q, R, S] y) {
        s = Shape(z) y = CenterCropPad(x, s) }""",
}


def model(graph: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": 18]> g {graph}')


def slices_are_short(imported: ImportedModel) -> bool:
    slices = Dataflow(imported.module["main"]).calls("relax.strided_slice")
    dims = [as_dim(d) for var in slices for d in var.ty.shape.values]
    return bool(slices) and sum(map(terms, dims)) <= MOST_TERMS


@pytest.mark.parametrize("name", GRAPHS)
def test_what_is_cut_and_padded_around_its_middle(name: str, agrees: Any) -> None:
    made = model(GRAPHS[name])
    feeds: list[dict[str, np.ndarray]] = []
    for sizes, wanted in (((5, 4, 5, 6), (6, 3, 4, 8)), ((1, 1, 1, 1), (1, 2, 3, 3))):
        feeds.append({"x": RNG.standard_normal(sizes, "float32")})
        if len(made.graph.input) > 1:
            feeds[-1]["z"] = np.zeros(wanted, "float32")
    assert slices_are_short(agrees(made, *feeds))


@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_bounds_that_two_tensors_tell(step: int, agrees: Any) -> None:
    """(h - w) // 2 from either end, times two and less one, and that again."""
    made = model(f"""(float[N, M] x, float[H, W] z) => (float[P, Q] y)
        <int64[1] two = {{2}}, int64[1] a = {{0}}, int64[1] step = {{{step}}}> {{
        h = Shape<end = 1>(z) w = Shape<start = 1>(z) d = Sub(h, w) half = Div(d, two)
        r = Mod(half, two) low = Min(half, r) s = Mul(half, low) u = Min(s, h) v = Max(u, d)
        e = Sub(v, half) g = Max(e, s) first = Sub(g, w) t = Mul(g, g) end = Sub(t, v)
        y = Slice(x, first, end, a, step) }}""")
    pairs = [((9, 3), (7, 2)), ((6, 1), (2, 9)), ((5, 2), (4, 4)), ((0, 2), (9, 3))]
    feeds = [
        {"x": RNG.standard_normal(a, "float32"), "z": np.zeros(b, "float32")} for a, b in pairs
    ]
    agrees(made, *feeds)
