"""Loop and Scan whose number of iterations shows as the model runs, against onnxruntime."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import ops
from onnx import helper, parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import CompilationError, InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

Feeds = Mapping[str, np.ndarray]
RNG = np.random.default_rng(0)


def model(text: str, **constants: np.ndarray) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')
    made.graph.initializer.extend(
        onnx.numpy_helper.from_array(array, name) for name, array in constants.items()
    )
    return made


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


def check(model: onnx.ModelProto, *feeds: Feeds) -> None:
    """Compile at both levels, compare each feed's outputs."""
    for level in ("none", "all"):
        executable = tvmfuse.compile(model, level=level, strict=True).load()
        for feed in feeds:
            assert_agrees(executable(**feed), reference(model, feed))


#: A counter that is computed with, a value from outside, scan outputs of a vector and a scalar.
COUNTED = """(float[n, 3] x, int64 m) => (float[n, 3] y, float[k, n, 3] each, bool[k] positive) {
    y, each, positive = Loop <body = body (int64 i, bool go, float[n, 3] v)
            => (bool on, float[n, 3] u, float[n, 3] e, bool p) {
        f = Cast <to = 1> (i)
        weighed = Mul(v, w)
        u = Add(weighed, f)
        e = Neg(u)
        s = ReduceSum <keepdims = 0> (u)
        p = Greater(s, zero)
        on = Identity(go)
    }> (m, true, x)
}"""
CONSTANTS = {
    "w": np.array([1, 0.9, -1], "float32"),
    "zero": np.array(0, "float32"),
    "true": np.array(True),
}


def test_a_number_of_trips_that_is_fed() -> None:
    """More than a buffer has at first; sizes that are fed, 0 among them."""
    sizes = [(2, 1), (3, 5), (1, 40), (0, 2)]
    feeds = [{"x": floats(n, 3), "m": np.array(m)} for n, m in sizes]
    check(model(COUNTED, **CONSTANTS), *feeds)


def test_no_trips() -> None:
    """Scan outputs have no elements, whose sizes are known; onnxruntime says 0 for those fed."""
    counted = model(COUNTED, **CONSTANTS)
    feeds = {"x": floats(2, 3), "m": np.array(-7)}
    found = tvmfuse.compile(counted, level="none").load()(**feeds)
    np.testing.assert_array_equal(found["y"], feeds["x"])
    assert found["each"].shape == (0, 2, 3)
    assert found["positive"].dtype == bool
    check(model(COUNTED.replace("n, 3", "2, 3"), **CONSTANTS), feeds)


def test_a_condition_of_the_data() -> None:
    """NaN is not below the limit: it ends the loop."""
    looped = model(
        """(float[2, n] x) => (float[2, n] y, float[k] tops) {
            y, tops = Loop <body = body (int64 i, bool go, float[2, n] v)
                    => (bool on, float[2, n] u, float top) {
                u = Add(v, v)
                top = ReduceMax <keepdims = 0> (u)
                on = Less(top, limit)
            }> (true, true, x)
        }""",
        limit=np.array(1000, "float32"),
        true=np.array(True),
    )
    looped.graph.node[0].input[0] = ""
    check(looped, *({"x": np.abs(x)} for x in (floats(2, 3), floats(2, 1), floats(2, 3) * np.nan)))


def test_a_state_that_grows() -> None:
    """The other one keeps its shape, and both are read after the loop."""
    grown = model(
        """(float[2, n] x, int64 m) => (float[r, n] y, float[2, n] last, float[n] total) {
            y, last = Loop <body = body (int64 i, bool go, float[r, n] v, float[2, n] s)
                    => (bool on, float[q, n] u, float[2, n] t) {
                u = Concat <axis = 0> (v, s)
                t = Mul(s, half)
                on = Identity(go)
            }> (m, true, x, x)
            total = ReduceSum <keepdims = 0> (y, zero)
        }""",
        half=np.array(0.5, "float32"),
        zero=np.array([0]),
        true=np.array(True),
    )
    check(grown, *({"x": floats(2, n), "m": np.array(m)} for n, m in [(3, 0), (3, 4), (1, 1)]))


