"""runtime.compiled_main: a loaded file's results are onnxruntime's."""

import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import onnxruntime
import pytest
from onnx import parser

import tvmfuse
from tvmfuse.errors import InputError, OutOfMemoryError, SizesError

RNG = np.random.default_rng(0)


Reference: TypeAlias = Callable[..., Mapping[str, np.ndarray]]


def compiled(text: str, folder: Path) -> tuple[Any, Reference]:
    """Return a model that is loaded from its file, and what computes it by onnxruntime."""
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')
    tvmfuse.compile(model).save(folder / "m.so")
    session = onnxruntime.InferenceSession(model.SerializeToString())
    ours = tvmfuse.load(folder / "m.so")
    dtypes = {spec.name: spec.dtype for spec in (*ours.inputs, *ours.overridable)}

    def reference(
        feeds: Mapping[str, Any] = MappingProxyType({}), **named: Any
    ) -> Mapping[str, np.ndarray]:
        given = {n: np.asarray(value, dtypes[n]) for n, value in {**feeds, **named}.items()}
        names = [value.name for value in session.get_outputs()]
        return dict(zip(names, session.run(names, given), strict=True))

    return ours, reference


def assert_same(found: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]) -> None:
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        np.testing.assert_allclose(found[name], array, rtol=1e-5, atol=1e-6)


CASES: Mapping[str, tuple[str, list[dict[str, Any]]]] = {
    "no inputs": ("() => (float[3] y) <float[3] w = {1, 2, 3}> { y = Exp(w) }", [{}, {}]),
    "no dimensions": (
        "(float x) => (float y) { y = Neg(x) }",
        [{"x": 2.5}, {"x": np.float32(-0.0)}],
    ),
    "no elements": (
        (
            "(float[n, 4] x) => (float[n, 4] y, float[4] s) <int64[1] a = {0}> "
            "{ y = Exp(x) s = ReduceSum <keepdims = 0> (x, a) }"
        ),
        [{"x": np.ones((n, 4), "float32")} for n in (3, 0, 3)],
    ),
    "an input as it is": (
        "(float[n] x) => (float[n] y, float[n] z) { y = Identity(x) z = Relu(x) }",
        [{"x": RNG.standard_normal(n).astype("float32")} for n in (1, 70_000)],
    ),
    "a default": (
        "(float[2] x, float[2] k) => (float[2] y) <float[2] k = {3, 4}> { y = Mul(x, k) }",
        [{"x": [1.0, 2.0]}, {"x": [1.0, 2.0], "k": [5.0, 6.0]}, {"x": [1.0, 2.0]}],
    ),
    "bools and halves": (
        (
            "(float16[n] x) => (bool[n] b, float16[n] y) <float16 z = {0}> "
            "{ b = Greater(x, z) y = Add(x, x) }"
        ),
        [{"x": np.array([1, -2, np.nan, np.inf], "float16")}],
    ),
}


BODY = "body (int64 i, bool ci, float[S] s, float[T] t) => (bool co, float[S2] s2, float[T2] t2)"
LOOPS: Mapping[str, str] = {
    # What is passed on is copied, and no copy is written over before all are made.
    "both are another's": "m = Neg(t) t2 = Identity(s) s2 = Identity(t)",
    "one twice": "s2 = Tanh(t) t2 = Identity(s2)",
    "two of one's own and one's other": "m = Concat <axis = 0> (s, t) s2 = Identity(m) t2 = Identity(m)",
    # The body's sizes have the names of those outside.
    "sizes of one name": "z = Sub(s, s) m = Greater(s, z) s2 = Identity(s) t2 = Compress <axis = 0> (s, m)",
    "copies beside new ones": "a = Neg(s) b = Concat <axis = 0> (a, t) s2 = Identity(t) t2 = Identity(b)",
}


@pytest.mark.parametrize("name", LOOPS)
def test_what_iterations_pass_on(tmp_path: Path, name: str) -> None:
    text = f"""(float[A] x, float[B] y, int64 n) => (float[P] p, float[Q] q) <bool go = {{1}}> {{
        o, q = Loop(n, go, x, y) <body = {BODY} {{ co = Identity(ci) {LOOPS[name]} }}>
        p = Tanh(o)
    }}"""
    ours, theirs = compiled(text, tmp_path)
    for a, b, n in ((3, 5, 2), (0, 2, 3), (4, 4, 0), (1, 0, 1), (6, 3, 4)):
        feeds = {"x": RNG.standard_normal(a), "y": RNG.standard_normal(b)}
        feeds = {key: array.astype("float32") for key, array in feeds.items()}
        assert_same(ours(feeds, n=np.array(n)), theirs(feeds, n=np.array(n)))


