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


def model_of(body: str) -> Any:
    return parser.parse_model(
        '<ir_version: 9, opset_import: ["":17]> g (float[T] x, float[P] p) => (float[N] y) '
        f"{{ {RANGE} {body} }}"
    )


@pytest.mark.parametrize("level", ["none", "extended", "all"])
@pytest.mark.parametrize("name", BODIES)
def test_positions(name: str, level: Any) -> None:
    model = model_of(BODIES[name])
    compiled = tvmfuse.compile(model, level=level, strict=True).load()
    rng = np.random.default_rng(0)
    for size, cached in ((1, 1), (5, 9), (40, 41)):
        x, p = (rng.uniform(1, 2, n).astype("float32") for n in (cached, size))
        with np.errstate(divide="ignore"):
            expected = reference(model, {"x": x, "p": p})
        assert_agrees(compiled({"x": x, "p": p}), expected)