def cell(**attributes: Any) -> onnx.ModelProto:
    """Return an RNN as a Scan, whose weights lie in its body."""
    scanned = model(
        """(float[t, b, 8] x, float[b, 16] h) => (float[b, 16] last, float[t, b, 16] all) {
            last, all = Scan <num_scan_inputs = 1, body = body (float[b, 16] s, float[b, 8] e)
                    => (float[b, 16] z, float[b, 16] o) {
                i = MatMul(e, W)
                r = MatMul(s, R)
                sum = Add(i, r)
                z = Tanh(sum)
                o = Identity(z)
            }> (h, x)
        }""",
        W=floats(8, 16) / 4,
        R=floats(16, 16) / 4,
    )
    made = [helper.make_attribute(name, value) for name, value in attributes.items()]
    scanned.graph.node[0].attribute.extend(made)
    return scanned


@pytest.mark.parametrize(
    "attributes",
    [
        {"scan_input_axes": [1], "scan_output_axes": [-1], "scan_input_directions": [1]},
        {"scan_output_directions": [1]},
    ],
    ids=["axes", "backwards"],
)
def test_a_scan_of_a_sequence_that_is_fed(attributes: Any) -> None:
    scanned = cell(**attributes)
    if "scan_input_axes" in attributes:
        for dim, name in zip(scanned.graph.input[0].type.tensor_type.shape.dim, "bt", strict=False):
            dim.dim_param = name
    at = "scan_input_axes" in attributes
    shapes = [floats(b, t, 8) if at else floats(t, b, 8) for t, b in [(5, 2), (1, 1), (20, 1)]]
    batch = 0 if at else 1
    check(scanned, *({"x": x, "h": floats(x.shape[batch], 16)} for x in shapes))


def test_a_sequence_that_a_loop_fills() -> None:
    """As torch writes ``outputs.append(h)`` in a loop, and what is made of the list."""
    filled = model(
        """(float[n, 3] x, int64 m) => (float[k, n, 3] stacked, float[n, q] joined, float[n, 3] last,
                int64 length) {
            none = SequenceEmpty()
            s, v = Loop <body = body (int64 i, bool go, seq(float[n, 3]) a, float[n, 3] h)
                    => (bool on, seq(float[n, 3]) b, float[n, 3] u) {
                u = Mul(h, half)
                b = SequenceInsert(a, u)
                on = Identity(go)
            }> (m, true, none, x)
            stacked = ConcatFromSequence <axis = 0, new_axis = 1> (s)
            joined = ConcatFromSequence <axis = 1> (s)
            last = SequenceAt(s, end)
            length = SequenceLength(s)
        }""",
        half=np.array(0.5, "float32"),
        end=np.array(-1),
        true=np.array(True),
    )
    check(filled, *({"x": floats(n, 3), "m": np.array(m)} for n, m in [(2, 5), (1, 1), (4, 17)]))


def test_loops_in_loops_and_branches() -> None:
    """The inner one reads what is carried around the outer one, and a branch decides on it."""
    nested = model(
        """(float[n] x, int64 m) => (float[n] y, float[k, n] each) {
            y, each = Loop <body = body (int64 i, bool go, float[n] v)
                    => (bool on, float[n] u, float[n] e) {
                steps = Add(i, one)
                added = Loop <body = inner (int64 j, bool go2, float[n] a)
                        => (bool on2, float[n] b) {
                    c = Add(a, v)
                    b = Add(c, x)
                    on2 = Identity(go2)
                }> (steps, true, v)
                top = ReduceMax <keepdims = 0> (added)
                large = Greater(top, limit)
                u = If (large) <then_branch = a () => (float[n] r) { r = Mul(added, small) },
                    else_branch = b () => (float[n] r) { r = Identity(added) }>
                e = Sub(u, x)
                on = Identity(go)
            }> (m, true, x)
        }""",
        one=np.array(1),
        limit=np.array(4, "float32"),
        small=np.array(0.125, "float32"),
        true=np.array(True),
    )
    check(nested, *({"x": floats(n), "m": np.array(m)} for n, m in [(3, 5), (1, 1), (4, 2)]))


