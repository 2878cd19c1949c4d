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


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("t = SequenceErase(s, p) y = SequenceAt(t, p)", "how long its sequence is shows as"),
        ("t = SequenceInsert(s, x) y = SequenceAt(t, p)", "how long its sequence is shows as"),
        ("y = Identity(s)", "a sequence of as many tensors as a run makes"),
    ],
)
def test_what_is_refused(after: str, reason: str) -> None:
    kind = "seq(float[A, B])" if "Identity" in after else "float[A, B]"
    made = model(f"(float[N, M] x) => ({kind} y) {NUMBERS} {{ s = SplitToSequence(x) {after} }}")
    with pytest.raises(UnsupportedModelError, match=reason):
        import_model(made)
