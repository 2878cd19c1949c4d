"""schedules.cpu.generic: everything that is made of stages."""

from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.relax import op as R

F32 = "float32"


def attention(lab: Any, heads: Any, length: Any, width: Any) -> Any:
    """One kernel of two matrix products with a softmax between them."""
    q, k, v = (te.placeholder((heads, length, width), name=n) for n in "qkv")
    d, s, e = te.reduce_axis((0, width)), te.reduce_axis((0, length)), te.reduce_axis((0, length))
    t = te.reduce_axis((0, length))
    scores = te.compute((heads, length, length), lambda h, i, j: te.sum(q[h, i, d] * k[h, j, d], d))
    largest = te.compute((heads, length), lambda h, i: te.max(scores[h, i, s], s))
    powers = te.compute(scores.shape, lambda h, i, j: tirx.exp(scores[h, i, j] - largest[h, i]))
    total = te.compute((heads, length), lambda h, i: te.sum(powers[h, i, e], e))
    weights = te.compute(scores.shape, lambda h, i, j: powers[h, i, j] / total[h, i])
    out = te.compute(q.shape, lambda h, i, x: te.sum(weights[h, i, t] * v[h, t, x], t))
    return lab.function_of(q, k, v, out)


@pytest.mark.parametrize("shape", [(2, 12, 16), (3, 17, 9)], ids=str)
def test_attention_in_one_kernel(lab: Any, shape: tuple[int, ...]) -> None:
    scheduled = lab.assert_same_numbers(IRModule({"main": attention(lab, *shape)}))
    assert scheduled.report.schedule_of("main") == "generic"
    text = scheduled.module["main"].script()
    assert "T.vectorized" in text
    assert "T.unroll" in text


def test_a_convolution_of_one_pixel(lab: Any) -> None:
    lab.assert_same_numbers(lab.lowered(R.nn.conv2d, ((1, 24, 1, 1), F32), ((10, 24, 1, 1), F32)))


def test_two_outputs(lab: Any) -> None:
    a, b = te.placeholder((9, 5)), te.placeholder((5, 16))
    k = te.reduce_axis((0, 5))
    c = te.compute((9, 16), lambda i, j: te.sum(a[i, k] * b[k, j], k))
    r = te.reduce_axis((0, 16))
    rows = te.compute((9,), lambda i: te.sum(c[i, r], r))
    lab.assert_same_numbers(IRModule({"main": lab.function_of(a, b, rows, c)}))