def test_a_loop_of_many_iterations() -> None:
    """The machine jumps: no call is left open, and nothing is kept."""
    counting = model(
        """(int64 m) => (float total) {
            total = Loop <body = body (int64 i, bool go, float v) => (bool on, float u) {
                u = Add(v, one)
                on = Identity(go)
            }> (m, true, zero)
        }""",
        one=np.array(1, "float32"),
        zero=np.array(0, "float32"),
        true=np.array(True),
    )
    executable = tvmfuse.compile(counting).load()
    assert executable(m=np.array(100_000))["total"] == 100_000
    assert executable(m=np.array(-3))["total"] == 0


def moved() -> onnx.ModelProto:
    """Return a loop whose states change places, stay as they are, or become one another's views."""
    return model(
        """(float[n, 3] x, float[n, 3] z, int64 m, bool c) =>
                (float[n, 3] y0, float[n, 3] y1, float[n, 3] y2, float[n, 3] y3, float[k, n, 3] e) {
            y0, y1, y2, y3, e = Loop <body = body (int64 i, bool go, float[n, 3] a, float[n, 3] b,
                    float[n, 3] s, float[n, 3] t) => (bool on, float[n, 3] a_, float[n, 3] b_,
                    float[n, 3] s_, float[n, 3] t_, float[n, 3] e_) {
                u = Mul(a, half)
                top = ReduceMax <keepdims = 0> (u)
                large = Greater(top, zero)
                v = If (large) <
                    then_branch = p () => (float[n, 3] r) { w = Add(u, t) r = Neg(w) },
                    else_branch = q () => (float[n, 3] r) { r = Identity(b) }>
                flat = Reshape(v, row)
                shape = Shape(a)
                back = Reshape(flat, shape)
                a_ = Identity(b)
                b_ = Identity(back)
                s_ = Identity(s)
                t_ = Identity(x)
                e_ = Sub(v, s)
                on = Identity(go)
            }> (m, c, x, z, z, z)
        }""",
        half=np.array(0.5, "float32"),
        zero=np.array(0, "float32"),
        row=np.array([-1]),
    )


def moved_feeds(n: int, m: int, *, c: bool = True) -> Feeds:
    return {"x": floats(n, 3), "z": floats(n, 3), "m": np.array(m), "c": np.array(c)}


def test_states_that_change_places() -> None:
    """Odd and even numbers of iterations end in different memory."""
    check(moved(), *(moved_feeds(n, m) for n, m in [(2, 1), (1, 2), (4, 7), (3, 18)]))


def test_no_state_moves_without_an_iteration() -> None:
    found = tvmfuse.compile(moved()).load()
    for feeds in (moved_feeds(2, 0), moved_feeds(2, 5, c=False)):
        y0, *others, each = found(**feeds).values()
        np.testing.assert_array_equal(y0, feeds["x"])
        assert all(np.array_equal(y, feeds["z"]) for y in others)
        assert each.shape == (0, 2, 3)


def test_a_loop_in_many_threads() -> None:
    """Its memory is each call's own."""
    executable = tvmfuse.compile(moved()).load()
    feeds = [moved_feeds(n, m) for n, m in [(2, 30), (5, 31), (1, 8), (3, 1)]]
    expected = [executable(**feed) for feed in feeds]
    with ThreadPoolExecutor(8) as threads:
        for turn, found in enumerate(threads.map(lambda k: executable(**feeds[k % 4]), range(400))):
            assert all(np.array_equal(found[k], y) for k, y in expected[turn % 4].items())


