"""Reshape to sizes of 0, which copy a size or are one, and what a division by them gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser
from reference import assert_agrees, reference
from tvm import relax

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.ir.reshape import in_shape


def model(graph: str, **constants: object) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {graph}')
    arrays = {name: np.array(value) for name, value in constants.items()}
    made.graph.initializer.extend(numpy_helper.from_array(a, n) for n, a in arrays.items())
    return made


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, "float32")


def check(
    made: onnx.ModelProto,
    right: Sequence[Mapping[str, np.ndarray]],
    wrong: Sequence[Mapping[str, np.ndarray]],
    words: str = "sizes|shape",
) -> None:
    run = tvmfuse.compile(made).load()
    for feeds in right:
        assert_agrees(run(feeds), reference(made, feeds))
    for feeds in wrong:
        with pytest.raises(InputError, match=words):
            run(feeds)


@pytest.mark.parametrize("shape", [[0, 4], [0, 0], [3, 0], [0], [0, 5, 7], [1, 0, 4]], ids=str)
def test_a_zero_that_is_a_size(shape: list[int]) -> None:
    graph = "(float[N, M] x) => (float[] y) { y = Reshape<allowzero = 1>(x, s) }"
    empty = [{"x": zeros(*sizes)} for sizes in ((0, 4), (3, 0), (0, 0))]
    check(model(graph, s=shape), empty, [{"x": zeros(3, 4)}])


def test_two_in_a_row() -> None:
    graph = """(float[N, 4] x) => (float[] y) {
        a = Reshape<allowzero = 1>(x, s) b = Relu(a) y = Reshape<allowzero = 1>(b, t) }"""
    check(model(graph, s=[3, 0], t=[0, 7]), [{"x": zeros(0, 4)}], [{"x": zeros(3, 4)}])


def test_sizes_of_another_tensor() -> None:
    graph = """(float[N, 4] x, float[M, K] w) => (float[] y) {
        s = Shape(w) r = Relu(x) y = Reshape<allowzero = 1>(r, s) }"""
    right = [{"x": zeros(0, 4), "w": zeros(0, 5)}, {"x": zeros(3, 4), "w": zeros(2, 6)}]
    check(model(graph), right, [{"x": zeros(3, 4), "w": zeros(2, 0)}])


@pytest.mark.parametrize("flag", [0, 1])
def test_a_shape_that_is_fed(flag: int) -> None:
    graph = f"""(float[N, 4] x, int64[2] s) => (float[] y) {{
        y = Reshape<allowzero = {flag}>(x, s) }}"""
    right = [(zeros(3, 4), [2, 6]), (zeros(3, 4), [-1, 2]), (zeros(0, 4), [0, 9 * flag])]
    wrong = [(zeros(3, 4), [5, -1]), (zeros(0, 4), [-1, -1]), (zeros(0, 4), [0, -1])]
    good, bad = ([{"x": x, "s": np.array(s)} for x, s in some] for some in (right, wrong))
    check(model(graph), good, bad)


def test_a_shape_that_is_fed_and_too_short() -> None:
    graph = "(float[N, 4] x, int64[1] s) => (float[] y) { y = Reshape(x, s) }"
    feeds = [{"x": zeros(3, 4), "s": np.array([n])} for n in (12, 0)]
    check(model(graph), feeds[:1], feeds[1:])


@pytest.mark.parametrize("flag", [0, 1])
def test_the_rest_beside_a_size_that_only_the_run_shows_to_be_none(flag: int) -> None:
    """onnxruntime copies the size of what has none, and with allowzero refuses it."""
    graph = f"""(float[N, 4] x, bool[N, 4] c) => (float[] y) {{
        i = NonZero(c) t = Transpose(i) s = Shape(t) m = Slice(s, z, o)
        u = Concat<axis = 0>(m, n) y = Reshape<allowzero = {flag}>(x, u) }}"""
    some, none = (np.arange(12).reshape(3, 4) < n for n in (6, 0))
    feeds = [{"x": zeros(3, 4), "c": c} for c in (some, none)]
    count = 1 if flag else 2
    check(model(graph, z=[0], o=[1], n=[-1]), feeds[:count], feeds[count:])


def test_a_shape_is_the_one_that_is_written() -> None:
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((2, 0), "float32"))
    made = builder.normalize(in_shape(x, [0, 3]))
    assert [int(size) for size in made.ty.shape] == [0, 3]
