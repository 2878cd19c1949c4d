"""What TVM would cancel out keeps NaN, infinities and the rounding of sums."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import parser
from onnx.reference import ReferenceEvaluator
from tvm import te

import tvmfuse
from tvmfuse.build.kernels.exact_floats import with_exact_floats

#: What a kernel computes of a = |x|, a value that it does not store.
BODIES = {
    "x - x": "y = Sub(a, a)",
    "x + y - x": "s = Add(a, x) y = Sub(s, a)",
    "x + y - y": "s = Add(x, a) y = Sub(s, a)",
    "x - (x + y)": "s = Add(a, x) y = Sub(a, s)",
    "x - (y + x)": "s = Add(x, a) y = Sub(a, s)",
    "exp": "e = Exp(a) y = Sub(e, e)",
    "where": "c = Less(x, k) w = Where(c, a, k) y = Sub(w, a)",
    "x + c - c": "s = Add(a, k) y = Sub(s, k)",
    "x == x": "e = Equal(a, a) y = Where(e, a, k)",
    "not x == x": "e = Equal(a, a) n = Not(e) y = Where(n, k, a)",
}
NAMES = {"float": "float32", "double": "float64", "float16": "float16"}


def model_of(body: str, dtype: str) -> Any:
    return parser.parse_model(
        f'<ir_version: 10, opset_import: ["":22]> g ({dtype}[N] x) => ({dtype}[N] y) {{ '
        f"big = Constant<value_float=3.0e4>() k = Cast<to={number(dtype)}>(big) a = Abs(x) {body} }}"
    )


def number(dtype: str) -> int:
    return {"float": 1, "float16": 10, "double": 11, "bfloat16": 16}[dtype]


@pytest.mark.parametrize("body", BODIES)
def test_numbers(body: str) -> None:
    numbers = [np.nan, np.inf, -np.inf, 0, -0.0, 1, -3, 1e-3, -2e4]
    for dtype, name in NAMES.items():
        model, x = model_of(BODIES[body], dtype), np.array(numbers, name)
        with np.errstate(all="ignore"):
            (expected,) = map(np.asarray, ReferenceEvaluator(model).run(None, {"x": x}))
        found = tvmfuse.compile(model, strict=True).load()(x=x)["y"]
        rounding = 2**-10 if dtype == "float16" else 1e-6  # exp's, of float32 at least
        np.testing.assert_allclose(found, expected, rtol=rounding)


def test_bfloat16() -> None:
    x = np.array([np.nan, np.inf, -np.inf, 1], ml_dtypes.bfloat16)
    found = tvmfuse.compile(model_of(BODIES["x - x"], "bfloat16"), strict=True).load()(x=x)["y"]
    np.testing.assert_array_equal(found.astype("float32"), [np.nan, np.nan, np.nan, 0])


def test_what_does_not_cancel_stays_as_it_was() -> None:
    x, y = (te.placeholder((8,), "float32", name) for name in "xy")
    i = te.placeholder((8,), "int32", "i")
    z = te.compute((8,), lambda k: (x[k] + y[k]) - (y[k] - x[k]) + (i[k] - i[k]).astype("float32"))
    kernel = te.create_prim_func([x, y, i, z])
    assert with_exact_floats(kernel).same_as(kernel)