def test_files_hold_loops(tmp_path: Path) -> None:
    """An optimized graph and a library, whose weights are handed to the loop."""
    scanned = cell()
    feeds = {"x": floats(7, 2, 8), "h": floats(2, 16)}
    artifact = tvmfuse.compile(scanned, save_optimized=tmp_path / "a.graph")
    artifact.save(tmp_path / "a.so")
    tvmfuse.compile(tmp_path / "a.graph").save(tmp_path / "b.so")
    for name in ("a.so", "b.so"):
        assert_agrees(tvmfuse.load(tmp_path / name)(**feeds), reference(scanned, feeds))


def test_kernels_of_a_loop_are_launched_again() -> None:
    """The manifest has them once. Nobody knows which launch a tensor is of: it is not shown."""
    executable = tvmfuse.compile(cell()).load()
    feeds = {"x": floats(7, 2, 8), "h": floats(2, 16)}
    launched = [kernel.symbol for kernel, *_ in executable.timed(feeds).launches]
    tanh = [k for k in executable.manifest.kernels if any("Tanh" in n for n in k.nodes)]
    assert [launched.count(kernel.symbol) for kernel in tanh] == [7]
    shown: list[int] = []
    executable.watch(feeds, lambda place, _: shown.append(place))
    again = {
        k
        for k, kernel in enumerate(executable.manifest.kernels)
        if launched.count(kernel.symbol) > 1
    }
    assert again.isdisjoint(shown)


def test_a_sum_in_float16() -> None:
    """A scan output of float16 is moved as it is."""
    halves = model(
        """(float16[n] x, int64 m) => (float16[n] y, float16[k, n] each) {
            y, each = Loop <body = body (int64 i, bool go, float16[n] v)
                    => (bool on, float16[n] u, float16[n] e) {
                u = Add(v, x)
                e = Identity(u)
                on = Identity(go)
            }> (m, true, x)
        }""",
        true=np.array(True),
    )
    check(halves, {"x": floats(5).astype("float16"), "m": np.array(18)})


def looped(nodes: str, outputs: str, results: str) -> onnx.ModelProto:
    return model(
        f"""(float[n] x, int64 m) => (float[n] y, float[k, p, q] z) {{
            {results} = Loop <body = body (int64 i, bool go, float[n] v) => ({outputs}) {{
                {nodes}
                on = Identity(go)
            }}> (m, true, x)
        }}""",
        first=np.array([0]),
        true=np.array(True),
    )


def test_elements_whose_sizes_show_inside() -> None:
    """They are the same in each iteration: a buffer takes the sizes of the first."""
    positions = looped(
        "u = Add(v, v) n = NonZero(v) e = Cast <to = 1> (n)",
        "bool on, float[n] u, float[p, q] e",
        "y, z",
    )
    x = np.array([0, 1, 2, 0, 3], "float32")
    check(positions, *({"x": x[:n], "m": np.array(m)} for n, m in [(5, 3), (3, 20), (1, 2)]))
    changing = looped(
        "u = Sub(v, x) n = NonZero(v) e = Cast <to = 1> (n)",
        "bool on, float[n] u, float[p, q] e",
        "y, z",
    )
    executable = tvmfuse.compile(changing, level="none").load()
    with pytest.raises(InputError, match="asks for a shape that it cannot have"):
        executable(x=x, m=np.array(2))


def test_a_rank_that_changes_is_refused() -> None:
    changed = looped("u = Unsqueeze(v, first)", "bool on, float[1, n] u", "y")
    del changed.graph.output[1]
    with pytest.raises(UnsupportedModelError, match="its state 0 is"):
        import_model(changed)


def test_a_gpu_runs_none() -> None:
    with pytest.raises(CompilationError, match="compiled for the CPU alone"):
        tvmfuse.compile(model(COUNTED, **CONSTANTS), target="cuda -arch=sm_80")


def test_one_loop_stands_for_all_iterations() -> None:
    imported = import_model(model(COUNTED, **CONSTANTS))
    assert ops(imported.module).count("loop") == 1
    assert [name.name_hint for name in imported.module.functions] == ["loop_body", "main"]
