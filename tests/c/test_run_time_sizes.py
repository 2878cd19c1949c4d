"""Models with control flow, and with sizes that their data decide, run from C."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import parser
from onnx.reference import ReferenceEvaluator

import tvmfuse

LINES = """
model = Model(given[0])
for place in (0, 1, 2, 0, 2, 1):  # memory of an earlier run is too little, and too much
    kept = np.load(f"{given[1]}/{place}.npz")
    arrays = [kept[f"arr_{n}"] for n in range(len(kept.files))]
    feeds, results = arrays[: len(model.inputs)], arrays[len(model.inputs) :]
    for found, wanted in zip(model.run(feeds), results, strict=True):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (found, wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
"""

NON_ZERO = "(float[n, m] x) => (int64[2, k] y) { y = NonZero(x) }"
UNIQUE = (
    "(int64[n] x) => (int64[u] y, int64[u] i, int64[n] r, int64[u] c) { y, i, r, c = Unique(x) }"
)
TOP_K = "(int64[n] x, int64[1] k) => (int64[m] y, int64[m] i) { y, i = TopK(x, k) }"
COMPRESS = """(float[n] x, bool[n] keep) => (float[k] z, float[k, 2] w) {
    kept = Compress(x, keep)
    one = Constant <value = int64[1] {1}> ()
    wide = Unsqueeze(kept, one)
    w = Concat <axis = 1> (wide, wide)
    z = Neg(kept)
}"""
BRANCHES = """(float[n] x, bool c) => (float[m] z, float[m] y) {
    y = If(c) <
        then_branch = a () => (float[p] p) { p = Neg(x) },
        else_branch = b () => (float[q] q) { q = Concat <axis = 0> (x, x) }
    >
    z = Abs(y)
}"""
#: One branch passes on what is there already, an input and a weight.
PASSED_ON = """(float[3] x, bool c) => (float[3] y, float[3] w) <float[3] v = {4, 5, 6}> {
    y, w = If(c) <
        then_branch = a () => (float[3] p, float[3] q) { p = Identity(x) q = Identity(v) },
        else_branch = b () => (float[3] r, float[3] s) { r = Neg(x) s = Add(v, x) }
    >
}"""
GROWS = """(int64 m, float[n] x) => (float[k] y) <bool go = {1}> {
    y = Loop(m, go, x) <body = b (int64 i, bool c, float[u] v) => (bool d, float[w] t) {
        d = Identity(c)
        t = Concat <axis = 0> (v, v)
    }>
}"""
#: The states of an iteration are each other's: neither may be written before both are read.
FIBONACCI = """(int64 m, float[k] x) => (float[k] a, float[p] b, float[s, k] seen) <bool go = {1}> {
    a, b, seen = Loop(m, go, x, x) <
        body = body (int64 i, bool c, float[k] v, float[q] w) => (bool d, float[q] v2, float[r] w2, float[k] row) {
            d = Identity(c)
            v2 = Identity(w)
            w2 = Add(v, w)
            row = Identity(v)
        }
    >
}"""
#: A branch in a loop in a loop; the inner one ends when its numbers are large.
NESTED = """(int64 m, float[n] x) => (float[k] y) <bool go = {1}, float ten = {10.0}> {
    y = Loop(m, go, x) <body = outer (int64 i, bool c, float[u] v) => (bool d, float[w] t) {
        d = Identity(c)
        forever = Constant <value = int64 {9223372036854775807}> ()
        s = Loop(forever, c, v) <body = inner (int64 j, bool e, float[u2] g) => (bool f, float[u2] h) {
            h = Add(g, g)
            largest = ReduceMax <keepdims = 0> (h)
            f = Less(largest, ten)
        }>
        parity = Cast <to = 9> (i)
        t = If(parity) <
            then_branch = a () => (float[p] p) { p = Concat <axis = 0> (s, v) },
            else_branch = b () => (float[q] q) { q = Identity(s) }
        >
    }>
}"""


def floats(*sizes: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(sizes).astype("float32")


def integers(*sizes: int) -> np.ndarray:
    return np.random.default_rng(0).integers(-5, 5, sizes)


def count(number: int) -> np.ndarray:
    return np.array(number)


YES, NO = np.array(True), np.array(False)
CASES: dict[str, tuple[str, list[list[np.ndarray]]]] = {
    "places": (NON_ZERO, [[np.eye(n, dtype="float32")] for n in (3, 0, 90)]),
    "numbers": (UNIQUE, [[integers(n)] for n in (7, 1, 500)]),
    "largest": (TOP_K, [[integers(7), count(k).reshape(1)] for k in (3, 0, 7)]),
    "kept": (COMPRESS, [[floats(n), floats(n) > 0] for n in (5, 1, 300)]),
    "branches": (BRANCHES, [[floats(4), YES], [floats(50), NO], [floats(0), NO]]),
    "passed on": (PASSED_ON, [[floats(3), YES], [floats(3), NO], [floats(3), YES]]),
    "grows": (GROWS, [[count(m), floats(n)] for m, n in ((0, 3), (5, 2), (9, 7))]),
    "exchanges": (FIBONACCI, [[count(m), floats(3)] for m in (4, 1, 11)]),
    "nested": (NESTED, [[count(m), np.abs(floats(n)) + 1] for m, n in ((3, 2), (0, 5), (4, 9))]),
}


def compiled(text: str, folder: Path) -> tuple[Any, Path]:
    """Return a model, and the file that it is compiled to."""
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')
    tvmfuse.compile(model).save(folder / "model.so")
    return model, folder / "model.so"


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_the_reference(
    in_watched_c: Callable[..., str], tmp_path: Path, name: str
) -> None:
    text, runs = CASES[name]
    model, file = compiled(text, tmp_path)
    names = [given.name for given in model.graph.input]
    for place, feeds in enumerate(runs):
        results: Any = ReferenceEvaluator(model).run(None, dict(zip(names, feeds, strict=True)))
        np.savez(tmp_path / f"{place}.npz", *feeds, *map(np.asarray, results))
    in_watched_c(LINES, file, tmp_path)


def test_what_a_run_finds_wrong_is_said(in_watched_c: Callable[..., str], tmp_path: Path) -> None:
    _, file = compiled(TOP_K, tmp_path)
    said = in_watched_c(
        """
        model = Model(given[0])
        for k in (8, -1):
            outputs = (Tensor * 2)()
            status = model.status(tensors([np.arange(7), np.array([k])]), outputs)
            print(status == INVALID, error())
            assert [output.data for output in outputs] == [None, None]
        assert [*map(len, model.run([np.arange(7), np.array([2])]))] == [2, 2]
        """,
        file,
    )
    asked = "True what the model computes of these inputs asks for a shape that it cannot have: "
    first, second = said.splitlines()
    assert first == f"{asked}for 'TopK_0' it has to hold that it takes no more than there are"
    assert second == f"{asked}one size is -1, and has to be 0 (TopK_0_0)"


def test_an_index_that_a_run_computes_is_checked(in_c: Callable[..., str], tmp_path: Path) -> None:
    text = """(float[3] x, int64[n] i) => (float[n] y) {
        twice = Add(i, i)
        y = GatherElements(x, twice)
    }"""
    _, file = compiled(text, tmp_path)
    said = in_c(
        """
        model = Model(given[0])
        x = np.arange(3, dtype="f4")
        assert model.run([x, np.array([0, 1, -1])])[0].tolist() == [0, 2, 1]
        assert model.status(tensors([x, np.array([0, 2])]), (Tensor * 1)()) == INVALID
        print(error())
        """,
        file,
    )
    assert (
        said
        == "expected numbers from -3 to 2, indices of 3 elements, of 'GatherElements_1'; found 4\n"
    )


def test_results_of_such_sizes_go_where_the_caller_says(
    in_watched_c: Callable[..., str], tmp_path: Path
) -> None:
    _, file = compiled(NON_ZERO, tmp_path)
    said = in_watched_c(
        """
        model = Model(given[0])
        inputs = tensors([np.eye(3, dtype="f4")])
        place = np.full((2, 3), -1)
        check(model.status(inputs, tensors([place])))
        assert place.tolist() == [[0, 1, 2]] * 2
        assert model.status(inputs, tensors([np.zeros((2, 4), "i8")])) == INVALID
        print(error())
        bound = ctypes.c_void_p()
        outputs = (Tensor * 1)()
        status = c.tvmfuse_bind(model.handle, inputs, 1, outputs, 1, ctypes.byref(bound))
        assert status == INVALID and bound.value is None
        print(error())
        """,
        file,
    )
    assert said.splitlines() == [
        "output y: dimension 1 is 4, and the result's is 3",
        "output y: its sizes are known only after a run: use tvmfuse_run",
    ]


def test_threads_have_memory_of_their_own(in_c: Callable[..., str], tmp_path: Path) -> None:
    _, file = compiled(GROWS, tmp_path)
    in_c(
        """
        import threading
        model, wrong = Model(given[0]), []
        def work(number):
            for m in range(9):
                (found,) = model.run([np.array(m), np.full(number, number, "f4")])
                if found.tolist() != [number] * (number << m):
                    wrong.append((number, m))
        threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not wrong
        """,
        file,
    )
