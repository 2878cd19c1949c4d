"""LSTM and GRU cells written as bodies of Loop and Scan, as exporters write scripted ones."""

import re

import numpy as np
import onnx
import pytest
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

RNG = np.random.default_rng(0)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


#: Six features, eight units.
CONSTANTS = {
    "lstm_x": floats(6, 32), "lstm_h": floats(8, 32), "lstm_b": floats(32),
    "gru_x": floats(6, 24), "gru_h": floats(8, 24), "gru_b": floats(24),
    "true": np.array(True), "zero": np.array(0), "one": np.array(1),
}  # fmt: skip

LSTM = """
    gx = MatMul(xt, lstm_x) gh = MatMul(h, lstm_h) g0 = Add(gx, gh) g = Add(g0, lstm_b)
    i0, f0, c0, o0 = Split <axis = 1> (g)
    i = Sigmoid(i0) f = Sigmoid(f0) n = Tanh(c0) o = Sigmoid(o0)
    kept = Mul(f, c) new = Mul(i, n) c1 = Add(kept, new) t = Tanh(c1) h1 = Mul(o, t)"""
GRU = """
    gx0 = MatMul(xt, gru_x) gx = Add(gx0, gru_b) gh = MatMul(h, gru_h)
    xr, xz, xn = Split <axis = 1> (gx) hr, hz, hn = Split <axis = 1> (gh)
    r0 = Add(xr, hr) r = Sigmoid(r0) z0 = Add(xz, hz) z = Sigmoid(z0)
    n0 = Mul(r, hn) n1 = Add(xn, n0) n = Tanh(n1) d = Sub(h, n) e = Mul(z, d) h1 = Add(n, e)"""
STEP = "xt = Gather(x, k) on = Identity(go)"
COUNTED = "s = Shape(x) m = Gather(s, zero)"
STATE = "float[B, 8]"

FORMS = {
    "states": f"""{COUNTED}
        last, cell, y = Loop <body = body (int64 k, bool go, {STATE} h, {STATE} c)
                => (bool on, {STATE} h1, {STATE} c1, {STATE} y1) {{
            {STEP} {LSTM} y1 = Identity(h1)
        }}> (m, true, first, memory)""",
    "a list of results": f"""{COUNTED} none = SequenceEmpty()
        made, last, cell = Loop <body = body (int64 k, bool go, seq({STATE}) l, {STATE} h, {STATE} c)
                => (bool on, seq({STATE}) l1, {STATE} h1, {STATE} c1) {{
            {STEP} {LSTM} l1 = SequenceInsert(l, h1)
        }}> (m, true, none, first, memory)
        y = ConcatFromSequence <axis = 0, new_axis = 1> (made)""",
    "a list of states": f"""{COUNTED} begin = SequenceConstruct(first, memory)
        end, y = Loop <body = body (int64 k, bool go, seq({STATE}) l)
                => (bool on, seq({STATE}) l1, {STATE} y1) {{
            h = SequenceAt(l, zero) c = SequenceAt(l, one)
            {STEP} {LSTM} l1 = SequenceConstruct(h1, c1) y1 = Identity(h1)
        }}> (m, true, begin)
        last = SequenceAt(end, zero) cell = SequenceAt(end, one)""",
    "in branches": f"""{COUNTED} some = ReduceSum<keepdims = 0>(first) large = Greater(some, half)
        half = Constant<value = float {{0.5}}>()
        cell = Exp(memory)
        last, y = If(large) <then_branch = there () => ({STATE} a, float[T, B, 8] as) {{
            a, as = Loop <body = body (int64 k, bool go, {STATE} h)
                    => (bool on, {STATE} h1, {STATE} y1) {{ {STEP} {GRU} y1 = Identity(h1) }}> (m, true, first)
        }}, else_branch = back () => ({STATE} b, float[T, B, 8] bs) {{
            b, bs = Scan <num_scan_inputs = 1, scan_input_directions = [1],
                          scan_output_directions = [1], body = steps ({STATE} h, float[B, 6] xt)
                    => ({STATE} h1, {STATE} y1) {{ {GRU} y1 = Identity(h1) }}> (first, x)
        }}>""",
}


def model(form: str) -> onnx.ModelProto:
    text = FORMS.get(form, form)
    made = onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
        g (float[T, B, 6] x, {STATE} first, {STATE} memory)
            => (float[U, B, 8] y, {STATE} last, {STATE} cell) {{ {text} }}""")
    read = set(re.findall(r"\w+", text))
    made.graph.initializer.extend(
        onnx.numpy_helper.from_array(array, name)
        for name, array in CONSTANTS.items()
        if name in read
    )
    return made


def fed(steps: int, batch: int) -> dict[str, np.ndarray]:
    first = floats(batch, 8)
    return {"x": floats(steps, batch, 6), "first": first, "memory": floats(batch, 8)}


SIZES = [(5, 2), (1, 1), (9, 3)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.sampled(3)
def test_numbers_for_any_length(form: str) -> None:
    made = model(form)
    run = tvmfuse.compile(made, strict=True).load()
    feeds = [fed(*sizes) for sizes in SIZES]
    # Both branches are taken.
    feeds += [{**feeds[0], "first": sign * np.abs(feeds[0]["first"])} for sign in (1, -1)]
    for feed in feeds:
        assert_agrees(run(**feed), reference(made, feed))


def test_a_list_that_changes_its_length_is_refused() -> None:
    form = FORMS["a list of states"].replace("SequenceConstruct(h1, c1)", "SequenceConstruct(h1)")
    said = "a sequence of 2 before an iteration, and a sequence of 1 after"
    with pytest.raises(UnsupportedModelError, match=said):
        import_model(model(form))