def test_a_branch_that_is_not_taken_asks_for_no_sizes(tmp_path: Path) -> None:
    """Of fewer than 2 elements there are less than none behind the first."""
    text = """(float[n] x) => (float[m] y, float[k] z) <int64 two = {2}, int64[1] one = {1}> {
        size = Size(x)
        enough = Greater(size, two)
        y, z = If(enough) <
            then_branch = a () => (float[p] p, float[q] q) {
                ends = Shape(x) p = Slice(x, one, ends) q = Slice(p, one, ends)
            },
            else_branch = b () => (float[r] r, float[s] s) { r = Identity(x) s = Neg(x) }
        >
    }"""
    ours, theirs = compiled(text, tmp_path)
    for size in (5, 0, 1, 3, 70):
        x = RNG.standard_normal(size).astype("float32")
        assert_same(ours(x=x), theirs(x=x))


@pytest.mark.parametrize("name", CASES)
def test_results(tmp_path: Path, name: str) -> None:
    text, runs = CASES[name]
    ours, theirs = compiled(text, tmp_path)
    for feeds in runs:
        assert_same(ours(feeds), theirs(feeds))


def test_what_lies_anyhow_is_read_as_it_is(tmp_path: Path) -> None:
    ours, _ = compiled("(float[n, m] x) => (float[m, n] y) { y = Transpose(x) }", tmp_path)
    x = RNG.standard_normal((6, 8)).astype("float32")
    apart = np.zeros((6, 9), "float32")[:, 1:]
    apart[...] = x
    fixed = x.copy()
    fixed.flags.writeable = False
    for array in (x, np.asfortranarray(x), x[::-1], apart, fixed):
        np.testing.assert_array_equal(ours(x=array)["y"], array.T)


def test_results_are_the_callers(tmp_path: Path) -> None:
    ours, _ = compiled("(float[n] x) => (float[n] y) { y = Identity(x) }", tmp_path)
    x = np.ones(5, "float32")
    first = ours(x=x)["y"]
    first[:] = 7
    assert ours(x=x)["y"].tolist() == x.tolist() == [1] * 5
    one, two = ours.run(["y", "y"], {"x": x})
    one[:] = 8
    assert two.tolist() == [1] * 5


def test_what_a_run_finds_wrong_is_said_and_harms_no_other(tmp_path: Path) -> None:
    text = "(float[n] x, int64[1] k) => (float[m] y, int64[m] i) { y, i = TopK(x, k) }"
    ours, _ = compiled(text, tmp_path)
    x = np.arange(7, dtype="float32")
    for _ in range(3):
        with pytest.raises(SizesError, match="for 'TopK_0' it has to hold that it takes no more"):
            ours(x=x, k=np.array([8]))
        assert ours(x=x, k=np.array([2]))["i"].tolist() == [6, 5]


def test_too_much_memory_is_an_error_and_harms_no_other(tmp_path: Path) -> None:
    text = """(int64[1] n, float[2] x) => (float[a, 2] y) <int64[1] two = {2}> {
        shape = Concat <axis = 0> (n, two)
        y = Expand(x, shape)
    }"""
    ours, _ = compiled(text, tmp_path)
    x = np.ones(2, "float32")
    with pytest.raises((OutOfMemoryError, SizesError)):
        ours(n=np.array([1 << 44]), x=x)
    with pytest.raises(InputError):
        ours(n=np.array([1 << 60]), x=x)
    assert ours(n=np.array([3]), x=x)["y"].shape == (3, 2)


def test_a_copy_that_no_memory_is_for_is_an_error(tmp_path: Path) -> None:
    ours, _ = compiled("(float[n, m] x) => (float[n, m] y) { y = Abs(x) }", tmp_path)
    x = np.broadcast_to(np.float32(1), (1 << 40, 4))
    for way in (ours, ours.bound, ours.timed):
        with pytest.raises(OutOfMemoryError, match="g ran out of memory"):
            way({"x": x})


def test_threads_share_a_model(tmp_path: Path) -> None:
    text = "(float[n, m] x) => (int64[2, k] y) { y = NonZero(x) }"
    ours, wrong = compiled(text, tmp_path)[0], list[int]()

    def work(size: int) -> None:
        for _ in range(50):
            found = ours(x=np.eye(size, dtype="float32"))["y"]
            if found.tolist() != [[*range(size)]] * 2:
                wrong.append(size)

    threads = [threading.Thread(target=work, args=(size,)) for size in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


EXIT = """
import sys, threading, time
import numpy as np
import tvmfuse
first, second = tvmfuse.load(sys.argv[1]), tvmfuse.load(sys.argv[1])
x, runs = np.eye(100, dtype="float32"), []

def work():
    while True:
        runs.append(second(x=x)["y"].shape)

threading.Thread(target=work, daemon=True).start()
while not runs:
    time.sleep(0.001)
del first
"""


def test_a_process_may_end_while_a_thread_runs_a_model(tmp_path: Path) -> None:
    compiled("(float[n, m] x) => (int64[2, k] y) { y = NonZero(x) }", tmp_path)
    for _ in range(3):
        command = [sys.executable, "-c", EXIT, str(tmp_path / "m.so")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
