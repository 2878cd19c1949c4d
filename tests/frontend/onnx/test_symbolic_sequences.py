"""SplitToSequence of an axis of symbolic size: how many elements there are shows as it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.runtime.feeds import check_feeds

pytestmark = pytest.mark.sampled(5)

NUMBERS = "<int64 p = {1}, int64 last = {-1}, int64 two = {2}>"


def model(graph: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": 18]> g {graph}')


def feeds(*shapes: tuple[int, ...]) -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    return [{"x": rng.standard_normal(shape, "float32")} for shape in shapes]


@pytest.mark.parametrize(
    ("split", "shapes"),
    [
        ("SplitToSequence(x)", [(2, 3, 1), (5, 1, 2)]),
        ("SplitToSequence<axis = 1, keepdims = 0>(x)", [(3, 2, 1), (1, 5, 4)]),
        ("SplitToSequence<axis = -1>(x, two)", [(2, 3, 4), (1, 1, 6)]),
    ],
)
@pytest.mark.parametrize("new_axis", [0, 1])
def test_its_elements(split: str, shapes: list[Any], new_axis: int, agrees: Any) -> None:
    rank = 2 if "keepdims" in split else 3
    dims = ", ".join("ABCD"[:rank])
    joined = ", ".join("EFGH"[: rank + new_axis])
    made = model(f"""(float[N, M, L] x) => (float[{dims}] y, float[{dims}] z, int64 n, float[{joined}] c)
        {NUMBERS} {{ s = {split} y = SequenceAt(s, p) z = SequenceAt(s, last) n = SequenceLength(s)
        c = ConcatFromSequence<axis = 1, new_axis = {new_axis}>(s) }}""")
    agrees(made, *feeds(*shapes))


def test_each_element_is_computed_with() -> None:
    made = model("""(float[N, M] x) => (float[A, B] y) { s = SplitToSequence(x)
        t = SequenceMap(s) <body = b (float[K, M] a) => (float[K, M] e) { e = Exp(a) }>
        y = ConcatFromSequence<axis = 0>(t) }""")
    run = tvmfuse.compile(made).load(num_threads=1)
    for fed in feeds((2, 3), (5, 1)):
        assert_agrees(run(fed), reference(made, fed))


def test_there_is_no_such_element() -> None:
    made = model(f"""(float[N, M] x) => (float[A, B] y) {NUMBERS} {{
        s = SplitToSequence(x) y = SequenceAt(s, p) }}""")
    run = tvmfuse.compile(made).load(num_threads=1)
    [one] = feeds((1, 3))
    with pytest.raises(InputError, match="the sequence has such an element"):
        run(one)


def test_parts_of_two_leave_no_rest() -> None:
    made = model(f"""(float[N, M] x) => (float[A, B] y) {NUMBERS} {{
        s = SplitToSequence(x, two) y = SequenceAt(s, p) }}""")
    [three] = feeds((3, 3))
    with pytest.raises(InputError, match="N == N//2"):
        check_feeds(import_model(made).inputs, three)


INSERTED = """(float[N, M] x, float[K] e, int64 fed) => (float[A, B] y, float[C] l, int64 n) {
    s = SplitToSequence<keepdims = 0>(x) t = SequenceInsert(s, e%s)
    y = ConcatFromSequence<axis = 0, new_axis = 1>(t) l = SequenceAt(t, last)
    n = SequenceLength(t) }"""


def inserting(place: str) -> onnx.ModelProto:
    graph = INSERTED.replace("{", NUMBERS + " {", 1) % (place and f", {place}")
    return model(graph if place == "fed" else graph.replace(", int64 fed", ""))


def inserted(rows: int, columns: int, fed: int) -> dict[str, np.ndarray]:
    [made] = feeds((rows, columns))
    made["x"].flat[:3] = [np.nan, np.inf, -np.inf][: made["x"].size]
    return {**made, "e": np.arange(columns, dtype="float32"), "fed": np.array(fed)}


@pytest.mark.parametrize(
    ("place", "sizes"),
    [
        ("", [(0, 2), (1, 1), (5, 3), (4, 0)]),
        ("p", [(1, 1), (5, 3)]),
        ("last", [(1, 1), (5, 3)]),
        ("fed", [(4, 2)]),
    ],
)
def test_an_element_is_inserted(place: str, sizes: Any) -> None:
    made = inserting(place)
    for level in ("none", "all"):
        run = tvmfuse.compile(made, level=level).load(num_threads=1)
        for rows, columns in sizes:
            for number in range(-rows, rows + 1) if place == "fed" else [0]:
                fed = inserted(rows, columns, number)
                given = {name: fed[name] for name in ("x", "e", "fed")[: 2 + (place == "fed")]}
                assert_agrees(run(given), reference(made, given))


def test_a_loop_s_elements_get_another_one() -> None:
    """It is put before what the loop has appended, and after it."""
    made = model("""(float[N, M] x, float[N, M] e, int64 m) => (float[A, B] y) <int64 zero = {0}> {
        none = SequenceEmpty() s = Loop(m, , none) <body = b
            (int64 i, bool go, seq(float[N, M]) v) => (bool on, seq(float[N, M]) u) {
            on = Identity(go) f = CastLike(i, x) a = Add(x, f) u = SequenceInsert(v, a) }>
        t = SequenceInsert(s, e, zero) u = SequenceInsert(t, e)
        y = ConcatFromSequence<axis = 1>(u) }""")
    run = tvmfuse.compile(made).load(num_threads=1)
    for count in (0, 1, 3):
        [first, second] = feeds((2, 3), (2, 3))
        fed = {**first, "e": second["x"], "m": np.array(count)}
        assert_agrees(run(fed), reference(made, fed))


@pytest.mark.parametrize("place", [-3, 3])
def test_there_is_no_such_place(place: int) -> None:
    run = tvmfuse.compile(inserting("fed")).load(num_threads=1)
    with pytest.raises(InputError, match="the sequence has such a place"):
        run(inserted(2, 3, place))


def test_what_is_inserted_has_the_others_size() -> None:
    fed = {**inserted(2, 3, 0), "e": np.ones(4, "float32")}
    with pytest.raises(InputError, match="K == M, of 'SequenceInsert_1'; here that is 4 == 3"):
        check_feeds(import_model(inserting("fed")).inputs, fed)


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("t = SequenceErase(s, p) y = SequenceAt(t, p)", "how long its sequence is shows as"),
        (
            "t = SequenceInsert(s, x) y = SequenceAt(t, p)",
            r"has to have the shape of its elements, \[1, M\], and has \[N, M\]",
        ),
        ("t = SequenceInsert(s, one) y = SequenceAt(t, p)", r"elements, \[1, M\], and has \[2\]"),
        ("y = Identity(s)", "a sequence of as many tensors as a run makes"),
    ],
)
def test_what_is_refused(after: str, reason: str) -> None:
    kind = "seq(float[A, B])" if "Identity" in after else "float[A, B]"
    numbers = NUMBERS.replace(">", ", float[2] one = {1, 1}>")
    made = model(f"(float[N, M] x) => ({kind} y) {numbers} {{ s = SplitToSequence(x) {after} }}")
    with pytest.raises(UnsupportedModelError, match=reason):
        import_model(made)
