"""ExpandElimination: the readers of a broadcast to the same shape read its operand."""

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, tensor
from onnx import helper
from tvm import tirx
from tvm.relax.op import broadcast_to, exp

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.basic.expand_elimination import ExpandElimination
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = ExpandElimination()
X = tensor(3, 1)


@pytest.mark.parametrize("shape", [(3, 1), (), (1,), (0, 2)])
def test_the_same_shape(shape: tuple[int, ...]) -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: exp(broadcast_to(x, shape)), tensor(*shape)),
        graph(lambda x, _: exp(x), tensor(*shape)),
    )


def test_before_a_graph_output() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: broadcast_to(exp(x), (3, 1)), X),
        graph(lambda x, _: exp(x), X),
    )


def test_symbolic_shapes() -> None:
    n = tirx.Var("n", "int64")
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: exp(broadcast_to(x, (n * 2, 3))), tensor(n + n, 3))),
        graph(lambda x, _: exp(x), tensor(n + n, 3)),
    )


@pytest.mark.parametrize("shape", [(3, 4), (1, 3, 1)])
def test_declines_another_shape(shape: tuple[int, ...]) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: exp(broadcast_to(x, shape)), X),
        because="the shape stays the same",
    )


def test_declines_where_a_symbolic_dimension_may_grow() -> None:
    n = tirx.Var("n", "int64")
    assert_declines(
        RULE,
        graph(lambda x, y, _: [broadcast_to(x, (n,)), exp(y)], tensor(1), tensor(n)),
        because="the shape stays the same",
    )


def test_declines_between_a_graph_input_and_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: broadcast_to(x, (3, 1)), X),
        because="no graph output becomes a graph input or another output",
    )


def test_ignores_other_operators() -> None:
    assert_ignores(RULE, graph(lambda x, _: exp(x), X))


@pytest.mark.parametrize("shape", [[3, 5], [1, 5], [5], [1, 1]])
def test_a_whole_model(shape: list[int]) -> None:
    """ONNX broadcasts in both directions: a smaller target changes nothing."""
    model = onnx_model(
        [
            helper.make_node("Expand", ["x", "shape"], ["e"]),
            helper.make_node("Exp", ["e"], ["y"]),
        ],
        {"x": ("float32", [3, 5])},
        {"y": "float32"},
        {"shape": np.array(shape)},
    )
    assert ops(RULE(import_model(model).module)) == ["exp"]
