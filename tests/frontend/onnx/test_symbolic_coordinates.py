"""GatherND and ScatterND of which no shape says how many dimensions each index points into."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError

RNG = np.random.default_rng(0)


def model(graph: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": 18]> g {graph}')


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, "float32")


def places(count: int, *sizes: int) -> np.ndarray:
    return np.stack([RNG.integers(-size, size, count) for size in sizes], -1)


def agrees(made: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> None:
    assert_agrees(tvmfuse.compile(made).load(num_threads=1)(feeds), reference(made, feeds))


@pytest.mark.parametrize("reduction", ["none", "add"])
def test_what_is_scattered_says_it(reduction: str) -> None:
    made = model(f"""(float[A, B, C] x, int64[N, K] i, float[M, D] u) => (float[P, Q, R] y) {{
        y = ScatterND<reduction = "{reduction}">(x, i, u) }}""")
    run = tvmfuse.compile(made).load(num_threads=1)
    for count, sizes in ((2, (3, 4, 5)), (0, (1, 1, 1)), (1, (2, 1, 3))):
        index = places(count, *sizes[:2])
        feeds = {"x": drawn(*sizes), "i": index, "u": drawn(count, sizes[2])}
        assert_agrees(run(feeds), reference(made, feeds))
    with pytest.raises(InputError, match="K == 2"):
        run(x=drawn(3, 4, 5), i=np.zeros((2, 1), "int64"), u=drawn(2, 5))


def test_what_is_scattered_is_of_no_such_rank() -> None:
    made = model("""(float[A, B] x, int64[N, K] i, float[N, D, E] u) => (float[A, B] y) {
        y = ScatterND(x, i, u) }""")
    with pytest.raises(UnsupportedModelError, match="it indexes 0 dimensions of 2"):
        tvmfuse.compile(made)


@pytest.mark.parametrize(
    ("rank", "wanted", "batch"), [(2, "N, C", 0), (1, "N", 0), (2, "A, C", 1), (1, "A", 1)], ids=str
)
def test_the_rank_of_what_is_gathered_says_it(rank: int, wanted: str, batch: int) -> None:
    first = "A" if batch else "N"
    made = model(f"""(float[A, B, C] x, int64[{first}, K] i) => (float[{wanted}] y) {{
        y = GatherND<batch_dims = {batch}>(x, i) }}""")
    run = tvmfuse.compile(made).load(num_threads=1)
    for sizes in ((3, 4, 5), (1, 2, 2)):
        each = sizes[batch : len(sizes) - rank + 1]
        feeds = {"x": drawn(*sizes), "i": places(sizes[0], *each)}
        assert_agrees(run(feeds), reference(made, feeds))
        more = np.zeros((sizes[0], len(each) + 1), "int64")
        with pytest.raises(InputError, match=f"K == {len(each)}"):
            run(x=feeds["x"], i=more)


def test_the_rank_is_stated_of_a_value_inside() -> None:
    made = model("""(float[A, B] x, int64[N, K] i) => (float[M] y) <float[N] g> {
        g = GatherND(x, i) y = Neg(g) }""")
    agrees(made, {"x": drawn(3, 4), "i": places(6, 3, 4)})


def test_the_rank_is_stated_inside_of_a_branch() -> None:
    branch = """else_branch = g2 () => (float[N] z) { z = GatherND(x, i) }"""
    made = model(f"""(float[A, B] x, int64[N, K] i, bool c, float[N] w) => (float[N] y) {{
        y = If(c) <then_branch = g1 () => (float[N] v) {{ v = Identity(w) }}, {branch}> }}""")
    for chosen in (False, True):
        feeds: dict[str, Any] = {"x": drawn(3, 4), "i": places(6, 3, 4), "w": drawn(6)}
        agrees(made, {**feeds, "c": np.array(chosen)})


def test_where_there_is_one_dimension_it_is_that_one() -> None:
    made = model("""(float[A, B] x, int64[A, K] i) => (float[M] y) {
        g = GatherND<batch_dims = 1>(x, i) y = Neg(g) }""")
    agrees(made, {"x": drawn(3, 4), "i": places(3, 4)})


def test_as_many_as_a_tensor_has_axes() -> None:
    """NonZero's indices, turned: what a boolean mask picks."""
    made = model("""(float[A, B] x, bool[A, B] m) => (float[N] y) {
        n = NonZero(m) i = Transpose<perm = [1, 0]>(n) y = GatherND(x, i) }""")
    agrees(made, {"x": drawn(3, 4), "m": drawn(3, 4) > 0})


def test_a_shape_that_only_a_run_knows_is_checked_by_it() -> None:
    made = model("""(float[A, B] x, int64[N] j, int64[2] s) => (float[M] y) {
        i = Reshape(j, s) y = GatherND(x, i) }""")
    run = tvmfuse.compile(made).load(num_threads=1)
    feeds = {"x": drawn(3, 4), "j": places(4, 3, 4).reshape(-1), "s": np.array([4, 2])}
    assert_agrees(run(feeds), reference(made, feeds))
    with pytest.raises(InputError, match="has to be 2"):
        run({**feeds, "s": np.array([8, 1])})


def test_nothing_says_it() -> None:
    made = model("""(float[A, B] x, int64[N, K] i) => (float[M] y) {
        g = GatherND(x, i) y = Neg(g) }""")
    with pytest.raises(
        UnsupportedModelError, match="indexes is not fixed: K, and the model states"
    ):
        tvmfuse.compile(made)
