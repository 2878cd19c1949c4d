"""Counts and axes that are legal and rare: none, twice the same, the last, all, out of range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper, parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, MalformedModelError, ModelError

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 4), dtype="float32")


def model(graph: str, **constants: object) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 18]> g {graph}')
    arrays = {name: np.array(value) for name, value in constants.items()}
    made.graph.initializer.extend(numpy_helper.from_array(a, n) for n, a in arrays.items())
    return made


def agrees(made: onnx.ModelProto, feeds: Mapping[str, np.ndarray]) -> None:
    assert_agrees(tvmfuse.compile(made).load()(feeds), reference(made, feeds))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("sizes", ["3, 4", "N, M"])
def test_the_best_of_none(axis: int, sizes: str) -> None:
    graph = f"""(float[{sizes}] x) => (float[] y, int64[] i) {{
        y, i = TopK<axis = {axis}>(x, k) }}"""
    agrees(model(graph, k=[0]), {"x": X})


@pytest.mark.parametrize("axes", [[0, 0], [0, -3], [2, 2, 0]], ids=str)
def test_axes_that_are_named_twice(axes: list[int]) -> None:
    graph = """(float[1, N, 1] x) => (float[] y, float[] s, float[] m) {
        y = Squeeze(x, a) s = ReduceSum(x, a) m = ReduceMax(x, a) }"""
    agrees(model(graph, a=axes), {"x": X[:1].reshape(1, 4, 1)})


def test_an_index_beyond_any_axis_is_refused() -> None:
    graph = "(float[N, 4] x) => (float[] y) { y = Gather(x, i) }"
    with pytest.raises(ModelError, match="index 9223372036854775807 is out of range for any axis"):
        tvmfuse.compile(model(graph, i=[0, 2**63 - 1]))


def test_the_last_element_of_a_sequence_is_erased_where_none_is_named() -> None:
    graph = """(float[N, 4] x) => (float[] y) {
        n = Neg(x) s = SequenceConstruct(x, n, x) t = SequenceErase(s)
        y = ConcatFromSequence<axis = 0>(t) }"""
    agrees(model(graph), {"x": X})


def test_an_attribute_that_refers_to_one_of_no_function() -> None:
    made = model("(float[N, 4] x) => (float[] y) { y = Softmax<axis = 1>(x) }")
    made.graph.node[0].attribute[0].ref_attr_name = "other"
    with pytest.raises(MalformedModelError, match="'axis' refers to the attribute 'other'"):
        tvmfuse.compile(made)


@pytest.mark.parametrize("op", ["Tile", "Expand", "ConstantOfShape"])
def test_sizes_below_none_are_refused_as_it_runs(op: str) -> None:
    graph = f"(int64[2] s) => (float[] y) {{ y = {op}(x, s) }}"
    if op == "ConstantOfShape":
        graph = "(int64[2] s) => (float[] y) { y = ConstantOfShape(s) }"
    made = model(graph, x=X)
    run = tvmfuse.compile(made).load()
    with pytest.raises(InputError, match="asks for a shape that it cannot have"):
        run(s=np.array([-1, 4]))


def test_an_expand_to_a_size_that_a_fixed_one_is_not() -> None:
    made = model("(float[3, 4] x, int64[2] s) => (float[] y) { y = Expand(x, s) }")
    run = tvmfuse.compile(made).load()
    for sizes in ([1, 4], [3, 1]):
        feeds = {"x": X, "s": np.array(sizes)}
        assert_agrees(run(feeds), reference(made, feeds))
    with pytest.raises(InputError, match="one size is 1 or both are equal"):
        run(x=X, s=np.array([2, 4]))


ALL = [70, 2**31 - 1, 2**31, 2**61 + 1, 2**63 - 1]


@pytest.mark.parametrize("most", ALL, ids=str)
@pytest.mark.sampled(3)
def test_a_suppression_that_keeps_all(most: int) -> None:
    """Memory is taken for the boxes that there are, not for those that there may be."""
    nodes = [helper.make_node("NonMaxSuppression", ["b", "s", "k", "o"], ["y"])]
    inputs: dict[str, Any] = {"b": (1, "n", 4), "s": (1, 1, "n")}
    values = [helper.make_tensor_value_info(n, 1, shape) for n, shape in inputs.items()]
    constants = {"k": np.array([most]), "o": np.array([0.5], "float32")}
    arrays = [numpy_helper.from_array(a, n) for n, a in constants.items()]
    result = [helper.make_tensor_value_info("y", 7, None)]
    made = helper.make_model(
        helper.make_graph(nodes, "g", values, result, arrays),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    boxes = RNG.random((1, 6, 4)).astype("float32")
    agrees(made, {"b": boxes, "s": RNG.random((1, 1, 6)).astype("float32")})
