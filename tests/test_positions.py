"""Positions that a model computes of sizes, as decoders, masks and window functions do."""

from typing import Any

import numpy as np
import pytest
from onnx import parser
from reference import assert_agrees, reference

import tvmfuse

RANGE = """
    zero = Constant<value_int=0>() one = Constant<value_int=1>()
    s = Shape(p) n = Squeeze(s) r = Range(zero, n, one) f = Cast<to=1>(r)
"""
#: What is computed -> its text; `r` are the positions of `p`, `f` the same in float32.
BODIES = {
    "gathered": "y = Gather(x, r)",
    "log": "l = Log(f) y = Mul(l, p)",
    "log alone": "y = Log(f)",
    "exp": "l = Exp(f) y = Add(l, p)",
    "cos and sin": "l = Cos(f) m = Sin(l) y = Add(l, m)",
    "buckets": """
        a = Neg(f) b = Abs(a) l = Log(b) d = Div(l, p) e = Cast<to=7>(d) g = Cast<to=1>(e)
        y = Add(g, p)
    """,
    "behind the cache": "u = Shape(x) d = Cast<to=1>(u) y = Add(f, d)",
    "a size at each": "u = Shape(x) c = Expand(u, s) g = Cast<to=1>(c) h = Neg(g) y = Mul(h, h)",
    "summed": "u = Shape(x) d = Cast<to=1>(u) k = Add(f, d) t = ReduceSum(k) y = Add(t, d)",
}

#: A decoder's step: rotary positions behind a cache that grows, and a mask of what came before.
STEP = """
    <ir_version: 9, opset_import: ["":17]>
    g (float[B,S,8] x, float[B,2,P,4] past) => (float[B,S,8] y, float[B,2,T,4] present)
    <float[2] frequencies = {1.0, 0.01}, int64[1] first = {0}, int64[1] half = {2},
     int64[1] end = {4}, int64[1] last = {3}, int64[1] second = {1},
     int64[4] heads = {0, 0, 2, 4}, int64[3] joined = {0, 0, 8}> {
        zero = Constant<value_int=0>() one = Constant<value_int=1>()
        cached = Shape<start=2, end=3>(past) past_size = Squeeze(cached)
        given = Shape<start=1, end=2>(x) size = Squeeze(given) total = Add(past_size, size)
        at = Range(past_size, total, one) at_float = Cast<to=1>(at)
        row = Unsqueeze(at_float, second) angles = Mul(row, frequencies)
        both = Concat<axis=-1>(angles, angles) cosine = Cos(both) sine = Sin(both)
        split = Reshape(x, heads) h = Transpose<perm=[0,2,1,3]>(split)
        low = Slice(h, first, half, last) high = Slice(h, half, end, last) negative = Neg(high)
        turned = Concat<axis=-1>(negative, low) a = Mul(h, cosine) b = Mul(turned, sine) q = Add(a, b)
        present = Concat<axis=2>(past, q) keys = Transpose<perm=[0,1,3,2]>(present)
        scores = MatMul(q, keys) all = Range(zero, total, one) all_float = Cast<to=1>(all)
        seen = LessOrEqual(all_float, row) nothing = Constant<value_float=0.0>()
        lowest = Constant<value_float=-3.4e38>() mask = Where(seen, nothing, lowest)
        masked = Add(scores, mask) p = Softmax<axis=-1>(masked) o = MatMul(p, present)
        back = Transpose<perm=[0,2,1,3]>(o) out = Reshape(back, joined) y = Add(out, x)
    }
"""


def model_of(body: str) -> Any:
    return parser.parse_model(
        '<ir_version: 9, opset_import: ["":17]> g (float[T] x, float[P] p) => (float[N] y) '
        f"{{ {RANGE} {body} }}"
    )


@pytest.mark.parametrize("level", ["none", "extended", "all"])
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.sampled(3)
def test_positions(name: str, level: Any) -> None:
    model = model_of(BODIES[name])
    compiled = tvmfuse.compile(model, level=level, strict=True).load()
    rng = np.random.default_rng(0)
    for size, cached in ((1, 1), (5, 9), (40, 41)):
        x, p = (rng.uniform(1, 2, n).astype("float32") for n in (cached, size))
        with np.errstate(divide="ignore"):
            expected = reference(model, {"x": x, "p": p})
        assert_agrees(compiled({"x": x, "p": p}), expected)


@pytest.mark.parametrize("level", ["none", "extended", "all"])
@pytest.mark.parametrize("fixed", [None, {"B": 2, "S": 3, "P": 5}], ids=["any size", "fixed"])
@pytest.mark.sampled(4)
def test_a_decoders_step(fixed: dict[str, int] | None, level: Any) -> None:
    model = parser.parse_model(STEP)
    compiled = tvmfuse.compile(model, level=level, dims=fixed, strict=True).load()
    rng = np.random.default_rng(0)
    for batch, size, cached in ((2, 3, 5), (1, 1, 1), (1, 1, 7), (3, 17, 40))[: 1 if fixed else 4]:
        feeds = {
            "x": rng.standard_normal((batch, size, 8), "float32"),
            "past": rng.standard_normal((batch, 2, cached, 4), "float32"),
        }
        assert_agrees(compiled(feeds), reference(model, feeds))


@pytest.mark.parametrize("level", ["none", "extended", "all"])
def test_a_window_of_a_size_that_is_fed(level: Any) -> None:
    """One group computes with the positions and with what they are counted from."""
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["":20]> g (int64 n) => (float[K] y) { y = HannWindow(n) }'
    )
    compiled = tvmfuse.compile(model, level=level, strict=True).load()
    for size in (1, 2, 37):
        feeds = {"n": np.array(size)}
        assert_agrees(compiled(feeds), reference(model, feeds))
